import { getGlyph } from './glyphs.ts'
import { embedPaperFont } from './look/embed-paper-font.ts'
import { findPaperGlyph, type PaperFont, type PaperFonts, type TypeRole } from './look/paper-font.ts'
import { toHex, toUtf16 } from './pdf.ts'
import { getLevels, mirror, toVisualOrder } from './scripts/bidi.ts'
import { createDrawnFonts } from './scripts/drawn-fonts.ts'
import type { FontPacks } from './scripts/font-pack.ts'
import { shapePart, toParts, withoutPoints } from './scripts/shape-letters.ts'

/**
 * Text in a PDF. Latin, Greek and Cyrillic use the fonts of the design. Without these they use Helvetica, which every reader has, or replaces with a font of equal widths. Chinese, Japanese and
 * Korean use a font of the reader (ISO 32000, 9.7.5.2). Arabic, Hebrew, Thai and Devanagari are shaped and drawn from font packs. Other scripts are
 * rejected, so that no incorrect text is printed.
 */

/** Fonts of Chinese, Japanese and Korean: name, character collection, and map from UTF-16. */
const asian = {
  J: { font: 'HeiseiKakuGo-W5', ordering: 'Japan1', supplement: 6, map: 'UniJIS-UTF16-H' },
  K: { font: 'HYGoThic-Medium', ordering: 'Korea1', supplement: 2, map: 'UniKS-UTF16-H' },
  G: { font: 'STSong-Light', ordering: 'GB1', supplement: 5, map: 'UniGB-UTF16-H' },
} as const
type AsianFont = keyof typeof asian

const kana = /[\u3041-\u3096\u30a1-\u30fe]/
const hangul = /[\uac00-\ud7a3]/
const cjk = /[\p{Script=Han}\u3001-\u3020\u3041-\u3096\u30a1-\u30fe\uac00-\ud7a3\uff01-\uff5e]/u

/** Glyphs of one font, moved to the right and up by thousandths of the font size. */
interface TextRun {
  font: string
  hex: string
  dx: number
  dy: number
}

/** A line of text as runs from left to right. Width in thousandths of the font size. */
export interface TextLine {
  width: number
  runs: readonly TextRun[]
}

/** PDF operators that show a line. Its font size is in units of the page. */
export const showLine = ({ runs }: TextLine, size: number): string => {
  const format = (value: number) => String(Number(value.toFixed(3)))
  return runs
    .map(({ font, hex, dx, dy }) => {
      const rise = (shown: string) => (dy === 0 ? shown : `${format((dy * size) / 1000)} Ts ${shown} 0 Ts`)
      const isPlain = dx === 0 && !hex.includes('>')
      const text = isPlain ? `<${hex}> Tj` : `[${-dx} <${hex}> ${dx}] TJ`
      return `/${font} ${format(size)} Tf ${rise(text)}`
    })
    .join(' ')
}

/** Pictograms. They are left out, because no font of all readers contains them. */
const pictograms = /(?![©®™])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f/gu

/** The printable part of a text: composed, on one line, without pictograms and invisible characters. `SS` replaces `ẞ`, which the fonts lack. */
export const toPrintable = (text: string) =>
  text
    .normalize('NFC')
    .replace(pictograms, '')
    .replaceAll('ẞ', 'SS')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()

/** A glyph, and the change of its distance from the next one. */
type Placed = Omit<TextRun, 'dx' | 'dy'> & Partial<TextRun> & { width: number; kerning?: number | undefined }

/** Joins glyphs to runs: adjacent glyphs of one font at their usual positions. */
function toLine(glyphs: readonly Placed[]): TextLine {
  const runs: TextRun[] = []
  let width = 0
  for (const { font, hex: code, dx = 0, dy = 0, width: advance, kerning = 0 } of glyphs) {
    // Ends a string of an array of TJ, and begins the next one.
    const hex = kerning === 0 ? code : `${code}> ${-kerning} <`
    const last = runs.at(-1)
    const isMoved = dx !== 0 || dy !== 0
    if (last && !isMoved && last.font === font && last.dx === 0 && last.dy === 0) last.hex += hex
    else runs.push({ font, hex, dx, dy })
    width += advance + kerning
  }
  return { width, runs }
}

