import {
  type CodePage,
  codePages,
  decodeAgain,
  decodePage,
  type MultiByteEncoding,
  multiByteEncodings,
} from './code-pages.ts'

export const fileEncodings = ['utf-8', 'utf-16le', 'utf-16be', ...codePages, ...multiByteEncodings] as const
export type FileEncoding = (typeof fileEncodings)[number]

const choosable = [...codePages, ...multiByteEncodings] as const

/** Whether an encoding has one byte for each character. */
export const isCodePage = (encoding: string | undefined): encoding is CodePage =>
  codePages.some((page) => page === encoding)

/** Whether a text that was decoded with a code page can be decoded again in an encoding. */
export const isChoosable = (encoding: string | undefined): encoding is CodePage | MultiByteEncoding =>
  choosable.some((name) => name === encoding)

/** A text of a file in the encoding that was chosen. Other texts stay as they are. */
export const decodeChosen = (text: string, decodedAs: string | undefined, chosen: string | undefined): string =>
  isCodePage(decodedAs) && isChoosable(chosen) ? decodeAgain(text, decodedAs, chosen) : text

const isLetter = (byte = 0) => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)

/**
 * The code page of bytes that are not UTF-8: Windows-1252, unless bytes from 0x80 to 0x9F, which are letters only in Mac Roman, stand
 * between letters and no byte from 0xC0 on occurs.
 */
function guessPage(bytes: Uint8Array): CodePage {
  let hasMacLetters = false
  for (const [index, byte] of bytes.entries()) {
    if (byte >= 0xc0) return 'windows-1252'
    if (byte >= 0x80 && byte <= 0x9f) hasMacLetters ||= isLetter(bytes[index - 1]) && isLetter(bytes[index + 1])
  }
  return hasMacLetters ? 'macintosh' : 'windows-1252'
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Number of characters of a file in which its headings are searched. */
const headUnits = 65_536
/** Fewer known headings prove nothing. */
const minHeadings = 2
/** A letter of an alphabet that only these encodings have. */
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/**
 * The encoding with several bytes for a character in which the headings of a table are words for fields, and more of them than in any other. Undefined
 * if no encoding stands out.
 */
export function findMultiByte(
  text: string,
  { encoding, lines: maxLines }: { encoding: FileEncoding; lines: number },
  countKnown: (header: readonly string[]) => number,
): MultiByteEncoding | undefined {
  if (!isCodePage(encoding)) return undefined
  const lines = text.slice(0, headUnits).split(/[\r\n]+/, maxLines)
  const scores = multiByteEncodings.map((name) => {
    const counts = lines.map((line) => {
      const cells = decodeAgain(line, encoding, name).split(/[,;\t|"]/)
      return countKnown(cells.filter((cell) => eastAsian.test(cell)))
    })
    return { name, score: Math.max(...counts) }
  })
  const [best, second] = scores.sort((one, other) => other.score - one.score)
  return best && best.score >= minHeadings && best.score > (second?.score ?? 0) ? best.name : undefined
}

/** Decodes a file: by its byte order mark, else as UTF-8, else with the more likely code page. */
export function decodeFile(bytes: Uint8Array): { text: string; encoding: FileEncoding } {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe)
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16le' }
  if (first === 0xfe && second === 0xff)
    return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'utf-16be' }
  const text = decodeUtf8(bytes)
  if (text !== undefined) return { text, encoding: 'utf-8' }
  const page = guessPage(bytes)
  return { text: decodePage(bytes, page), encoding: page }
}
