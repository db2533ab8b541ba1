import { describe, expect, test } from 'vitest'
import type { TagEntry } from '../../src/scan/entry.ts'
import {
  lastKnown,
  leading,
  note,
  noteVenue,
  recall,
  remember,
  rememberAbsent,
  staleSeconds,
} from '../../src/scan/memory.ts'

const place = { version: 1, timezone: 'UTC', orderingUrl: 'https://o.example/{tag}/{metadata.v}' }
let made = 0
/** A tag of a merchant of its own, at a version that can be seen in its target. */
function createTag() {
  const id = `tag_${made++}`
  return (version: number, gone = false): TagEntry => ({
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
  const recalled = recall([name], nowMs)
  return typeof recalled === 'object' ? recalled.target?.split('/').at(-1) : recalled
}

describe('an isolate', () => {
  test('goes by a change and not by an answer that was on its way before', () => {
    const tag = createTag()
    remember('a', leading(tag(1), place), Date.now())
    note(['a'], tag(2))
    expect(remember('a', leading(tag(1), place), Date.now()).tag.version).toBe(2)
    expect(targetOf('a')).toBe('2')
  })

  test('goes by the newest of changes that overtake each other', () => {
    const tag = createTag()
    remember('b', leading(tag(1), place), Date.now())
    for (const version of [3, 2]) note(['b'], tag(version))
    expect(targetOf('b')).toBe('3')
  })

  test('never finds a deleted tag again', () => {
    const tag = createTag()
    note(['c'], tag(2, true))
    note(['c'], tag(9))
    remember('c', leading(tag(9), place), Date.now())
    expect(recall(['c'], Date.now())).toMatchObject({ tag: { gone: true } })
  })

  test('asks where a tag leads of which it knows only that it was changed, also where it has just been told that there is none', () => {
    const tag = createTag()
    rememberAbsent(['d'], Date.now())
    expect(recall(['d'], Date.now())).toBe('unknown')
    note(['d'], tag(1))
    expect(recall(['d'], Date.now())).toBeUndefined()
    expect(lastKnown(['d'], Date.now())).toBeUndefined()
  })

  test('goes by a merchant’s new addresses, and by no older ones', () => {
    const tag = createTag()
    remember('e', leading(tag(1), { ...place, version: 5 }), Date.now())
    noteVenue(tag(1).merchantId, { ...place, version: 4, orderingUrl: 'https://old.example/{tag}' })
    expect(targetOf('e')).toBe('1')
    noteVenue(tag(1).merchantId, { ...place, version: 6, orderingUrl: 'https://new.example/{tag}/new' })
    expect(targetOf('e')).toBe('new')
  })

  test('is not made younger by a change of what it knows', () => {
    const tag = createTag()
    const start = Date.now()
    remember('f', leading(tag(1), place), start)
    note(['f'], tag(2))
    expect(targetOf('f', start + 4_999)).toBe('2')
    expect(targetOf('f', start + 5_000)).toBeUndefined()
    expect(lastKnown(['f'], start + staleSeconds * 1000 - 1)?.tag.version).toBe(2)
    expect(lastKnown(['f'], start + staleSeconds * 1000)).toBeUndefined()
  })

  test('forgets no tag for the many names that somebody tries out, and the oldest of too many tags', () => {
    const tag = createTag()
    remember('g', leading(tag(1), place), Date.now())
    rememberAbsent(
      Array.from({ length: 50_000 }, (_, n) => `guess-${n}`),
      Date.now(),
    )
    expect(targetOf('g')).toBe('1')
    expect(recall(['guess-0'], Date.now())).toBeUndefined()
    expect(recall(['guess-49999'], Date.now())).toBe('unknown')
    for (let n = 0; n < 40_000; n++) remember(`many-${n}`, leading(tag(1), place), Date.now())
    expect(targetOf('g')).toBeUndefined()
    expect(targetOf('many-0')).toBeUndefined()
    expect(targetOf('many-39999')).toBe('1')
  })
})
