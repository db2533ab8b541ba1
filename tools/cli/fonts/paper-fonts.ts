import { readFile, stat, utimes } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import * as fontkit from 'fontkit'
import { fontFiles } from '../../../src/storefront/pages/look/font-files.ts'
import { listPaperFonts, type PaperFont } from '../../../src/storefront/print/look/paper-font.ts'
import { replaceFile } from '../build/replace-file.ts'

const require = createRequire(import.meta.url)

/** Tables that a PDF does without. */
const unneeded = ['DSIG', 'HVAR', 'MVAR', 'STAT', 'meta', 'gasp', 'BASE', 'name', 'post', 'OS/2', 'cmap']
/** Pairs of these letters are kerned. */
const kerned = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789ÄÖÜäöüßéèà']
/** Smaller changes of a distance cannot be seen, in thousandths of the font size. */
const minKerning = 8

type Source = ReturnType<typeof listPaperFonts>[number]

/** Makes a static font from a variable one: its letters at one weight. */
async function buildPaperFont({ family, weight, alphabet, letters }: Source): Promise<PaperFont> {
  const { default: subset } = await import('subset-font')
  const source = fontFiles.find((file) => file.family === family && file.alphabet === alphabet)
  if (!source) throw new Error(`no font of ${family} ${alphabet}`)
  const bytes = await readFile(require.resolve(source.source))
  const options = {
    targetFormat: 'truetype',
    variationAxes: { wght: weight },
    noHinting: true,
    noLayoutClosure: true,
  } as const
  // The first one is measured. The second one has the same glyphs, without what only measuring needs.
  const whole = await subset(bytes, letters, { ...options, keepFeatures: ['kern'], dropTables: [] })
  const bare = await subset(bytes, letters, {
    ...options,
    keepFeatures: [],
    dropTables: [...unneeded, 'GPOS', 'GSUB', 'GDEF'],
  })
  const font = fontkit.create(Buffer.from(whole))
  if (!('layout' in font)) throw new Error(`${source.source} is a collection`)
  const scale = 1000 / font.unitsPerEm
  const round = (value: number) => Math.round(value * scale)
  const glyphs: Record<string, [number, number]> = {}
  for (const char of letters) {
    const point = char.codePointAt(0) ?? 0
    if (!font.hasGlyphForCodePoint(point)) continue
    const glyph = font.glyphForCodePoint(point)
    glyphs[char] = [glyph.id, round(glyph.advanceWidth)]
  }
  const kerning: Record<string, number> = {}
  const pairs = alphabet === 'latin' ? kerned.flatMap((first) => kerned.map((second) => first + second)) : []
  for (const pair of pairs) {
    const { positions, glyphs: shown } = font.layout(pair)
    const change = round((positions[0]?.xAdvance ?? 0) - (shown[0]?.advanceWidth ?? 0))
    if (shown.length === 2 && Math.abs(change) >= minKerning) kerning[pair] = change
  }
  const { minX, minY, maxX, maxY } = font.bbox
  return {
    name: `${source.name.split('-').slice(0, 1)}${weight}${alphabet}`,
    ...{ ascent: round(font.ascent), descent: round(font.descent), capHeight: round(font.capHeight) },
    ...{ box: [minX, minY, maxX, maxY].map(round), glyphs, kerning },
    file: Buffer.from(bare).toString('base64'),
  }
}

/** Writes the fonts of prints that are missing or older than their declaration. */
export async function writePaperFonts(folder: string): Promise<void> {
  const declarations = [
    import.meta.filename,
    ...['pages/look/font-files.ts', 'print/look/paper-font.ts'].map((file) =>
      resolve(import.meta.dirname, '../../../src/storefront', file),
    ),
  ]
  const changed = Math.max(...(await Promise.all(declarations.map((file) => stat(file)))).map(({ mtimeMs }) => mtimeMs))
  for (const source of listPaperFonts()) {
    const file = join(folder, source.file)
    const known = await stat(file).catch(() => undefined)
    if (known && known.mtimeMs > changed) continue
    await replaceFile(file, JSON.stringify(await buildPaperFont(source)))
    await utimes(file, new Date(), new Date())
  }
}
