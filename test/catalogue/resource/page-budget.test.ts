import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Database } from '../../../src/platform/db/database.ts'
import { pageBytes } from '../../../src/platform/db/page-budget.ts'
import { type ApiResponse, createVenue, send } from '../../support/api.ts'
import { multiply } from '../../support/d1.ts'
import { spread } from '../../support/rounds.ts'

afterEach(() => vi.restoreAllMocks())

const utf8 = new TextEncoder()
const bytesOf = (value: unknown) => utf8.encode(JSON.stringify(value)).length
const nextOf = ({ headers }: ApiResponse) => /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]

/** All pages of a list: its objects, the bytes of each page, the round trips for each, and the bytes of each one. */
async function walk(path: string, key: string) {
  const objects: { id?: string; eventId?: string }[] = []
  const [pages, trips, read]: number[][] = [[], [], []]
  for (let next: string | undefined = path; next !== undefined; ) {
    const run = vi.spyOn(Database.prototype, 'run')
    const page: ApiResponse = await send(next, { headers: { authorization: `Bearer ${key}` } })
    expect([page.status, page.body.length > 0]).toEqual([200, true])
    const results = await Promise.all(run.mock.results.map(({ value }) => value))
    run.mockRestore()
    objects.push(...page.body)
    pages?.push(bytesOf(page.body))
    trips?.push(results.length)
    read?.push(...results.map((rows) => bytesOf(rows)))
    next = nextOf(page)
  }
  return { objects, pages: pages ?? [], trips: trips ?? [], read: read ?? [] }
}

const isOnce = (ids: readonly unknown[], count: number) => [new Set(ids).size, ids.length].every((n) => n === count)

/** The response of the database is JSON, which contains JSON columns as text. */
const answeredBytes = 1.5 * pageBytes

const metadata = (count: number, length: number) =>
  Array.from({ length: count }, (_, n) => ({ key: `k${n}`, value: 'x'.repeat(length) }))

describe('a page ends before it exceeds its budget in bytes', () => {
  test.each(['desc', 'asc'])('with objects of 240 KB, %s: each is returned once', async (order) => {
    const venue = await createVenue()
    const product = { title: 'Tea', price: 1, metadata: metadata(48, 5_000) }
    const { id } = (await venue.post('/products', product)).body
    await multiply('products', id, 39)
    for (const limit of spread([100, 50, 7], 2)) {
      const { objects, pages, trips, read } = await walk(
        venue.path(`/products?limit=${limit}&order=${order}`),
        venue.key,
      )
      expect(
        isOnce(
          objects.map(({ id }) => id),
          40,
        ),
      ).toBe(true)
      expect(objects.every((object) => bytesOf(object) > 240_000)).toBe(true)
      for (const bytes of pages) expect(bytes).toBeLessThanOrEqual(pageBytes)
      expect(pages.length).toBe(limit === 7 ? 6 : 3)
      for (const count of trips) expect(count).toBeLessThanOrEqual(2)
      for (const bytes of read) expect(bytes).toBeLessThanOrEqual(answeredBytes)
    }
  })

  test('with a few large objects, which are returned whole', async () => {
    const venue = await createVenue()
    const { id: small } = (await venue.post('/menus', { title: 'Small' })).body
    await multiply('menus', small, 99)
    const sections = Array.from({ length: 20 }, (_, n) => ({
      title: `${n} ${'x'.repeat(250)}`,
      description: 'd'.repeat(5_000),
    }))
    const { body: large } = await venue.post('/menus', { title: 'Large', sections })
    const { status, body, headers } = await venue.get('/menus?limit=100')
    expect([status, body.length, headers.has('link')]).toEqual([200, 100, true])
    expect(body[0]).toEqual(large)
    expect((await venue.get(`/menus?ids=${large.id},${small}`)).body).toEqual([
      large,
      expect.objectContaining({ id: small }),
    ])
  })

  test('with texts that are larger as JSON than stored', async () => {
    const venue = await createVenue()
    const images = Array.from({ length: 10 }, () => ({ url: `https://images.example.com/${'x'.repeat(1_000)}` }))
    const fields = { title: 'Tea', price: 1, description: '\u0001'.repeat(5_000), metadata: metadata(2, 4_900), images }
    const { id } = (await venue.post('/products', fields)).body
    await multiply('products', id, 99)
    const { objects, pages, trips } = await walk(venue.path('/products?limit=100'), venue.key)
    expect(
      isOnce(
        objects.map(({ id }) => id),
        100,
      ),
    ).toBe(true)
    for (const bytes of pages) expect(bytes).toBeLessThanOrEqual(pageBytes)
    expect([pages.length, Math.max(...trips)]).toEqual([2, 1])
  })

  test('in the list of events', async () => {
    const venue = await createVenue()
    const data = { text: 'x'.repeat(250_000) }
    const ids = []
    for (let n = 0; n < 20; n++) {
      ids.push((await venue.post('/events', { type: 'order.created', data })).body.id)
      await venue.post('/events', { type: 'order.created', data: { n } })
    }
    const { objects, pages, trips, read } = await walk(venue.path('/events?limit=100'), venue.key)
    expect(
      isOnce(
        objects.map(({ id }) => id),
        40,
      ),
    ).toBe(true)
    expect(ids.every((id) => objects.some((event) => event.id === id))).toBe(true)
    expect([pages.length, Math.max(...trips)]).toEqual([2, 2])
    for (const bytes of pages) expect(bytes).toBeLessThanOrEqual(pageBytes)
    for (const bytes of read) expect(bytes).toBeLessThanOrEqual(answeredBytes)
  })

  test('in the log of deliveries', async () => {
    const venue = await createVenue()
    const { id: event } = (await venue.post('/events', { type: 'order.created', data: {} })).body
    await multiply('events', event, 39, { seq: 'seq + n' })
    const { id } = (await venue.post('/webhooks', { title: 'Till', url: 'https://hooks.example.com/' })).body
    // As JSON an endpoint's response is up to six times as large.
    const attempts = Array.from({ length: 10 }, (_, n) => ({
      number: n + 1,
      at: 1,
      durationMs: 1,
      status: 500,
      response: '\u0001'.repeat(16_384),
    }))
    await env.DB.prepare(
      `insert into deliveries (webhook, event, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts)
       select w.seq, e.id, 'failed', 1, 1, 10, 0, 10, 0, 0, ? from webhooks as w
       join events as e on e.merchant_id = w.merchant_id and e.type = 'order.created' where w.id = ?`,
    )
      .bind(JSON.stringify(attempts), id)
      .run()
    const { objects, pages, trips, read } = await walk(venue.path(`/webhooks/${id}/deliveries?limit=100`), venue.key)
    expect(
      isOnce(
        objects.map(({ eventId }) => eventId),
        40,
      ),
    ).toBe(true)
    expect([pages.length, Math.max(...trips)]).toEqual([10, 2])
    for (const bytes of pages) expect(bytes).toBeLessThanOrEqual(pageBytes)
    for (const bytes of read) expect(bytes).toBeLessThanOrEqual(answeredBytes)
  })
})
