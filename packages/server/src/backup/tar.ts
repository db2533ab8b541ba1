import { once } from 'node:events'
import type { Writable } from 'node:stream'

const blockBytes = 512
const maxNameBytes = 100
const fileMode = '0000600'

/** A number as octal digits, as headers have it. */
const toOctal = (value: number, length: number) => value.toString(8).padStart(length, '0')
const padding = (bytes: number) => (blockBytes - (bytes % blockBytes)) % blockBytes

/** The header of a file (POSIX ustar). */
function createHeader(name: string, bytes: number, seconds: number): Buffer {
  if (Buffer.byteLength(name) > maxNameBytes) throw new Error(`the name ${name} is too long`)
  const header = Buffer.alloc(blockBytes)
  const fields: readonly (readonly [number, string])[] = [
    [0, name],
    [100, fileMode],
    [108, toOctal(0, 7)],
    [116, toOctal(0, 7)],
    [124, toOctal(bytes, 11)],
    [136, toOctal(seconds, 11)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\0' + '00'],
  ]
  for (const [offset, text] of fields) header.write(text, offset, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${toOctal(sum, 6)}\0 `, 148, 'latin1')
  return header
}

/** Reads all of a content into memory. */
export async function readAll(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function write(target: Writable, chunk: Uint8Array): Promise<void> {
  if (!target.write(chunk)) await once(target, 'drain')
}

/** Appends a file to an archive. */
export async function appendFile(
  target: Writable,
  { name, bytes, seconds }: { name: string; bytes: number; seconds: number },
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  await write(target, createHeader(name, bytes, seconds))
  let written = 0
  for await (const chunk of content) {
    written += chunk.length
    await write(target, chunk)
  }
  if (written !== bytes) throw new Error(`${name} changed while it was read`)
  await write(target, Buffer.alloc(padding(bytes)))
}

/** Ends an archive. */
export const appendEnd = (target: Writable) => write(target, Buffer.alloc(2 * blockBytes))

/** A file of an archive. Its content must be read before the next file. */
export interface ArchivedFile {
  name: string
  bytes: number
  content: AsyncIterable<Buffer>
}

/** Reads the files of an archive in order. Throws if it ends early. */
export async function* readArchive(source: AsyncIterable<Buffer>): AsyncGenerator<ArchivedFile> {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  /** Returns the next bytes, up to a number of them. */
  async function take(maxBytes: number): Promise<Buffer> {
    if (rest.length === 0) {
      const { done, value } = await chunks.next()
      if (done) throw new Error('the file is not complete')
      rest = value
    }
    const taken = rest.subarray(0, maxBytes)
    rest = rest.subarray(taken.length)
    return taken
  }
  async function* takeAll(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      const chunk = await take(left)
      left -= chunk.length
      if (chunk.length > 0) yield chunk
    }
  }
  for (;;) {
    const header = await readAll(takeAll(blockBytes))
    if (header.every((byte) => byte === 0)) return
    const read = (offset: number, length: number) =>
      header.toString('latin1', offset, offset + length).replace(/[\0 ].*$/s, '')
    const [name, bytes] = [read(0, maxNameBytes), Number.parseInt(read(124, 12), 8)]
    if (read(257, 5) !== 'ustar' || !Number.isSafeInteger(bytes)) throw new Error('the file is not a backup')
    yield { name, bytes, content: takeAll(bytes) }
    await readAll(takeAll(padding(bytes)))
  }
}
