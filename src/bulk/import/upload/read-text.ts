import { ApiError, invalid } from '../../../platform/errors.ts'
import { letOthersRun } from '../../../platform/lib/step-budget.ts'

/** Number of bytes that are decoded before other requests run. */
const pieceBytes = 262_144

/** Length of an incomplete character at the end, in bytes. */
function countIncomplete(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

/** Range of the second byte of a character, and the number of bytes after the first. Undefined if a character cannot start with this byte. */
function getSequence(first: number): { length: number; min: number; max: number } | undefined {
  if (first >= 0xc2 && first <= 0xdf) return { length: 1, min: 0x80, max: 0xbf }
  if (first >= 0xe0 && first <= 0xef) {
    return { length: 2, min: first === 0xe0 ? 0xa0 : 0x80, max: first === 0xed ? 0x9f : 0xbf }
  }
  if (first >= 0xf0 && first <= 0xf4) {
    return { length: 3, min: first === 0xf0 ? 0x90 : 0x80, max: first === 0xf4 ? 0x8f : 0xbf }
  }
  return undefined
}

/** Offset of the first byte that is NUL or not part of a character in UTF-8. */
function findInvalid(bytes: Uint8Array): number {
  let offset = 0
  while (offset < bytes.length) {
    const first = bytes[offset] ?? 0
    if (first === 0) return offset
    if (first < 0x80) {
      offset++
      continue
    }
    const sequence = getSequence(first)
    if (!sequence) return offset
    for (let index = 1; index <= sequence.length; index++) {
      const byte = bytes[offset + index] ?? 0
      const { min, max } = index === 1 ? sequence : { min: 0x80, max: 0xbf }
      if (byte < min || byte > max) return offset
    }
    offset += sequence.length + 1
  }
  return offset
}

const notUtf8 = (offset: number) =>
  invalid([{ pointer: '', code: 'invalid_character', message: `is not text in UTF-8 at byte ${offset}` }])

const fileTooLarge = (maxBytes: number) =>
  new ApiError('body_too_large', `The file has more than ${maxBytes.toLocaleString('en')} bytes.`)

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** Throws if the `Content-Length` exceeds the maximum. */
export function requireFileSize({ headers }: Request, maxBytes: number): void {
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw fileTooLarge(maxBytes)
}

/**
 * Decodes a stream as UTF-8, without a byte order mark. Throws `body_too_large` when it exceeds the maximum, and `invalid_request` with
 * the offset of the first byte that is not UTF-8.
 */
export async function* readText(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let pending = new Uint8Array()
  let offset = 0
  let isFirst = true
  const decode = (bytes: Uint8Array) => {
    const fail = () => notUtf8(offset + findInvalid(bytes))
    let text: string
    try {
      text = decoder.decode(bytes)
    } catch {
      throw fail()
    }
    if (text.includes('\0')) throw fail()
    offset += bytes.length
    if (!isFirst || text === '') return text
    isFirst = false
    return text.replace(/^\uFEFF/, '')
  }
  for await (const chunk of stream) {
    if (offset + pending.length + chunk.length > maxBytes) throw fileTooLarge(maxBytes)
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      // A file in memory arrives in one piece.
      if (start > 0) await letOthersRun()
      const bytes = concat(pending, chunk.subarray(start, start + pieceBytes))
      const end = bytes.length - countIncomplete(bytes)
      yield decode(bytes.subarray(0, end))
      pending = bytes.slice(end)
    }
  }
  if (pending.length > 0) throw notUtf8(offset)
}
