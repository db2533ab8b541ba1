/** Overhead of a map entry, an object and a string, in bytes. */
const entryBytes = 64
const objectBytes = 32
const stringBytes = 24

/**
 * Upper estimate of a plain value's heap size, in bytes: two for each UTF-16 unit of a string, and a fixed cost for each object, list and field. A
 * value that occurs twice counts twice.
 */
export function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return stringBytes + 2 * value.length
  if (typeof value !== 'object' || value === null) return 8
  let bytes = objectBytes
  if (Array.isArray(value)) {
    for (const item of value) bytes += 8 + estimateBytes(item)
    return bytes
  }
  for (const item of Object.values(value)) bytes += 16 + estimateBytes(item)
  return bytes
}

/**
 * A cache with a budget in bytes, for values that an isolate keeps between requests. Evicts the oldest entries if a new one does not fit.
 * Does not store an entry larger than the budget. Writing an entry makes it the newest; reading does not.
 */
export class ByteCache<Value> {
  readonly maxBytes: number
  readonly #sizeOf: (value: Value) => number
  readonly #entries = new Map<string, { value: Value; bytes: number }>()
  #bytes = 0
  #clears = 0

  constructor(maxBytes: number, sizeOf: (value: Value) => number = estimateBytes) {
    this.maxBytes = maxBytes
    this.#sizeOf = sizeOf
  }

  /** Estimated size of all entries, at most `maxBytes`. */
  get bytes(): number {
    return this.#bytes
  }

  /** Number of calls of `clear`. A value that was read before the last call must not be stored. */
  get clears(): number {
    return this.#clears
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value
  }

  set(key: string, value: Value): void {
    this.delete(key)
    const bytes = entryBytes + estimateBytes(key) + this.#sizeOf(value)
    if (bytes > this.maxBytes) return
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes + bytes <= this.maxBytes) break
      this.delete(oldest)
    }
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
    this.#clears++
  }

  /** A copy of the entries, which may be changed during an iteration. */
  entries(): [string, Value][] {
    return Array.from(this.#entries, ([key, { value }]) => [key, value])
  }
}
