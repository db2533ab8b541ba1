import type { TakeSteps } from '../../../platform/lib/step-budget.ts'
import { BrokenPictureError, readLatin1, toDataView } from './bytes.ts'

/** A box of an ISO base media file (ISO/IEC 14496-12). */
export interface AvifBox {
  type: string
  /** Offsets in the file: start of the box, start of its content, and end. */
  start: number
  content: number
  end: number
}

/** The boxes in a range. A box of size 0 extends to the end. */
export function* readBoxes(bytes: Uint8Array, from: number, to: number, takeParts: TakeSteps): Iterable<AvifBox> {
  const view = toDataView(bytes)
  for (let start = from; start < to; ) {
    takeParts()
    const size = view.getUint32(start)
    const isLarge = size === 1
    const end = size === 0 ? to : start + (isLarge ? Number(view.getBigUint64(start + 8)) : size)
    const content = start + (isLarge ? 16 : 8)
    if (end < content || end > to) throw new BrokenPictureError('has a part without an end')
    yield { type: readLatin1(bytes, start + 4, 4), start, content, end }
    start = end
  }
}

/** Reads numbers of one to eight bytes in sequence. Throws `RangeError` at the end of the bytes. */
export class Cursor {
  readonly #view: DataView
  #at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#view = toDataView(bytes)
    this.#at = at
  }

  /** A number of a length in bytes; 0 if the length is 0. */
  read(length: number): number {
    let value = 0
    for (let index = 0; index < length; index++) value = value * 256 + this.#view.getUint8(this.#at++)
    return value
  }
}
