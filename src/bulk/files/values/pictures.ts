import { splitElements } from '../../csv/cells.ts'

/** Addresses in a cell: separated by `|` or line breaks, or by a comma or semicolon before the next address. */
export const readPictures = (text: string): string[] =>
  text
    .split(/\r\n|[\r\n]|[,;]\s*(?=https?:\/\/)/i)
    .flatMap(splitElements)
    .filter((address) => address !== '')
