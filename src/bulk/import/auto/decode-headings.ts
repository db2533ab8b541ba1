import { decodeAgain } from '../../files/text/code-pages.ts'
import { type FileEncoding, isCodePage } from '../../files/text/encoding.ts'

/** The headings of a file in the encoding that was chosen. */
export const decodeHeadings = (
  header: readonly string[],
  encoding: FileEncoding,
  chosen: FileEncoding | undefined,
): readonly string[] =>
  isCodePage(encoding) && isCodePage(chosen) ? header.map((text) => decodeAgain(text, encoding, chosen)) : header
