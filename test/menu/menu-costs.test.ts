import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test } from 'vitest'
import { rateLimits } from '../../src/http/rate-limit.ts'
import { createVenue } from '../support/api.ts'
import { createCatalogue, load } from '../support/catalogue.ts'
import { createEdge, restoreTime } from '../support/kv.ts'

/** The limits hold, and the cache is in use: the Worker as it is deployed. */
const edge = createEdge({ ALLOW_INSECURE_WEBHOOKS: undefined })
afterEach(restoreTime)

let addresses = 0
/** Requests from an address of its own. */
function createVisitor() {
  const address = `203.0.114.${++addresses}`
  const ask = (path: string, headers: Record<string, string> = {}) =>
    edge.fetch(path, { headers: { 'cf-connecting-ip': address, ...headers } })
  return { address, ask }
}
/** The same from an address that the platform's own limiter has refused. */
async function createLimitedVisitor() {
  const visitor = createVisitor()
  await Promise.all(
    Array.from({ length: rateLimits.MISSES.limit * 2 }, () => env.MISSES?.limit({ key: visitor.address })),
  )
  await visitor.ask('/t/not%20a%20code')
  edge.used()
  return visitor
}
const many = <Value>(count: number, make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
const statusesOf = (answers: readonly { status: number }[]) => [...new Set(answers.map(({ status }) => status))]
const unknownCode = (index: number) => `${addresses}`.padStart(4, '0') + String(index).padStart(12, '0')
const used = async () => {
  await edge.settle()
  return edge.used()
}

describe('an address that is limited', () => {
  test('causes at most one read of D1 by 100 merchants that do not exist', async () => {
    const visitor = await createLimitedVisitor()
    const answers = await many(100, (index) => visitor.ask(`/m/mer_${String(index).padStart(26, '0')}`))
    expect(statusesOf(answers)).toEqual([429])
    const data = await visitor.ask(`/m/mer_${'1'.repeat(26)}.json`)
    expect([data.status, data.body.code]).toEqual([429, 'rate_limited'])
    expect((await used()).trips).toBeLessThanOrEqual(1)
  })

  test('reads the menu of a venue that there is', async () => {
    const venue = await createVenue()
    const visitor = await createLimitedVisitor()
    expect((await visitor.ask(`/m/${venue.id}`)).status).toBe(200)
    expect((await visitor.ask(`/m/${venue.id}.json`)).status).toBe(200)
    expect((await used()).trips).toBe(1)
  })

  test('reads no other moment of a menu that the isolate does not have', async () => {
    const venue = await createVenue()
    const visitor = await createLimitedVisitor()
    expect((await visitor.ask(`/m/${venue.id}?at=1795251600`)).status).toBe(429)
    expect((await used()).trips).toBe(0)
    expect((await visitor.ask(`/m/${venue.id}`)).status).toBe(200)
    expect((await visitor.ask(`/m/${venue.id}?at=1795251600`)).status).toBe(200)
    expect((await used()).trips).toBe(1)
  })
})

describe('the hosted menu', () => {
  const createMenu = async () => {
    const venue = await createVenue({ timezone: 'Europe/Lisbon' })
    await load(venue.post, createCatalogue(12))
    const { body: tag } = await venue.post('/tags', { metadata: [{ key: 'table', value: '4' }] })
    edge.used()
    return { ...venue, tag }
  }

  test('is read from D1 at most twice for 200 requests at once, whatever their parameters', async () => {
    const { id, tag } = await createMenu()
    const { ask } = createVisitor()
    const variants = [
      (n: number) => `?utm_source=${n}`,
      (n: number) => `?x=${n}`,
      (n: number) => `?at=${1_795_251_600 + n * 600}`,
      (n: number) => `?tag=${tag.id}&n=${n}`,
      (n: number) => `?lang=${['de', 'fr', 'xx', 'en-GB', 'zz-ZZ'][n % 5]}`,
    ]
    const answers = await many(200, (n) => ask(`/m/${id}${n % 2 ? '' : '.json'}${variants[n % 5]?.(n)}`))
    expect(statusesOf(answers)).toEqual([200])
    // Those about now and those about another moment, which all came at once.
    expect((await used()).trips).toBeLessThanOrEqual(2)
    for (let n = 0; n < 10; n++) expect((await ask(`/m/${id}?at=${n}`)).status).toBe(200)
    expect((await used()).trips).toBe(0)
  })

  test('costs one miss for 100 moments of a menu that are asked about at once', async () => {
    const { id } = await createMenu()
    let misses = 0
    const MISSES = {
      limit: async () => {
        misses++
        return { success: true }
      },
    }
    const counting = createEdge({ ALLOW_INSECURE_WEBHOOKS: undefined, MISSES })
    const answers = await many(100, (n) => counting.fetch(`/m/${id}?at=${n}`))
    expect([statusesOf(answers), counting.used().trips]).toEqual([[200], 1])
    expect(misses).toBe(1)
  })

  test('is read from D1 for a tag that nobody knows as often as the address may miss', async () => {
    const { id } = await createMenu()
    const visitor = await createLimitedVisitor()
    const answers = await many(100, (n) => visitor.ask(`/m/${id}?tag=${unknownCode(n)}`))
    expect(statusesOf(answers)).toEqual([200])
    // The menu, and at most one unknown tag.
    expect((await used()).trips).toBeLessThanOrEqual(2)
  })

  test('is that of the moment asked about, also where it comes from memory', async () => {
    const venue = await createVenue({ timezone: 'UTC' })
    await venue.post('/menus', { title: 'Breakfast', begin: '0700', end: '1100' })
    await venue.post('/menus', { title: 'Supper', begin: '1800', end: '2200' })
    const { ask } = createVisitor()
    edge.used()
    const titles = async (time: string) =>
      (await ask(`/m/${venue.id}.json?at=2026-11-21T${time}:00Z`)).body.menus.map(
        ({ title }: { title: string }) => title,
      )
    expect([await titles('08:00'), await titles('12:00'), await titles('19:00')]).toEqual([
      ['Breakfast'],
      [],
      ['Supper'],
    ])
    expect((await used()).trips).toBe(1)
  })
})
