import { Unzip, UnzipInflate } from 'fflate'
import { ApiError } from '../../../platform/errors.ts'
import { unsupported } from '../kind.ts'

/** Maximum number of bytes of all parts of a spreadsheet that are read, after inflating them. */
export const maxInflatedBytes = 64 * 1024 * 1024

/** Number of bytes that are inflated at once. A byte becomes about 1,000 at most. */
const pieceBytes = 4_096

/** Counts inflated bytes, and throws `body_too_large` beyond the limit. */
export function createInflatedCounter() {
  let total = 0
  return (bytes: number) => {
    total += bytes
    if (total <= maxInflatedBytes) return
    throw new ApiError(
      'body_too_large',
      `A spreadsheet has at most ${maxInflatedBytes.toLocaleString('en')} bytes after unpacking.`,
    )
  }
}

/**
 * Inflates the wanted files of a zip archive. `onText` gets their texts in pieces. A file that is not wanted is not inflated. Returns the names of
 * all files.
 */
export function unzip(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
  onText: (name: string, text: string) => void,
  count: (bytes: number) => void,
): ReadonlySet<string> {
  const names = new Set<string>()
  let failure: unknown
  const archive = new Unzip((file) => {
    names.add(file.name)
    if (!isWanted(file.name)) return
    const decoder = new TextDecoder()
    file.ondata = (error, data, isLast) => {
      if (error) failure ??= error
      if (failure !== undefined) return
      count(data.length)
      onText(file.name, decoder.decode(data, { stream: !isLast }))
    }
    file.start()
  })
  archive.register(UnzipInflate)
  try {
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      archive.push(bytes.subarray(start, start + pieceBytes), start + pieceBytes >= bytes.length)
      if (failure !== undefined) throw failure
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw unsupported('is a spreadsheet or an archive that is damaged. Save it again')
  }
  return names
}
