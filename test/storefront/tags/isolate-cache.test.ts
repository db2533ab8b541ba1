import { describe, expect, test } from 'vitest'
import {
  applyTagChange,
  applyVenueChange,
  cacheAbsent,
  cacheTag,
  forgetVersion,
  getCachedTag,
  getStaleTag,
  staleTagSeconds,
  toResolved,
} from '../../../src/storefront/tags/isolate-cache.ts'
import type { TagRecord } from '../../../src/storefront/tags/tag-record.ts'

const place = { version: 1, timezone: 'UTC', orderingUrl: 'https://o.example/{tag}/{metadata.v}' }
let made = 0
/** A tag of a merchant of its own, at a version that can be seen in its target. */
function createTag() {
  const id = `tag_${made++}`
  return (version: number, gone = false): TagRecord => ({
    version,
    merchantId: `mer_${id}`,
    id,
    code: id,
    testMode: false,
    nfc: false,
    shown: [['v', `${version}`]],
    gone,
  })
}
const targetOf = (name: string, nowMs = Date.now()) => {
  const recalled = getCachedTag([name], nowMs)
  return typeof recalled === 'object' ? recalled.target?.split('/').at(-1) : recalled
}

describe('an isolate', () => {
  test('forgets a version that the database does not have, but not one that it has seen since', () => {
    const tag = createTag()
    cacheTag('f', toResolved(tag(3), place), Date.now())
    forgetVersion('f', 2)
    expect(targetOf('f')).toBe('3')
    forgetVersion('f', 3)
    expect(cacheTag('f', toResolved(tag(1), place), Date.now()).tag.version).toBe(1)
  })

  test('follows a change, not a response that was under way before it', () => {
    const tag = createTag()
    cacheTag('a', toResolved(tag(1), place), Date.now())
    applyTagChange(['a'], tag(2))
    expect(cacheTag('a', toResolved(tag(1), place), Date.now()).tag.version).toBe(2)
    expect(targetOf('a')).toBe('2')
  })

  test('goes by the newest of changes that overtake each other', () => {
    const tag = createTag()
    cacheTag('b', toResolved(tag(1), place), Date.now())
    for (const version of [3, 2]) applyTagChange(['b'], tag(version))
    expect(targetOf('b')).toBe('3')
  })

  test('finds a deleted tag again only after its restore', () => {
    const tag = createTag()
    applyTagChange(['c'], tag(2, true))
    applyTagChange(['c'], tag(1))
    cacheTag('c', toResolved(tag(9), place), Date.now())
    expect(getCachedTag(['c'], Date.now())).toMatchObject({ tag: { gone: true } })
    applyTagChange(['c'], tag(3))
    expect(getCachedTag(['c'], Date.now())).toBeUndefined()
  })

  test('reads a tag again after its change, also if it was just found to be absent', () => {
    const tag = createTag()
    cacheAbsent(['d'], Date.now())
    expect(getCachedTag(['d'], Date.now())).toBe('unknown')
    applyTagChange(['d'], tag(1))
    expect(getCachedTag(['d'], Date.now())).toBeUndefined()
    expect(getStaleTag(['d'], Date.now())).toBeUndefined()
  })

  test('goes by a merchant’s new addresses, and by no older ones', () => {
    const tag = createTag()
    cacheTag('e', toResolved(tag(1), { ...place, version: 5 }), Date.now())
    applyVenueChange(tag(1).merchantId, { ...place, version: 4, orderingUrl: 'https://old.example/{tag}' })
    expect(targetOf('e')).toBe('1')
    applyVenueChange(tag(1).merchantId, { ...place, version: 6, orderingUrl: 'https://new.example/{tag}/new' })
    expect(targetOf('e')).toBe('new')
  })

  test('does not become younger by a change of its tags', () => {
    const tag = createTag()
    const start = Date.now()
    cacheTag('f', toResolved(tag(1), place), start)
    applyTagChange(['f'], tag(2))
    expect(targetOf('f', start + 4_999)).toBe('2')
    expect(targetOf('f', start + 5_000)).toBeUndefined()
    expect(getStaleTag(['f'], start + staleTagSeconds * 1000 - 1)?.tag.version).toBe(2)
    expect(getStaleTag(['f'], start + staleTagSeconds * 1000)).toBeUndefined()
  })

  test('drops no tag for many unknown names, and drops the oldest of too many tags', () => {
    const tag = createTag()
    cacheTag('g', toResolved(tag(1), place), Date.now())
    cacheAbsent(
      Array.from({ length: 50_000 }, (_, n) => `guess-${n}`),
      Date.now(),
    )
    expect(targetOf('g')).toBe('1')
    expect(getCachedTag(['guess-0'], Date.now())).toBeUndefined()
    expect(getCachedTag(['guess-49999'], Date.now())).toBe('unknown')
    for (let n = 0; n < 40_000; n++) cacheTag(`many-${n}`, toResolved(tag(1), place), Date.now())
    expect(targetOf('g')).toBeUndefined()
    expect(targetOf('many-0')).toBeUndefined()
    expect(targetOf('many-39999')).toBe('1')
  })
})
