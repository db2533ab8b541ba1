import { encodeBase32, randomBase32 } from '../lib/encoding/base32.ts'
import { crc32 } from '../lib/encoding/crc32.ts'

const prefixes = { live: 'sk_live_', test: 'sk_test_' } as const
export const getKeyPrefix = (testMode: boolean) => prefixes[testMode ? 'test' : 'live']

/** Random bits of a key. */
const keyBits = 160

const utf8 = new TextEncoder()

/** Seven base 32 digits that detect typos and guesses without a database query. */
function checksum(text: string): string {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, crc32(utf8.encode(text)))
  return encodeBase32(bytes)
}

/** Creates an API key: its mode, random bits, and a checksum over both. */
export function createKey(testMode: boolean): string {
  const key = getKeyPrefix(testMode) + randomBase32(keyBits)
  return key + checksum(key)
}

const keyPattern = /^(sk_(?:live|test)_[0-9A-HJKMNP-TV-Z]{32})([0-9A-HJKMNP-TV-Z]{7})$/

/** Whether a text has the form of a key and its checksum is right. */
export function isWellFormedKey(key: string): boolean {
  const [, body = '', check] = keyPattern.exec(key) ?? []
  return checksum(body) === check
}
