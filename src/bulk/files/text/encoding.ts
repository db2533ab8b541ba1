import { type CodePage, codePages, decodePage } from './code-pages.ts'

export const fileEncodings = ['utf-8', 'utf-16le', 'utf-16be', ...codePages] as const
export type FileEncoding = (typeof fileEncodings)[number]

/** Whether an encoding has one byte for each character. */
export const isCodePage = (encoding: string | undefined): encoding is CodePage =>
  codePages.some((page) => page === encoding)

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
