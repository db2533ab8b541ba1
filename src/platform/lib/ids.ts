import { crockford } from './encoding/base32.ts'

let lastMs = 0
let sequence = 0
let pool = new Uint32Array(0)
let used = 0

/** 32 random bits. Fetches 1,024 values at once, because every request needs an id. */
function randomBits(): number {
  if (used === pool.length) {
    pool = crypto.getRandomValues(new Uint32Array(1_024))
    used = 0
  }
  return pool[used++] ?? 0
}

const base32 = crockford.toLowerCase()

/** The last `count` base 32 digits of a number of at most 32 bits. */
function toDigits(value: number, count: number): string {
  let text = ''
  for (let shift = 5 * (count - 1); shift >= 0; shift -= 5) text += base32.charAt((value >>> shift) & 31)
  return text
}

/** The 10 digits of an id's time: two zero bits and 48 bits of milliseconds. */
const timeDigits = (ms: number) => toDigits(Math.floor(ms / 2 ** 30), 4) + toDigits(ms % 2 ** 30, 6)

/** The smallest id of a time: sorts before all ids created at or after it, and after all earlier ones. */
export const createIdAt = (prefix: string, ms: number) => `${prefix}_${timeDigits(ms)}${'0'.repeat(16)}`

/** The form of an id with a prefix, for a regular expression. */
export const getIdForm = (prefix: string) => `${prefix}_[0-9a-hjkmnp-tv-z]{26}`

/** The creation time of an id, in milliseconds. */
export const getCreationMs = (id: string): number =>
  [...id.slice(id.indexOf('_') + 1).slice(0, 10)].reduce((ms, digit) => ms * 32 + base32.indexOf(digit), 0)

/**
 * Creates a TypeID (jetify-com/typeid, spec 0.3): the prefix and a UUIDv7 (RFC 9562) in 26 digits. The 12 bits after time and version are a counter
 * within a millisecond. The ids of one isolate therefore sort by creation, even while the Worker's clock stands still.
 */
export function createId(prefix: string): string {
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    lastMs = nowMs
    // Starts in the lower half, so that the counter can increase.
    sequence = randomBits() & 0x7ff
  } else if (++sequence > 0xfff) {
    lastMs++
    sequence = 0
  }
  const middle = (0b0111 << 16) | (sequence << 4) | (0b10 << 2) | (randomBits() & 0b11)
  return `${prefix}_${timeDigits(lastMs)}${toDigits(middle, 4)}${toDigits(randomBits(), 6)}${toDigits(randomBits(), 6)}`
}
