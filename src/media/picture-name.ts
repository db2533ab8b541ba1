import { limits } from '../http/fields.ts'

/** Path of all pictures. Behind it follows the name of one. */
export const picturePath = '/i/'
/** Characters of a digest: 160 bits in base 32. */
export const digestLength = 32

/**
 * The name of a file of a picture: `<digest>-<width>`, and the widths of the picture's other files, if there are any. So the hosted menu
 * knows from an address alone which smaller files it can offer.
 */
export interface PictureName {
  digest: string
  /** Width of the file, in pixels. */
  width: number
  otherWidths: readonly number[]
}

const form = new RegExp(`^([0-9a-hjkmnp-tv-z]{${digestLength}})((?:-[1-9]\\d{0,7}){1,${limits.pictureVariants + 1}})$`)

export const formatPictureName = ({ digest, width, otherWidths }: PictureName) =>
  [digest, width, ...otherWidths].join('-')

export function parsePictureName(name: string): PictureName | undefined {
  const [, digest, list = ''] = form.exec(name) ?? []
  const [width, ...otherWidths] = list.split('-').slice(1).map(Number)
  return digest === undefined || width === undefined ? undefined : { digest, width, otherWidths }
}

/** The key of a file in R2. */
export const toObjectKey = ({ digest, width }: Pick<PictureName, 'digest' | 'width'>) => `pictures/${digest}-${width}`
