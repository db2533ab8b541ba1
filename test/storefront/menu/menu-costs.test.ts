import { afterEach, describe, expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { createCatalogue, load } from '../../support/catalogue.ts'
import { multiply, observe, rowsRead } from '../../support/d1.ts'
import { createTestWorker, restoreTime } from '../../support/test-worker.ts'
import { createVisitors, many, statusesOf } from '../../support/visitors.ts'

/** The deployed Worker, with rate limits and cache. */
const worker = createTestWorker({ ALLOW_INSECURE_WEBHOOKS: undefined })
afterEach(restoreTime)

const { createVisitor, createLimitedVisitor, unknownCode, used } = createVisitors(worker, '203.0.114')

describe('a limited address', () => {
  test('causes at most one D1 read with 100 unknown merchants', async () => {
    const visitor = await createLimitedVisitor()
    const responses = await many(100, (index) => visitor.request(`/m/mer_${String(index).padStart(26, '0')}`))
    expect(statusesOf(responses)).toEqual([429])
    const data = await visitor.request(`/m/mer_${'1'.repeat(26)}.json`)
    expect([data.status, data.body.code]).toEqual([429, 'rate_limited'])
    expect((await used()).trips).toBeLessThanOrEqual(1)
  })

  test('can read the menu of an existing venue', async () => {
    const venue = await createVenue()
    const visitor = await createLimitedVisitor()
    expect((await visitor.request(`/m/${venue.id}`)).status).toBe(200)
    expect((await visitor.request(`/m/${venue.id}.json`)).status).toBe(200)
    expect((await used()).trips).toBe(1)
  })

  test('cannot read another time of a menu that is not cached', async () => {
    const venue = await createVenue()
    const visitor = await createLimitedVisitor()
    expect((await visitor.request(`/m/${venue.id}?at=1795251600`)).status).toBe(429)
    expect((await used()).trips).toBe(0)
    expect((await visitor.request(`/m/${venue.id}`)).status).toBe(200)
    expect((await visitor.request(`/m/${venue.id}?at=1795251600`)).status).toBe(200)
    expect((await used()).trips).toBe(1)
  })
})

describe('the hosted menu', () => {
  const createMenu = async () => {
    const venue = await createVenue({ timezone: 'Europe/Lisbon' })
    await load(venue.post, createCatalogue(12))
    const { body: tag } = await venue.post('/tags', { metadata: [{ key: 'table', value: '4' }] })
    worker.used()
    return { ...venue, tag }
  }

  test('is read from D1 at most twice for 200 concurrent requests', async () => {
    const { id, tag } = await createMenu()
    const { request } = createVisitor()
    const variants = [
      (n: number) => `?utm_source=${n}`,
      (n: number) => `?x=${n}`,
      (n: number) => `?at=${1_795_251_600 + n * 600}`,
      (n: number) => `?tag=${tag.id}&n=${n}`,
      (n: number) => `?lang=${['de', 'fr', 'xx', 'en-GB', 'zz-ZZ'][n % 5]}`,
    ]
    const responses = await many(200, (n) => request(`/m/${id}${n % 2 ? '' : '.json'}${variants[n % 5]?.(n)}`))
    expect(statusesOf(responses)).toEqual([200])
    // Requests about now and about another time, which arrive at once.
    expect((await used()).trips).toBeLessThanOrEqual(2)
    for (let n = 0; n < 10; n++) expect((await request(`/m/${id}?at=${n}`)).status).toBe(200)
    expect((await used()).trips).toBe(0)
  })

  test('costs one miss for 100 concurrent requests with different times', async () => {
    const { id } = await createMenu()
    let misses = 0
    const MISSES = {
      limit: async () => {
        misses++
        return { success: true }
      },
    }
    const counting = createTestWorker({ ALLOW_INSECURE_WEBHOOKS: undefined, MISSES })
    const responses = await many(100, (n) => counting.fetch(`/m/${id}?at=${n}`))
    expect([statusesOf(responses), counting.used().trips]).toEqual([[200], 1])
    expect(misses).toBe(1)
  })

  test('is read from D1 for unknown tags up to the limit on misses', async () => {
    const { id } = await createMenu()
    const visitor = await createLimitedVisitor()
    const responses = await many(100, (n) => visitor.request(`/m/${id}?tag=${unknownCode(n)}`))
    expect(statusesOf(responses)).toEqual([200])
    // The menu, and at most one unknown tag.
    expect((await used()).trips).toBeLessThanOrEqual(2)
  })

  test('is that of the requested time, from the cache too', async () => {
    const venue = await createVenue({ timezone: 'UTC' })
    await venue.post('/menus', { title: 'Breakfast', begin: '0700', end: '1100' })
    await venue.post('/menus', { title: 'Supper', begin: '1800', end: '2200' })
    const { request } = createVisitor()
    worker.used()
    const titles = async (time: string) =>
      (await request(`/m/${venue.id}.json?at=2026-11-21T${time}:00Z`)).body.menus.map(
        ({ title }: { title: string }) => title,
      )
    expect([await titles('08:00'), await titles('12:00'), await titles('19:00')]).toEqual([
      ['Breakfast'],
      [],
      ['Supper'],
    ])
    expect((await used()).trips).toBe(1)
  })

  test('reads a bounded number of rows for each dish, and none for modifiers of a venue without any', async () => {
    const venue = await createVenue()
    const { body: dish } = await venue.post('/products', { title: 'Soup', price: 1 })
    await multiply('products', dish.id, 59)
    const { body: dishes } = await venue.get('/products?limit=100')
    const items = dishes.map(({ id }: { id: string }) => id)
    await venue.post('/menus', { title: 'All day', sections: [{ title: 'Dishes', items }] })
    const read = async () => rowsRead((await observe('GET', `/m/${venue.id}`)).trips)
    const rows = await read()
    expect([items.length, rows]).toEqual([60, expect.toSatisfy((count: number) => count > 60 && count <= 384)])
    await venue.post('/modifiers', { title: 'Milk', instructions: '' })
    // Which of the dishes have modifiers.
    expect((await read()) - rows).toBeLessThanOrEqual(3 * 60 + 4)
  })
})
