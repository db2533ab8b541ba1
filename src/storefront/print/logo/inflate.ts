import { letOthersRun } from '../../../platform/lib/step-budget.ts'

/** Bytes that are given to the decoder at once. It makes at most 1,032 times as many of them, about 4 MiB. */
const pieceBytes = 4_096

function* toPieces(parts: readonly Uint8Array[]): Iterable<Uint8Array> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += pieceBytes) yield part.subarray(at, at + pieceBytes)
  }
}

/**
 * Decompresses bytes in the zlib format, up to a number of bytes. Gives the decoder a piece only when it has returned what it made of the
 * ones before, so that a small file cannot fill the memory.
 */
export async function* inflateAtMost(parts: readonly Uint8Array[], maxBytes: number): AsyncGenerator<Uint8Array, void> {
  const stream = new DecompressionStream('deflate')
  const [writer, reader] = [stream.writable.getWriter(), stream.readable.getReader()]
  /** The reader has the error too. */
  const ignore = () => undefined
  let left = maxBytes
  let reading = reader.read()
  /** Bytes that the decoder has made. With `untilEnd` waits for its end, otherwise only as long as it has some. */
  async function* readMade(untilEnd: boolean): AsyncGenerator<Uint8Array, void> {
    while (left > 0) {
      const result = await (untilEnd ? reading : Promise.race([reading, letOthersRun()]))
      if (!result || result.done) return
      const bytes = result.value.subarray(0, left)
      left -= bytes.length
      reading = reader.read()
      yield bytes
    }
  }
  try {
    for (const piece of toPieces(parts)) {
      writer.write(piece).catch(ignore)
      yield* readMade(false)
      if (left <= 0) return
    }
    writer.close().catch(ignore)
    yield* readMade(true)
  } finally {
    reading.catch(ignore)
    reader.cancel().catch(ignore)
    writer.abort().catch(ignore)
  }
}
