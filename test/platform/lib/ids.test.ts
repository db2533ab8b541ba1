import { describe, expect, test, vi } from 'vitest'
import { createKey, getKeyPrefix } from '../../../src/platform/auth/key-format.ts'
import { encodeBase32, randomBase32 } from '../../../src/platform/lib/encoding/base32.ts'
import { crc32 } from '../../../src/platform/lib/encoding/crc32.ts'
import { createId } from '../../../src/platform/lib/ids.ts'
import { loadCopy } from '../../support/module-copy.ts'

const utf8 = new TextEncoder()
const hex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))

describe('base 32', () => {
  test.each([
    ['', ''],
    ['00', '00'],
    ['ff', 'ZW'],
    ['f8', 'Z0'],
    ['0000000000', '00000000'],
    ['ffffffffff', 'ZZZZZZZZ'],
    // "Hello, World!" of crockford32 implementations.
    ['48656c6c6f2c20576f726c6421', '91JPRV3F5GG5EVVJDHJ22'],
    ['00443214c74254b635cf84653a56d7c675be77df', '0123456789ABCDEFGHJKMNPQRSTVWXYZ'],
  ])('of %s is %s', (bytes, text) => expect(encodeBase32(hex(bytes))).toBe(text))

  test('has one digit for five random bits', () => {
    for (const bits of [40, 80, 160]) {
      expect(randomBase32(bits)).toMatch(new RegExp(`^[0-9A-HJKMNP-TV-Z]{${bits / 5}}$`))
      expect(randomBase32(bits)).not.toBe(randomBase32(bits))
    }
  })
})

describe('CRC-32', () => {
  test.each([
    ['', 0],
    ['123456789', 0xcbf43926],
    ['The quick brown fox jumps over the lazy dog', 0x414fa339],
    ['a', 0xe8b7be43],
  ])('of "%s" is the one of zlib', (text, expected) => expect(crc32(utf8.encode(text))).toBe(expected))
})

describe('an id', () => {
  /** TypeID's own alphabet and form: 26 digits, the first of which holds three bits. */
  const digits = '0123456789abcdefghjkmnpqrstvwxyz'
  const decode = (suffix: string) => [...suffix].reduce((sum, digit) => sum * 32n + BigInt(digits.indexOf(digit)), 0n)

  test('is a prefix and a UUIDv7 of now', () => {
    const before = Date.now()
    const [prefix, suffix = ''] = createId('prod').split('_')
    expect([prefix, suffix]).toEqual(['prod', expect.stringMatching(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/)])
    const uuid = decode(suffix)
    expect((uuid >> 76n) & 0xfn).toBe(7n)
    expect((uuid >> 62n) & 3n).toBe(2n)
    expect(Number(uuid >> 80n) - before).toBeGreaterThanOrEqual(0)
    expect(Number(uuid >> 80n) - before).toBeLessThan(1000)
  })

  test('encodes the valid vectors of TypeID', async () => {
    // Another copy, which has not fetched its random bytes yet.
    const { createId } = await loadCopy(() => import('../../../src/platform/lib/ids.ts'))
    vi.useFakeTimers({ toFake: ['Date'], now: 0x0188_bac7_4afa + 10 ** 12 })
    const random = vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => array)
    const [, suffix = ''] = createId('prefix').split('_')
    vi.useRealTimers()
    random.mockRestore()
    // The clock's 48 bits, version 7, a count from 0, variant 2, and no random bits.
    expect(decode(suffix)).toBe((BigInt(0x0188_bac7_4afa + 10 ** 12) << 80n) | (7n << 76n) | (2n << 62n))
    // The spec's vector for this UUID, 0188bac7-4afa-78aa-bc3b-bd1eef28d881.
    expect(decode('01h2xcejqtf2nbrexx3vqjhp41')).toBe(0x0188bac74afa78aabc3bbd1eef28d881n)
  })

  test('sorts after all earlier ids, with thousands per millisecond and a clock that goes back', () => {
    const start = Date.now() + 10 ** 6
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    const ids = Array.from({ length: 10_000 }, () => createId('x'))
    vi.setSystemTime(start - 5000)
    ids.push(createId('x'), createId('x'))
    vi.setSystemTime(start + 60_000)
    ids.push(createId('x'))
    vi.useRealTimers()
    expect(ids).toEqual([...new Set(ids)].sort())
  })
})

describe('a key', () => {
  test('ends with a checksum', () => {
    for (const testMode of [true, false]) {
      const key = createKey(testMode)
      expect(key.startsWith(getKeyPrefix(testMode))).toBe(true)
      const [body, check] = [key.slice(0, -7), key.slice(-7)]
      const sum = crc32(utf8.encode(body)).toString(16).padStart(8, '0')
      expect(check).toBe(encodeBase32(hex(sum)))
      expect(body).toHaveLength(8 + 32)
    }
  })
})
