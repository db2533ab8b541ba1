import { limits } from '../../platform/http/fields.ts'
import { resizedWidths } from './picture-widths.ts'

/** Path of all pictures. The name of a picture follows it. */
export const picturePath = '/i/'
/** Characters of a digest: 160 bits in base 32. */
export const digestLength = 32

/**
 * The name of a file of a picture: `<digest>-<width>`, and the widths of the picture's other files. The address therefore tells which smaller files
 * the hosted menu can offer.
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

/** The text of a name. It is the end of the address. */
export const formatPictureName = ({ digest, width, otherWidths }: PictureName) =>
  [digest, width, ...otherWidths].join('-')

/** The name in a text; undefined if the text is not a name. */
export function parsePictureName(name: string): PictureName | undefined {
  const [, digest, list = ''] = form.exec(name) ?? []
  const [width, ...otherWidths] = list.split('-').slice(1).map(Number)
  return digest === undefined || width === undefined ? undefined : { digest, width, otherWidths }
}

/** Common prefix of the R2 keys of all files of a picture and of the files made from them. */
export const toKeyPrefix = (digest: string) => `pictures/${digest}-`

/** The key of a file in R2. */
export const toObjectKey = ({ digest, width }: FileName) => `${toKeyPrefix(digest)}${width}`

/** The name of a smaller file made from another file, with its width in pixels: `<digest>-1600/w176`. */
export const formatResizedName = ({ digest, width }: FileName, resizedWidth: number) =>
  `${digest}-${width}/w${resizedWidth}`

/** The width in the name of a smaller file. Undefined for widths that the service does not make. */
export const parseResizedWidth = (text: string) => resizedWidths.find((width) => text === `w${width}`)

/** The R2 key of a smaller file. */
export const toResizedKey = (name: FileName, resizedWidth: number) =>
  `pictures/${formatResizedName(name, resizedWidth)}`

/** The R2 key of the pixels of a file in the size for paper. */
export const toPaperKey = (name: FileName) => `${toObjectKey(name)}/paper`

/** The R2 keys of a file and of all files that may have been made from it. */
export const listObjectKeys = (name: FileName): string[] => [
  toObjectKey(name),
  toPaperKey(name),
  ...resizedWidths.filter((width) => width < name.width).map((width) => toResizedKey(name, width)),
]
