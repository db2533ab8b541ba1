import { createStream, createUnicodeMap } from '../pdf.ts'
import type { PaperFont } from './paper-font.ts'

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
  const characters = Object.entries(glyphs).map(([char, [glyph]]) => [glyph, char] as const)
  const unicode = add(await createUnicodeMap(characters, 4))
  return add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${descendant}] /ToUnicode ${unicode} >>`,
  )
}
