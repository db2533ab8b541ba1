import { splitElements } from '../../csv/cells.ts'
import { objectsOf } from './amounts.ts'

/** Addresses in a cell: separated by `|` or line breaks, or by a comma or semicolon before the next address. */
export const readPictures = (text: string): string[] =>
  text
    .split(/\r\n|[\r\n]|[,;]\s*(?=https?:\/\/)/i)
    .flatMap(splitElements)
    .filter((address) => address !== '')

/** Whether a text is the address of a picture, and not the name of a file on the computer or in the system of somebody. */
export const isPictureAddress = (text: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(text)

/** The addresses of pictures that browsers do not show on a page with https:. */
export const listInsecure = (images: unknown): string[] =>
  objectsOf(images).flatMap(({ url }) => (typeof url === 'string' && /^http:/i.test(url) ? [url] : []))
