import { createStream } from '../pdf.ts'
import type { FontPack, PackName } from './font-pack.ts'

/** Codes of a font of a PDF. */
const maxGlyphs = 255

interface DrawnGlyph {
  width: number
  outline: string
  /** The letters that the code shows. */
  text: string
}

const toHex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
const ascii = new TextEncoder()
const toStream = (content: string) => createStream('', ascii.encode(content))

/** The smallest rectangle around an outline. */
function getBounds(outline: string): readonly [number, number, number, number] {
  const numbers = outline.match(/-?\d+/g)?.map(Number) ?? [0, 0]
  const xs = numbers.filter((_, index) => index % 2 === 0)
  const ys = numbers.filter((_, index) => index % 2 === 1)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** A table from codes to letters, so that readers can search for the text. */
function toUnicodeMap(glyphs: readonly DrawnGlyph[]): string {
  const lines = glyphs.flatMap(({ text }, index) => {
    if (text === '') return []
    const units = Array.from({ length: text.length }, (_, unit) => toHex(text.charCodeAt(unit), 4)).join('')
    return `<${toHex(index + 1, 2)}> <${units}>`
  })
  // A block has at most 100 lines.
  const blocks = Array.from({ length: Math.ceil(lines.length / 100) }, (_, block) =>
    lines.slice(100 * block, 100 * block + 100),
  )
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def',
    '1 begincodespacerange <00> <ff> endcodespacerange',
    ...blocks.map((block) => `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`),
    'endcmap end end',
  ].join('\n')
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
        const unicode = add(await toStream(toUnicodeMap(own)))
        fonts[`D${first / maxGlyphs}`] = add(
          `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [.001 0 0 .001 0 0] /CharProcs << ${procedures} >> /Encoding << /Type /Encoding /Differences [1 ${names}] >> /FirstChar 1 /LastChar ${own.length} /Widths [${widths}] /Resources << >> /ToUnicode ${unicode} >>`,
        )
      }
      return fonts
    },
  }
}