/** Sets the lines of one file. `texts` are all its texts: they decide which font Han characters use. */
export function createPdfFonts(
  texts: readonly string[],
  packs: FontPacks = new Map(),
  paper: PaperFonts = { display: [], text: [] },
) {
  const han = texts.some((text) => kana.test(text)) ? 'J' : texts.some((text) => hangul.test(text)) ? 'K' : 'G'
  /** Glyphs outside Windows-1252, with their own codes in the font X. */
  const extraGlyphs = new Map<string, { code: number; name: string; width: number }>()
  const asianFonts = new Set<AsianFont>()
  const drawnFonts = createDrawnFonts()
  const paperFonts: PaperFont[] = []

  /** Places a character in a font of the design. Undefined if the design lacks it. */
  function placeOnPaper(char: string, next: string | undefined, role: TypeRole): Placed | undefined {
    const found = findPaperGlyph(paper[role], char)
    if (!found) return undefined
    if (!paperFonts.includes(found.font)) paperFonts.push(found.font)
    const kerning = next === undefined ? undefined : found.font.kerning[char + next]
    return { font: `P${paperFonts.indexOf(found.font)}`, hex: toHex(found.glyph, 4), width: found.width, kerning }
  }

  const known = new Map<string, Placed | undefined>()
  /** Places a character in a font of the readers. */
  function place(char: string): Placed | undefined {
    if (known.has(char)) return known.get(char)
    const glyph = placeAnew(char)
    known.set(char, glyph)
    return glyph
  }
  function placeAnew(char: string): Placed | undefined {
    if (cjk.test(char)) {
      const font = kana.test(char) ? 'J' : hangul.test(char) ? 'K' : han
      asianFonts.add(font)
      return { font, hex: toUtf16(char), width: 1000 }
    }
    const glyph = getGlyph(char)
    if (!glyph) return undefined
    if (glyph.code !== undefined) return { font: 'H', hex: toHex(glyph.code, 2), width: glyph.width }
    const extra = extraGlyphs.get(char) ?? { code: extraGlyphs.size + 1, name: glyph.name, width: glyph.width }
    if (extra.code > 255) return undefined
    extraGlyphs.set(char, extra)
    return { font: 'X', hex: toHex(extra.code, 2), width: extra.width }
  }

  return {
    /** Sets a text on one line; undefined if a character cannot be set. */
    set(text: string, role: TypeRole = 'text'): TextLine | undefined {
      const parts = toParts(withoutPoints(toPrintable(text)))
      const levels = getLevels(parts)
      const hasPaper = paper[role].length > 0
      const placed = parts.map((part, index): readonly Placed[] | undefined => {
        const shaped = shapePart(packs, part, parts[index - 1], parts[index + 1])
        if (shaped) {
          const { name, pack, glyphs } = shaped
          const chars = Array.from(part)
          const getText = (place: number) =>
            glyphs.length === chars.length ? (chars[place] ?? '') : place === 0 ? part : ''
          return glyphs.map(([glyph, dx, dy], place) => ({
            ...drawnFonts.place(name, pack, glyph, getText(place)),
            ...{ dx, dy },
          }))
        }
        const level = levels[index] ?? 0
        const next = level === 0 ? parts[index + 1] : undefined
        const glyphs = Array.from(part, (char) => {
          const shown = mirror(char, level)
          return (hasPaper ? placeOnPaper(shown, next, role) : undefined) ?? place(shown)
        })
        return glyphs.every((glyph) => glyph !== undefined) ? glyphs : undefined
      })
      const whole = placed.every((glyphs) => glyphs !== undefined)
      return whole ? toLine(toVisualOrder(placed, levels).flat()) : undefined
    },

    /** The used fonts by the names in lines. `add` adds an object to the file and returns its reference. */
    async fonts(add: (object: string | Uint8Array) => string): Promise<Record<string, string>> {
      const helvetica = '/Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold'
      const fonts: Record<string, string> = {
        ...(await drawnFonts.addTo(add)),
        H: add(`<< ${helvetica} /Encoding /WinAnsiEncoding >>`),
      }
      for (const [index, font] of paperFonts.entries()) fonts[`P${index}`] = await embedPaperFont(font, index, add)
      if (extraGlyphs.size > 0) {
        const glyphs = [...extraGlyphs.values()]
        const names = glyphs.map(({ name }) => `/${name}`).join(' ')
        const advances = glyphs.map(({ width }) => width).join(' ')
        const descriptor = add(
          '<< /Type /FontDescriptor /FontName /Helvetica-Bold /Flags 32 /FontBBox [-170 -228 1003 962] /ItalicAngle 0 /Ascent 718 /Descent -207 /CapHeight 718 /StemV 140 >>',
        )
        fonts['X'] = add(
          `<< ${helvetica} /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [1 ${names}] >> /FirstChar 1 /LastChar ${glyphs.length} /Widths [${advances}] /FontDescriptor ${descriptor} >>`,
        )
      }
      for (const name of asianFonts) {
        const { font, ordering, supplement, map } = asian[name]
        const descriptor = add(
          `<< /Type /FontDescriptor /FontName /${font} /Flags 4 /FontBBox [-100 -250 1100 900] /ItalicAngle 0 /Ascent 860 /Descent -140 /CapHeight 740 /StemV 100 >>`,
        )
        const descendant = add(
          `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${font} /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement ${supplement} >> /DW 1000 /FontDescriptor ${descriptor} >>`,
        )
        fonts[name] = add(
          `<< /Type /Font /Subtype /Type0 /BaseFont /${font}-${map} /Encoding /${map} /DescendantFonts [${descendant}] >>`,
        )
      }
      return fonts
    },
  }
}
