import { bodyTooLarge } from '../exact-json.ts'

/** A body that is hashed while it is read, so that a request with an `Idempotency-Key` never holds all of it. */
export class HashedBody {
  readonly #read: () => AsyncIterable<Uint8Array>
  readonly #maxBytes: number
  readonly #digest = new crypto.DigestStream('SHA-256')
  readonly #writer = this.#digest.getWriter()
  #bytes = 0
  #hash: Promise<ArrayBuffer> | undefined

  /** `read` returns the part of the body that was not read before. */
  constructor(read: () => AsyncIterable<Uint8Array>, maxBytes: number) {
    this.#read = read
    this.#maxBytes = maxBytes
  }

  /** The parts of the body. A reader that stops leaves the rest. */
  async *chunks(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of this.#read()) {
      this.#bytes += chunk.byteLength
      if (this.#bytes > this.#maxBytes) throw bodyTooLarge(this.#maxBytes)
      await this.#writer.write(chunk)
      yield chunk
    }
  }

  /** Hashes bytes before those of the body. Call it before the body is read. */
  async begin(bytes: Uint8Array): Promise<void> {
    await this.#writer.write(bytes)
  }

  /** Returns the hash. Reads the part that the reader has left. */
  finish(): Promise<ArrayBuffer> {
    this.#hash ??= this.#finish()
    return this.#hash
  }

  async #finish(): Promise<ArrayBuffer> {
    for await (const _chunk of this.chunks()) {
      // These bytes are only hashed.
    }
    await this.#writer.close()
    return this.#digest.digest
  }
}
