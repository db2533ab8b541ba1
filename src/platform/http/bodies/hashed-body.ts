import { bodyTooLarge } from '../exact-json.ts'
import { readChunks } from './read-chunks.ts'

/** A body that is hashed while it passes to its reader, so that no request holds all of it for its `Idempotency-Key`. */
export class HashedBody {
  readonly #body: ReadableStream<Uint8Array> | null
  readonly #maxBytes: number
  readonly #digest = new crypto.DigestStream('SHA-256')
  readonly #writer = this.#digest.getWriter()
  #bytes = 0
  #hash: Promise<ArrayBuffer> | undefined

  constructor({ body }: Request, maxBytes: number) {
    this.#body = body
    this.#maxBytes = maxBytes
  }

  /** The parts of the body. A reader that stops leaves the rest. */
  async *chunks(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of readChunks(this.#body)) {
      this.#bytes += chunk.byteLength
      if (this.#bytes > this.#maxBytes) throw bodyTooLarge(this.#maxBytes)
      await this.#writer.write(chunk)
      yield chunk
    }
  }

  /** Hashes bytes in front of the body. To be called before the body is read. */
  async begin(bytes: Uint8Array): Promise<void> {
    await this.#writer.write(bytes)
  }

  /** The hash. Reads what the reader has left. */
  finish(): Promise<ArrayBuffer> {
    this.#hash ??= this.#finish()
    return this.#hash
  }

  async #finish(): Promise<ArrayBuffer> {
    for await (const _chunk of this.chunks()) {
      // Only hashed.
    }
    await this.#writer.close()
    return this.#digest.digest
  }
}
