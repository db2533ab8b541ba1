import { createStepBudget, type TakeSteps } from '../../../platform/lib/step-budget.ts'

/** A file that is incomplete, too large, or invalid for its format. The message continues "the picture …". */
export class BrokenPictureError extends Error {
  readonly code: 'invalid_format' | 'too_large'

  constructor(message: string, code: BrokenPictureError['code'] = 'invalid_format') {
    super(message)
    this.code = code
  }
}

/** Maximum number of parts of one file, nested ones included: segments, chunks, boxes, items, extents. */
const maxParts = 20_000

/** Counts the parts of one file, so that a file of many empty parts cannot use up time or memory. */
export const createPartBudget = (): TakeSteps =>
  createStepBudget(maxParts, () => new BrokenPictureError('has too many parts'))

/** A picture without metadata. */
export interface CleanPicture {
  /** Pixels as shown: with the orientation applied. */
  width: number
  height: number
  /** The parts of the file, in order. */
  parts: readonly Uint8Array[]
}

/** A view of bytes that reads numbers. */
export const toDataView = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength)

/** The bytes from `start` to `end`. Throws `RangeError` if the file ends earlier. */
export function slice(bytes: Uint8Array, start: number, end: number): Uint8Array {
  if (start > end || end > bytes.length) throw new RangeError(`${start} to ${end} of ${bytes.length} bytes`)
  return bytes.subarray(start, end)
}

/** A short text of one byte a character. Throws `RangeError` if the file ends earlier. */
export const readLatin1 = (bytes: Uint8Array, start: number, length: number) =>
  String.fromCharCode(...slice(bytes, start, start + length))

/** The bytes of a text of one byte a character. */
export const toBytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** Whether bytes begin with a text. */
export const startsWith = (bytes: Uint8Array, text: string, start = 0) =>
  bytes.length >= start + text.length && readLatin1(bytes, start, text.length) === text

/** The size as shown. Orientations from 5 on turn the picture by a quarter. */
export const orient = (width: number, height: number, orientation: number) =>
  orientation >= 5 ? { width: height, height: width } : { width, height }
