import { encodeBase32, randomBase32 } from '../lib/encoding/base32.ts'
import { crc32 } from '../lib/encoding/crc32.ts'

const prefixes = { live: 'sk_live_', test: 'sk_test_' } as const
/** Start of the keys of the operator's programs. */
export const platformKeyPrefix = 'sk_platform_'
/** Start of the keys of a mode. */
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

/** Creates a key: its prefix, random bits, and a checksum over both. */
function createKeyAfter(prefix: string): string {
  const key = prefix + randomBase32(keyBits)
  return key + checksum(key)
}
/** Creates an API key of a merchant, whose prefix is that of its mode. */
export const createKey = (testMode: boolean) => createKeyAfter(getKeyPrefix(testMode))
/** Creates a key of a program of the operator. */
export const createPlatformKey = () => createKeyAfter(platformKeyPrefix)

const keyPattern = /^(sk_(?:live|test|platform)_[0-9A-HJKMNP-TV-Z]{32})([0-9A-HJKMNP-TV-Z]{7})$/
function hasValidForm(key: string): boolean {
  const [, body = '', check] = keyPattern.exec(key) ?? []
  return checksum(body) === check
}

/** Whether a text has the form of a key of a merchant and its checksum is right. */
export const isWellFormedKey = (key: string) => !key.startsWith(platformKeyPrefix) && hasValidForm(key)
/** Whether a text has the form of a platform key and its checksum is right. */
export const isWellFormedPlatformKey = (key: string) => key.startsWith(platformKeyPrefix) && hasValidForm(key)
