/** Numbers that a list has at first. */
const firstLength = 1024

/** Hashes of keys in lists, eight bytes each: a backup may have millions. */
export class HashedKeys {
  readonly #lists = new Map<string, { hashes: Float64Array; length: number }>()

  /** Adds a hash to a list. */
  add(name: string, hash: number): void {
    const list = this.#lists.get(name) ?? { hashes: new Float64Array(firstLength), length: 0 }
    if (list.length === 0) this.#lists.set(name, list)
    if (list.length === list.hashes.length) {
      const larger = new Float64Array(list.length * 2)
      larger.set(list.hashes)
      list.hashes = larger
    }
    list.hashes[list.length++] = hash
  }

  /** The hashes that a list has more than once, by the names of the lists. */
  findRepeated(): Map<string, ReadonlySet<number>> {
    const repeated = new Map<string, ReadonlySet<number>>()
    for (const [name, { hashes, length }] of this.#lists) {
      const sorted = hashes.subarray(0, length).sort()
      const found = new Set(sorted.filter((hash, index) => index > 0 && hash === sorted[index - 1]))
      if (found.size > 0) repeated.set(name, found)
    }
    return repeated
  }
}
