/** A file that is incomplete, too large, or not what its format requires. The message continues "the picture …". */
export class BrokenPictureError extends Error {
  readonly code: 'invalid_format' | 'too_large'

  constructor(message: string, code: BrokenPictureError['code'] = 'invalid_format') {
    super(message)
    this.code = code
  }
}

/** Most parts of a file that are read, so that a file of empty parts does not use up the memory. */
const maxParts = 10_000

/** Throws if a file has more parts than a picture needs. */
export function requireFewParts(count: number): void {
  if (count > maxParts) throw new BrokenPictureError('has too many parts')
}

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
