import { createStream } from '../pdf.ts'
import type { PaperFont } from './paper-font.ts'

const ascii = new TextEncoder()
const toHex = (value: number) => value.toString(16).padStart(4, '0')
const toStream = (content: string) => createStream('', ascii.encode(content))

/** A table from glyphs to characters, so that readers can search for the text. */
function toUnicodeMap({ glyphs }: PaperFont): string {
  const lines = Object.entries(glyphs).map(
    ([char, [glyph]]) =>
      `<${toHex(glyph)}> <${Array.from({ length: char.length }, (_, unit) => toHex(char.charCodeAt(unit))).join('')}>`,
  )
  // A block has at most 100 lines.
  const blocks = Array.from({ length: Math.ceil(lines.length / 100) }, (_, block) =>
    lines.slice(100 * block, 100 * block + 100),
  )
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /P def /CMapType 2 def',
    '1 begincodespacerange <0000> <ffff> endcodespacerange',
    ...blocks.map((block) => `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`),
    'endcmap end end',
  ].join('\n')
}

/** Adds a font to a file: a composite font whose codes are the numbers of glyphs (ISO 32000, 9.7.4). Returns its reference. */
export async function embedPaperFont(
  font: PaperFont,
  index: number,
  add: (object: string | Uint8Array) => string,
): Promise<string> {
  const { ascent, descent, capHeight, box, glyphs } = font
  // Six letters mark a font that has only some of its letters.
  const name = `PAPER${String.fromCharCode(65 + index)}+${font.name}`
  const bytes = Uint8Array.fromBase64(font.file)
  const file = add(await createStream(`/Length1 ${bytes.length}`, bytes))
  const descriptor = add(
    `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [${box.join(' ')}] /ItalicAngle 0 /Ascent ${ascent} /Descent ${descent} /CapHeight ${capHeight} /StemV 90 /FontFile2 ${file} >>`,
  )
  const widths = Object.values(glyphs).map(([glyph, width]) => `${glyph} [${width}]`)
  const descendant = add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 /W [${widths.join(' ')}] /CIDToGIDMap /Identity /FontDescriptor ${descriptor} >>`,
  )
  const unicode = add(await toStream(toUnicodeMap(font)))
  return add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${descendant}] /ToUnicode ${unicode} >>`,
  )
}
