import { limits } from '../../platform/http/fields.ts'
import { resizedWidths } from './picture-widths.ts'

/** Path of all pictures. Behind it follows the name of one. */
export const picturePath = '/i/'
/** Characters of a digest: 160 bits in base 32. */
export const digestLength = 32

/**
 * The name of a file of a picture: `<digest>-<width>`, and the widths of the picture's other files. So the address
 * alone says which smaller files the hosted menu can offer.
 */
export interface PictureName {
  digest: string
  /** Width of the file, in pixels. */
  width: number
  otherWidths: readonly number[]
}

/** The parts of a file's name. They do not depend on the picture's other files. */
export type FileName = Pick<PictureName, 'digest' | 'width'>

const form = new RegExp(`^([0-9a-hjkmnp-tv-z]{${digestLength}})((?:-[1-9]\\d{0,7}){1,${limits.pictureVariants + 1}})$`)

/** The text of a name, which addresses end with. */
export const formatPictureName = ({ digest, width, otherWidths }: PictureName) =>
  [digest, width, ...otherWidths].join('-')

/** The name in a text; undefined if the text is none. */
export function parsePictureName(name: string): PictureName | undefined {
  const [, digest, list = ''] = form.exec(name) ?? []
  const [width, ...otherWidths] = list.split('-').slice(1).map(Number)
  return digest === undefined || width === undefined ? undefined : { digest, width, otherWidths }
}

/** The beginning of the keys in R2 of all files of a picture, and of those that are made of them. */
export const toKeyPrefix = (digest: string) => `pictures/${digest}-`

/** The key of a file in R2. */
export const toObjectKey = ({ digest, width }: FileName) => `${toKeyPrefix(digest)}${width}`

/** The name of a file that is made of another one with a smaller width, in pixels: `<digest>-1600/w176`. */
export const formatResizedName = ({ digest, width }: FileName, resizedWidth: number) =>
  `${digest}-${width}/w${resizedWidth}`

/** The width in the name of a file that is made. Undefined for widths in which none is made. */
export const parseResizedWidth = (text: string) => resizedWidths.find((width) => text === `w${width}`)

/** The key in R2 of a file that was made. */
export const toResizedKey = (name: FileName, resizedWidth: number) =>
  `pictures/${formatResizedName(name, resizedWidth)}`

/** The key in R2 of the pixels of a file in the size that paper needs. */
export const toPaperKey = (name: FileName) => `${toObjectKey(name)}/paper`

/** The keys in R2 of a file and of all that can have been made of it. */
export const listObjectKeys = (name: FileName): string[] => [
  toObjectKey(name),
  toPaperKey(name),
  ...resizedWidths.filter((width) => width < name.width).map((width) => toResizedKey(name, width)),
]
