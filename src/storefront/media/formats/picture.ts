import { limits } from '../../../platform/http/fields.ts'
import { concatenate } from '../../../platform/lib/encoding/concatenate.ts'
import type { TakeSteps } from '../../../platform/lib/step-budget.ts'
import { cleanAvif, hasBrand } from './avif.ts'
import { BrokenPictureError, type CleanPicture, createPartBudget, startsWith } from './bytes.ts'
import { cleanJpeg } from './jpeg.ts'
import { cleanPng, pngSignature } from './png.ts'
import { cleanWebp } from './webp.ts'

interface Format {
  matches: (bytes: Uint8Array) => boolean
  clean: (bytes: Uint8Array, takeParts: TakeSteps) => CleanPicture & { maxPixels?: number }
}

/** The formats of pictures, by media type. The content of a picture decides its format. */
const formats: Readonly<Record<string, Format>> = {
  'image/jpeg': { matches: (bytes) => startsWith(bytes, '\xff\xd8\xff'), clean: cleanJpeg },
  'image/png': { matches: (bytes) => startsWith(bytes, pngSignature), clean: cleanPng },
  'image/webp': {
    matches: (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8),
    clean: cleanWebp,
  },
  // A sequence of pictures has the brand `avis` too.
  'image/avif': { matches: (bytes) => hasBrand(bytes, 'avif') && !hasBrand(bytes, 'avis'), clean: cleanAvif },
}

/** Media types of pictures that can be uploaded. */
export const pictureTypes = Object.keys(formats)

/** A picture that guests may see: complete, and without metadata. */
export interface Picture {
  type: string
  /** Pixels as shown. */
  width: number
  height: number
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * Reads a picture and removes everything that is not needed to show it: EXIF, XMP, comments, and bytes after its end. Returns undefined for other
 * kinds of files. Throws `BrokenPictureError`. `join` creates a file from the remaining parts.
 */
export function cleanPicture(
  file: Uint8Array,
  join: (parts: readonly Uint8Array[]) => Uint8Array<ArrayBuffer> = concatenate,
): Picture | undefined {
  const [type, format] = Object.entries(formats).find(([, { matches }]) => matches(file)) ?? []
  if (type === undefined || !format) return undefined
  try {
    const { width, height, parts, maxPixels = 0 } = format.clean(file, createPartBudget())
    if (width === 0 || height === 0) throw new BrokenPictureError('has no pixels')
    if (Math.max(width * height, maxPixels) > limits.picturePixels) {
      throw new BrokenPictureError(`must have at most ${limits.picturePixels.toLocaleString('en')} pixels`, 'too_large')
    }
    return { type, width, height, bytes: join(parts) }
  } catch (error) {
    if (error instanceof RangeError) throw new BrokenPictureError('is cut off')
    throw error
  }
}
