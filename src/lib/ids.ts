import { crockford } from './encoding/base32.ts'

let lastMs = 0
let sequence = 0
let pool = new Uint32Array(0)
let used = 0

/** 32 random bits, fetched from the platform by the thousand: every request has an id. */
function randomBits(): number {
  if (used === pool.length) {
    pool = crypto.getRandomValues(new Uint32Array(1_024))
    used = 0
  }
  return pool[used++] ?? 0
}

const base32 = crockford.toLowerCase()

/** The last digits of a number of at most 32 bits, five bits each. */
function toDigits(value: number, count: number): string {
  let text = ''
  for (let shift = 5 * (count - 1); shift >= 0; shift -= 5) text += base32.charAt((value >>> shift) & 31)
  return text
}

/** The time that an id begins with: milliseconds in 48 bits, behind two that are zero. */
const timeDigits = (ms: number) => toDigits(Math.floor(ms / 2 ** 30), 4) + toDigits(ms % 2 ** 30, 6)

/** Sorts before every id that was made at or after a moment, and behind all made before it. */
export const createIdAt = (prefix: string, ms: number) => `${prefix}_${timeDigits(ms)}${'0'.repeat(16)}`

/** When an id was made, in milliseconds. */
export const toTimeDigits = (id: string): number =>
  [...id.slice(id.indexOf('_') + 1).slice(0, 10)].reduce((ms, digit) => ms * 32 + base32.indexOf(digit), 0)

/**
 * A TypeID (jetify-com/typeid, spec 0.3): the prefix and a UUIDv7 (RFC 9562) in 26 digits. The 12 bits after time and version count up
 * within a millisecond, so that ids made by one isolate sort in the order they were made, also while the clock stands still between
 * two reads or writes.
 */
export function createId(prefix: string): string {
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    lastMs = nowMs
    // Half of the numbers are left to count up into.
    sequence = randomBits() & 0x7ff
  } else if (++sequence > 0xfff) {
    lastMs++
    sequence = 0
  }
  const middle = (0b0111 << 16) | (sequence << 4) | (0b10 << 2) | (randomBits() & 0b11)
  return `${prefix}_${timeDigits(lastMs)}${toDigits(middle, 4)}${toDigits(randomBits(), 6)}${toDigits(randomBits(), 6)}`
}
