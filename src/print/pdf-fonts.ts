import { getGlyph } from './glyphs.ts'

/**
 * Text in a PDF without embedded fonts. Latin, Greek and Cyrillic use Helvetica, which every reader has or replaces by a font of equal
 * widths. Chinese, Japanese and Korean use a font of the reader (ISO 32000, 9.7.5.2). Other scripts need shaping and an embedded font:
 * they are rejected, so that no wrong text is printed.
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

/** A line of text as runs of one font each. Width in thousandths of the font size. */
export interface Line {
  width: number
  runs: { font: string; hex: string }[]
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
const utf16 = (text: string) =>
  text
    .split('')
    .map((unit) => hex(unit.charCodeAt(0), 4))
    .join('')

/** Pictograms, which are left out: no font that every reader has contains them. */
const pictograms = /(?![©®™])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f/gu

/** The printable part of a text: composed, on one line, without pictograms and invisible characters. */
export const toPrintable = (text: string) =>
  text
    .normalize('NFC')
    .replace(pictograms, '')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()

/** Sets the lines of one file. `texts` are all its texts: they decide which font Han characters use. */
export function createPdfFonts(texts: readonly string[]) {
  const han = texts.some((text) => kana.test(text)) ? 'J' : texts.some((text) => hangul.test(text)) ? 'K' : 'G'
  /** Glyphs outside Windows-1252, with codes of their own in the font X. */
  const extraGlyphs = new Map<string, { code: number; name: string; width: number }>()
  const asianFonts = new Set<AsianFont>()

  function place(char: string): { font: string; hex: string; width: number } | undefined {
    if (cjk.test(char)) {
      const font = kana.test(char) ? 'J' : hangul.test(char) ? 'K' : han
      asianFonts.add(font)
      return { font, hex: utf16(char), width: 1000 }
    }
    const glyph = getGlyph(char)
    if (!glyph) return undefined
    if (glyph.code !== undefined) return { font: 'H', hex: hex(glyph.code, 2), width: glyph.width }
    const known = extraGlyphs.get(char) ?? { code: extraGlyphs.size + 1, name: glyph.name, width: glyph.width }
    if (known.code > 255) return undefined
    extraGlyphs.set(char, known)
    return { font: 'X', hex: hex(known.code, 2), width: known.width }
  }

  return {
    /** Sets a text on one line; undefined if a character cannot be set. */
    set(text: string): Line | undefined {
      const line: Line = { width: 0, runs: [] }
      for (const char of toPrintable(text)) {
        const placed = place(char)
        if (!placed) return undefined
        const last = line.runs.at(-1)
        if (last?.font === placed.font) last.hex += placed.hex
        else line.runs.push({ font: placed.font, hex: placed.hex })
        line.width += placed.width
      }
      return line
    },

    /** The used fonts by the names in lines. `add` adds an object to the file and returns its reference. */
    fonts(add: (object: string) => string): Record<string, string> {
      const helvetica = '/Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold'
      const fonts: Record<string, string> = { H: add(`<< ${helvetica} /Encoding /WinAnsiEncoding >>`) }
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
