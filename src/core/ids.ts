import { encodeBase32 } from './base32.ts'

let lastMs = 0
let sequence = 0
let pool = new Uint8Array(0)
let used = 0

/** Random bytes, fetched from the platform a few thousand at a time: every request has an id. */
function randomBytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    pool = crypto.getRandomValues(new Uint8Array(4_096))
    used = 0
  }
  used += count
  return pool.slice(used - count, used)
}

/**
 * A UUIDv7 (RFC 9562) whose 12 bits after the time count up within a millisecond, so that ids made by one isolate
 * sort in the order they were made, also while the clock stands still between two reads or writes.
 */
function uuidv7(nowMs: number): Uint8Array {
  if (nowMs > lastMs) {
    lastMs = nowMs
    const [high = 0, low = 0] = randomBytes(2)
    sequence = ((high & 0x07) << 8) | low
  } else if (++sequence > 0xfff) {
    lastMs++
    sequence = 0
  }
  const bytes = randomBytes(16)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, Math.floor(lastMs / 2 ** 32))
  view.setUint32(2, lastMs % 2 ** 32)
  view.setUint16(6, 0x7000 | sequence)
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80)
  return bytes
}

const typeId = (prefix: string, uuid: Uint8Array) => {
  // TypeID pads two zero bits in front of the 128, where plain base 32 would pad them behind.
  const padded = new Uint8Array(20)
  padded.set(uuid, 4)
  return `${prefix}_${encodeBase32(padded).slice(6).toLowerCase()}`
}

/** Sorts before every id that was made at or after a moment, and behind all made before it. */
export function idAt(prefix: string, ms: number): string {
  const uuid = new Uint8Array(16)
  new DataView(uuid.buffer).setUint16(0, Math.floor(ms / 2 ** 32))
  new DataView(uuid.buffer).setUint32(2, ms % 2 ** 32)
  return typeId(prefix, uuid)
}

/** A TypeID: the prefix and a UUIDv7 in 26 lower-case base 32 digits (jetify-com/typeid, spec 0.3). */
export const createId = (prefix: string) => typeId(prefix, uuidv7(Date.now()))
