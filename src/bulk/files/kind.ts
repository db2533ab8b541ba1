import { ApiError } from '../../platform/errors.ts'

/** First bytes of files that cannot be read, with a sentence that says what they are and what to do. */
const signatures: readonly (readonly [bytes: readonly number[], is: string])[] = [
  [[0x25, 0x50, 0x44, 0x46], 'is a PDF. Export a table (CSV or Excel) from the program that made it'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'is an old Excel or Word file. Save it in the format .xlsx or CSV'],
  [[0x89, 0x50, 0x4e, 0x47], 'is a picture. Enter the texts in a table first'],
  [[0xff, 0xd8, 0xff], 'is a picture. Enter the texts in a table first'],
  [[0x47, 0x49, 0x46, 0x38], 'is a picture. Enter the texts in a table first'],
  [[0x52, 0x49, 0x46, 0x46], 'is a picture. Enter the texts in a table first'],
  [[0x1f, 0x8b], 'is compressed. Extract the file in it, and upload that'],
  [[0x52, 0x61, 0x72, 0x21], 'is a compressed archive. Extract the file in it, and upload that'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'is a compressed archive. Extract the file in it, and upload that'],
]
const zipSignature = [0x50, 0x4b, 0x03, 0x04]

const startsWith = (bytes: Uint8Array, signature: readonly number[]) =>
  signature.every((byte, index) => bytes[index] === byte)

/** The problem of a file that cannot be read. `what` continues "The file". */
export const unsupported = (what: string) => new ApiError('unsupported_file', `The file ${what}.`)

/** Throws `unsupported_file` if the file is known to be of a kind that cannot be read. Returns whether it is a zip file, like .xlsx. */
export function requireKnownKind(bytes: Uint8Array): { isZip: boolean } {
  const [, is] = signatures.find(([signature]) => startsWith(bytes, signature)) ?? []
  if (is !== undefined) throw unsupported(is)
  return { isZip: startsWith(bytes, zipSignature) }
}

/** Throws if a text is a web page. */
export function requireNoPage(text: string): void {
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(text.slice(0, 200))) {
    throw unsupported('is a web page or XML. Export a table (CSV or Excel) instead')
  }
}
