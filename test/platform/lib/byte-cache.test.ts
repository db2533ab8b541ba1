import { describe, expect, test } from 'vitest'
import { ByteCache, estimateBytes } from '../../../src/platform/lib/byte-cache.ts'
import {
  absentMemoryBytes,
  cacheAbsent,
  cacheTag,
  cacheVenue,
  getCachedTag,
  memoryBytes,
  tagMemoryBytes,
  toResolved,
  venueMemoryBytes,
} from '../../../src/storefront/tags/isolate-cache.ts'

describe('a size', () => {
  test('counts nested strings with two bytes per unit', () => {
    const text = 'ä'.repeat(1_000)
    for (const value of [text, [text], { text }, { list: [{ text }] }]) {
      expect(estimateBytes(value)).toBeGreaterThanOrEqual(2_000)
      expect(estimateBytes(value)).toBeLessThan(2_300)
    }
    expect(estimateBytes({ list: [text, text] })).toBeGreaterThanOrEqual(4_000)
    for (const value of [1, true, null, undefined]) expect(estimateBytes(value)).toBe(8)
  })
})

describe('a cache with a budget in bytes', () => {
  const sized = (maxBytes: number) => new ByteCache<number>(maxBytes, (bytes) => bytes)
  /** Size of an entry with a key of one letter, without its value. */
  const overhead = (() => {
    const cache = sized(1_000)
    cache.set('a', 0)
    return cache.bytes
  })()

  test('accepts an entry of the size of the budget, but no larger one', () => {
    const cache = sized(1_000)
    cache.set('a', 1_000 - overhead)
    expect([cache.get('a'), cache.bytes]).toEqual([1_000 - overhead, 1_000])
    cache.set('b', 1_001 - overhead)
    expect([cache.get('a'), cache.get('b'), cache.size]).toEqual([1_000 - overhead, undefined, 1])
    cache.set('a', 1_001 - overhead)
    expect([cache.get('a'), cache.size, cache.bytes]).toEqual([undefined, 0, 0])
  })

  test('evicts as many of the oldest entries as necessary', () => {
    const cache = sized(10 * overhead)
    for (const key of 'abcdefghij') cache.set(key, 0)
    expect([cache.size, cache.bytes]).toEqual([10, 10 * overhead])
    cache.set('a', 0)
    cache.set('k', overhead)
    expect(cache.entries().map(([key]) => key)).toEqual([...'defghijak'])
    expect(cache.bytes).toBe(10 * overhead)
    cache.delete('k')
    cache.delete('k')
    expect(cache.bytes).toBe(8 * overhead)
    cache.clear()
    expect([cache.size, cache.bytes]).toEqual([0, 0])
  })
})

describe('the memory of an isolate', () => {
  const place = (id: string, filler = '') => ({
    version: 1,
    timezone: 'UTC',
    orderingUrl: `https://o.example/${id}/${filler}`,
  })
  /** A tag with as much metadata as one may have. */
  const createTag = (n: number) => ({
    version: 1,
    merchantId: `mer_${n}`,
    id: `tag_${n}`,
    code: `${n}`.padStart(16, '0'),
    testMode: false,
    nfc: false,
    shown: Array.from({ length: 50 }, (_, key): [string, string] => [`key-${key}`, `${n}`.padEnd(5_000, 'x')]),
    gone: false,
  })

  test('of tags stays within its budget and keeps the newest entries', () => {
    for (let n = 0; n < 200; n++) cacheTag(`big-${n}`, toResolved(createTag(n), place(`${n}`)), Date.now())
    const { tags } = memoryBytes()
    expect(tags).toBeLessThanOrEqual(tagMemoryBytes)
    // 50 values of 5,000 letters are half a megabyte.
    expect(tags).toBeGreaterThan(tagMemoryBytes - 2 * 50 * 5_000 * 2)
    expect(getCachedTag(['big-199'], Date.now())).toBeDefined()
    expect(getCachedTag(['big-0'], Date.now())).toBeUndefined()
  })

  test('of merchants and unknown names stays within its budget', () => {
    for (let n = 0; n < 2_000; n++) cacheVenue(`mer_${n}`, place(`${n}`, 'x'.repeat(2_000)), Date.now())
    cacheAbsent(
      Array.from({ length: 50_000 }, (_, n) => `guess-${n}`),
      Date.now(),
    )
    const { venues, absent } = memoryBytes()
    expect(venues).toBeLessThanOrEqual(venueMemoryBytes)
    expect(venues).toBeGreaterThan(venueMemoryBytes - 8_000)
    expect(absent).toBeLessThanOrEqual(absentMemoryBytes)
    expect(absent).toBeGreaterThan(absentMemoryBytes - 1_000)
  })
})
