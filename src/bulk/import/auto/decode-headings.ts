import { decodeChosen, type FileEncoding } from '../../files/text/encoding.ts'

/** The headings of a file in the encoding that was chosen. */
export const decodeHeadings = (
  header: readonly string[],
  encoding: FileEncoding,
  chosen: FileEncoding | undefined,
): readonly string[] => header.map((text) => decodeChosen(text, encoding, chosen))
