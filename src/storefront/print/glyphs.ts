/** Advance widths of Helvetica Bold in thousandths of the font size, each as two digits of base 36. */
const widths = {
  /** U+0020 to U+007E */
  ascii:
    '7q99d6fgfgopk26m9999atg87q997q7qfgfgfgfgfgfgfgfgfgfg9999g8g8g8gzr3k2k2k2k2ijgzlmk27qfgk2gzn5k2lmijlmk2ijgzk2ijq8ijijgz997q99g8fg99fggzfggzfg99gzgz7q7qfg7qopgzgzgzgzatfg99gzfglmfgfgdwat7satg8',
  /** U+00A0 to U+00FF */
  latin:
    '7q99fgfgfgfg7sfg99khaafgg899kh99b4g8999999gzfg7q9999a5fgn6n6n6gzk2k2k2k2k2k2rsk2ijijijij7q7q7q7qk2k2lmlmlmlmlmg8lmk2k2k2k2ijijgzfgfgfgfgfgfgopfgfgfgfgfg7q7q7q7qgzgzgzgzgzgzgzg8gzgzgzgzgzfggzfg',
  /** The characters of `windows`, in its order. */
  windows: 'fg007qfgdwrsfgfg99rsij99rs00gz00007q7qdwdw9qfgrs99rsfg99q800dwij',
  /** U+0386 to U+03CE */
  greek:
    'k200npp6d600mx00prna7qk2k2gpjzijgzk2lm7qk2ijn5k2hwlmk2ij00gogzijmtijmhma7qijh3cjgz7qg6h3gyfggud7csgzf17qfifgh0fgcdgzlah7egj0ceg6jvg0kxnh7qg6gzg6nh',
  /** U+0401 to U+045F */
  cyrillic:
    'ilolfrjrij7q7ofguetjobgy00hajzk2jzk2frjsijp4hejzjzgyjin5k2lmjzijk2gzhanqijkajjrxsbo6r7jzjrsnjzfgh6h3blhnfgjpdth3h3dwhnkkgsgzgsgzfgdmfgobfgh3g5n5ngk9nqh3fcnqg700fggzblfcfg7q7t7qqxp6gzdw00fggs',
} as const

const getWidth = (table: keyof typeof widths, index: number) =>
  Number.parseInt(widths[table].slice(2 * index, 2 * index + 2), 36)

/** Windows-1252 from 0x80 to 0x9F. A blank is an unassigned code. */
const windows1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

const accents: Readonly<Record<string, string>> = {
  '\u0301': 'acute',
  '\u0302': 'circumflex',
  '\u0303': 'tilde',
  '\u0304': 'macron',
  '\u0306': 'breve',
  '\u0307': 'dotaccent',
  '\u0308': 'dieresis',
  '\u030a': 'ring',
  '\u030b': 'hungarumlaut',
  '\u030c': 'caron',
  '\u0326': 'commaaccent',
  '\u0327': 'commaaccent',
  '\u0328': 'ogonek',
}
/** Letters whose names or widths do not follow from their base letter. */
const irregularLetters: Readonly<Record<string, readonly [name: string, width: number]>> = {
  Ł: ['Lslash', 611],
  ł: ['lslash', 278],
  Đ: ['Dcroat', 722],
  đ: ['dcroat', 611],
  ı: ['dotlessi', 278],
  Ş: ['Scedilla', 667],
  ş: ['scedilla', 556],
  ď: ['dcaron', 743],
  ľ: ['lcaron', 400],
  ť: ['tcaron', 389],
  Ґ: ['afii10050', 487],
  ґ: ['afii10098', 447],
}
/** Names of U+0386 to U+03CE in Adobe's glyph list. A hyphen means that the code is not a letter. */
const greek =
  'Alphatonos - Epsilontonos Etatonos Iotatonos - Omicrontonos - Upsilontonos Omegatonos iotadieresistonos Alpha Beta Gamma uni0394 Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi uni03A9 Iotadieresis Upsilondieresis alphatonos epsilontonos etatonos iotatonos upsilondieresistonos alpha beta gamma delta epsilon zeta eta theta iota kappa lambda uni03BC nu xi omicron pi rho uni03C2 sigma tau upsilon phi chi psi omega iotadieresis upsilondieresis omicrontonos upsilontonos omegatonos'.split(
    ' ',
  )

/** Name of a Cyrillic letter in Adobe's glyph list. Ё follows Е; letters of other languages have their own numbers. */
function getCyrillicName(point: number): string {
  if (point >= 0x410 && point <= 0x44f) {
    const [first, number] = point < 0x430 ? [0x410, 10017] : [0x430, 10065]
    return `afii${number + point - first + (point - first >= 6 ? 1 : 0)}`
  }
  const exceptions: Readonly<Record<string, number>> = { Ё: 10023, ё: 10071, Ў: 10062, Џ: 10145, ў: 10110, џ: 10193 }
  const number = exceptions[String.fromCodePoint(point)]
  return `afii${number ?? (point < 0x450 ? 10051 + point - 0x402 : 10099 + point - 0x452)}`
}

/** A character of a font: its code or name, and its width. */
interface Glyph {
  /** Code in Windows-1252; undefined if `name` identifies the glyph. */
  code: number | undefined
  name: string
  width: number
}

/** Returns a glyph of Helvetica; undefined if the fonts of common readers lack it. */
export function getGlyph(char: string): Glyph | undefined {
  const point = char.codePointAt(0) ?? 0
  const byCode = (code: number, width: number) => ({ code, name: '', width })
  const byName = (name: string, width: number) => ({ code: undefined, name, width })
  if (point >= 0x20 && point <= 0x7e) return byCode(point, getWidth('ascii', point - 0x20))
  if (point >= 0xa0 && point <= 0xff) return byCode(point, getWidth('latin', point - 0xa0))
  const index = windows1252.indexOf(char)
  if (index >= 0) return byCode(0x80 + index, getWidth('windows', index))
  const [name, width] = irregularLetters[char] ?? []
  if (name !== undefined && width !== undefined) return byName(name, width)
  if (point >= 0x386 && point <= 0x3ce) {
    const letter = greek[point - 0x386] ?? '-'
    return letter === '-' ? undefined : byName(letter, getWidth('greek', point - 0x386))
  }
  if (point >= 0x401 && point <= 0x45f) {
    const advance = getWidth('cyrillic', point - 0x401)
    return advance === 0 ? undefined : byName(getCyrillicName(point), advance)
  }
  const [base = '', mark = '', more] = char.normalize('NFD')
  const accent = accents[mark]
  const isLatin = point < 0x180 || (point >= 0x218 && point <= 0x21b)
  return isLatin && accent && !more ? byName(base + accent, getWidth('ascii', base.charCodeAt(0) - 0x20)) : undefined
}
