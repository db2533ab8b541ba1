import { readFile, stat, utimes } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { alphabets, type FontFile, fontFiles } from '../../../src/storefront/pages/look/font-files.ts'
import { replaceFile } from '../build/replace-file.ts'

const require = createRequire(import.meta.url)

/** Tables that browsers do without: widths and metrics follow from the outlines. */
const unneeded = ['DSIG', 'HVAR', 'MVAR', 'STAT', 'meta', 'gasp', 'BASE']
/** Kerning, signs on letters, and digits of equal width and height. */
const features = ['kern', 'mark', 'tnum', 'lnum']

/** Reduces a variable font to an alphabet and to the weights that pages use. */
export async function buildWebFont({ source, alphabet }: FontFile): Promise<Uint8Array> {
  const { default: subset } = await import('subset-font')
  return subset(await readFile(require.resolve(source)), alphabets[alphabet], {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 700 } },
    // Without hints, some systems draw single letters bolder than others.
    noHinting: false,
    noLayoutClosure: true,
    keepFeatures: features,
    dropTables: unneeded,
  })
}

/** Whether the packages are installed. An older `node_modules` lacks them: pages then show fonts of the device. A deployment fails without them. */
function isInstalled(): boolean {
  try {
    for (const name of ['subset-font', ...fontFiles.map(({ source }) => source)]) require.resolve(name)
    return true
  } catch (error) {
    if (process.env['WRANGLER_COMMAND'] === 'deploy') throw error
    console.warn('The fonts of pages are left out: run npm ci.')
    return false
  }
}

/** Writes the fonts of pages that are missing or older than their declaration. Returns whether their packages are installed. */
export async function writeWebFonts(folder: string): Promise<boolean> {
  if (!isInstalled()) return false
  const declarations = [
    import.meta.filename,
    join(import.meta.dirname, '../../../src/storefront/pages/look/font-files.ts'),
  ]
  const changed = Math.max(...(await Promise.all(declarations.map((file) => stat(file)))).map(({ mtimeMs }) => mtimeMs))
  for (const font of fontFiles) {
    const file = join(folder, font.name)
    const known = await stat(file).catch(() => undefined)
    if (known && known.mtimeMs > changed) continue
    await replaceFile(file, await buildWebFont(font))
    await utimes(file, new Date(), new Date())
  }
  return true
}
