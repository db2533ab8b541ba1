import { concatenate } from './concatenate.ts'

/** Maximum size of a part that is copied first, in bytes. */
const smallBytes = 65_536

/**
 * Joins parts of a file in the file's own memory. Callers must not use the file afterwards. Large parts must be in the order of the file; otherwise
 * the parts are joined in new memory.
 */
export function joinWithin(file: Uint8Array<ArrayBuffer>, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const isInFile = (part: Uint8Array) => part.buffer === file.buffer
  let length = 0
  for (const part of parts) {
    const isLarge = part.length > smallBytes
    if (isLarge && (!isInFile(part) || part.byteOffset - file.byteOffset < length)) return concatenate(parts)
    length += part.length
  }
  if (length > file.length) return concatenate(parts)
  const pieces = parts.map((part) => (part.length > smallBytes ? part : part.slice()))
  let offset = 0
  for (const piece of pieces) {
    // Source and target may overlap: `set` copies as if through a separate buffer.
    file.set(piece, offset)
    offset += piece.length
  }
  return file.subarray(0, length)
}
