import { toDataView } from './bytes.ts'

const orientationTag = 0x0112
const shortType = 3

/** The orientation in the TIFF structure of an EXIF block: 1 to 8. 1 (as stored) if it is missing or unreadable. */
export function readOrientation(tiff: Uint8Array): number {
  try {
    const view = toDataView(tiff)
    const isLittle = view.getUint16(0) === 0x4949
    const start = view.getUint32(4, isLittle)
    const entries = view.getUint16(start, isLittle)
    for (let index = 0; index < entries; index++) {
      const entry = start + 2 + 12 * index
      if (view.getUint16(entry, isLittle) !== orientationTag || view.getUint16(entry + 2, isLittle) !== shortType)
        continue
      const orientation = view.getUint16(entry + 8, isLittle)
      return orientation >= 1 && orientation <= 8 ? orientation : 1
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return 1
}

/** A TIFF structure that contains only an orientation, big-endian. */
export const createTiff = (orientation: number) =>
  Uint8Array.of(0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0)
