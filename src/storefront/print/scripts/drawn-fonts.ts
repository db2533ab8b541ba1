import { createStream, createUnicodeMap, toHex } from '../pdf.ts'
import type { FontPack, PackName } from './font-pack.ts'

/** Codes of a font of a PDF. */
const maxGlyphs = 255

interface DrawnGlyph {
  width: number
  outline: string
  /** The letters that the code shows. */
  text: string
}

const ascii = new TextEncoder()
const toStream = (content: string) => createStream('', ascii.encode(content))

/** The smallest rectangle around an outline. */
function getBounds(outline: string): readonly [number, number, number, number] {
  const numbers = outline.match(/-?\d+/g)?.map(Number) ?? [0, 0]
  const xs = numbers.filter((_, index) => index % 2 === 0)
  const ys = numbers.filter((_, index) => index % 2 === 1)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** Fonts of one file whose glyphs are outlines of packs (Type 3), with only the glyphs that its texts use. */
export function createDrawnFonts() {
  const glyphs: DrawnGlyph[] = []
  const known = new Map<string, number>()

  return {
    /** Places a glyph of a pack. Returns its font, its code in hexadecimal and its width. `text` is the text that the glyph shows. */
    place(name: PackName, { glyphs: drawn }: FontPack, index: number, text: string) {
      const key = `${name} ${index}`
      const [width = 0, outline = ''] = drawn[index] ?? []
      const position = known.get(key) ?? glyphs.push({ width, outline, text }) - 1
      known.set(key, position)
      return { font: `D${Math.floor(position / maxGlyphs)}`, hex: toHex((position % maxGlyphs) + 1, 2), width }
    },

    /** Adds the fonts to a file. Returns their references by name. */
    async addTo(add: (object: string | Uint8Array) => string): Promise<Record<string, string>> {
      const fonts: Record<string, string> = {}
      for (let first = 0; first < glyphs.length; first += maxGlyphs) {
        const own = glyphs.slice(first, first + maxGlyphs)
        const streams = await Promise.all(
          own.map(({ width, outline }) => toStream(`${width} 0 ${getBounds(outline).join(' ')} d1 ${outline} f`)),
        )
        const procedures = streams.map((stream, index) => `/g${index} ${add(stream)}`).join(' ')
        const names = own.map((_, index) => `/g${index}`).join(' ')
        const widths = own.map(({ width }) => width).join(' ')
        const shown = own.flatMap(({ text }, index) => (text === '' ? [] : [[index + 1, text] as const]))
        const unicode = add(await createUnicodeMap(shown, 2))
        fonts[`D${first / maxGlyphs}`] = add(
          `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [.001 0 0 .001 0 0] /CharProcs << ${procedures} >> /Encoding << /Type /Encoding /Differences [1 ${names}] >> /FirstChar 1 /LastChar ${own.length} /Widths [${widths}] /Resources << >> /ToUnicode ${unicode} >>`,
        )
      }
      return fonts
    },
  }
}
