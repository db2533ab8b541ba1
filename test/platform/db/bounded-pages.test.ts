import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { deliveryStates } from '../../../src/platform/db/schema/events.ts'
import { createKey, createVenue, type Venue } from '../../support/api.ts'
import { observe, rowsRead } from '../../support/d1.ts'

/** Rows by which a cost may differ: the depth of the indexes' trees. */
const tolerance = 20
const sizes = [2_000, 4_000, 8_000]

const numbers = 'with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?)'

async function read(venue: Venue, path: string) {
  const response = await observe('GET', venue.path(path), { key: venue.key })
  await response.settled()
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return { rows: rowsRead(response.trips), ...response }
}

/** All pages of a list, and the most rows that one of them read. */
async function walk<Item>(venue: Venue, path: string) {
  const items: Item[] = []
  const costs: number[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { rows, body, headers }: Awaited<ReturnType<typeof read>> = await read(venue, next)
    items.push(...body)
    costs.push(rows)
    next = /merchants\/[^/]+(\/[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return { items, pages: costs.length, most: Math.max(...costs) }
}

describe('deliveries in a state', () => {
  /** A webhook with so many deliveries, each in the state that SQL of its number `n` says. */
  async function createDeliveries(count: number, state: string) {
    const venue = await createVenue()
    const { body: webhook } = await venue.post('/webhooks', {
      title: 'Till',
      url: 'https://till.example.com/',
      events: ['product.deleted'],
    })
    await env.DB.prepare(
      `${numbers} insert into deliveries (webhook, event, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts)
       select (select seq from webhooks where id = ?), printf('evt_%026d', n), ${state}, 1, 4102444800 - n, 1, 0, 10, 0, 0, '[]' from counter`,
    )
      .bind(count, webhook.id)
      .run()
    return { venue, path: `/webhooks/${webhook.id}/deliveries` }
  }

  test.each(deliveryStates)('a page of %s ones reads the same rows, however many others there are', async (state) => {
    const other = state === 'delivered' ? 'failed' : 'delivered'
    const costs: number[] = []
    for (const count of sizes) {
      const { venue, path } = await createDeliveries(count, `'${other}'`)
      const page = await read(venue, `${path}?state=${state}`)
      expect(page.body).toEqual([])
      costs.push(page.rows)
    }
    console.log(`figure: D1 rows read by a page of ${state} deliveries beside ${sizes} others, ${costs}`)
    expect(Math.max(...costs)).toBeLessThanOrEqual(4_100)
    expect(Math.max(...costs) - Math.min(...costs)).toBeLessThanOrEqual(tolerance)
  })

  test.each(['few', 'many'])('all pages together have each of %s deliveries once, in both orders', async (amount) => {
    const share = amount === 'few' ? 300 : 2
    const mixed = `case when n % ${share} = 0 then 'pending' when n % ${share} = 1 then 'failed' when n % 299 = 7 then 'cancelled' else 'delivered' end`
    const count = 3_000
    const { venue, path } = await createDeliveries(count, mixed)
    const { results } = await env.DB.prepare(
      'select event, state from deliveries where webhook = (select max(seq) from webhooks) order by event',
    ).all<{ event: string; state: string }>()
    expect(results).toHaveLength(count)
    for (const state of deliveryStates) {
      const expected = results.filter((row) => row.state === state).map(({ event }) => event)
      for (const order of ['asc', 'desc']) {
        const found = await walk<{ eventId: string }>(venue, `${path}?state=${state}&order=${order}&limit=100`)
        const ids = found.items.map(({ eventId }) => eventId)
        expect(ids, `${state} ${order}`).toEqual(order === 'asc' ? expected : expected.toReversed())
        expect(found.most).toBeLessThanOrEqual(6_600)
        expect(found.pages).toBeLessThanOrEqual(Math.ceil(expected.length / 100) + count / 1_000 + 1)
      }
    }
  })
})

describe('the audit log', () => {
  async function createEntries(count: number) {
    const venue = await createVenue()
    await venue.post('/tags', {})
    const rare = await createKey(venue.id, { mode: 'live' })
    await env.DB.prepare(
      `${numbers} insert into audit (merchant_id, test_mode, id, at, key, operation, object)
       select ?, 0, printf('aud_zz%024d', n), 1, 'usr_often', 'products.update', 'prod_1' from counter`,
    )
      .bind(count, venue.id)
      .run()
    return { venue, rare }
  }

  test.each(['key=usr_nobody', 'operation=products.delete', 'object=prod_1&key=usr_nobody'])(
    'a page of entries with %s reads the same rows, however many others there are',
    async (filter) => {
      const costs: number[] = []
      for (const count of sizes) {
        const { venue } = await createEntries(count)
        const page = await read(venue, `/audit?${filter}`)
        expect(page.body).toEqual([])
        expect(page.headers.get('link')).toContain('rel="next"')
        costs.push(page.rows)
      }
      console.log(
        `figure: D1 rows read by a page of the audit log by a rare ${filter} beside ${sizes} others, ${costs}`,
      )
      expect(Math.max(...costs)).toBeLessThanOrEqual(4_100)
      expect(Math.max(...costs) - Math.min(...costs)).toBeLessThanOrEqual(tolerance)
    },
  )

  test('all pages together have the entries of a rare key, and the last one has no next', async () => {
    const { venue, rare } = await createEntries(2_500)
    const { body: tag } = await rare.post('/tags', {})
    for (const order of ['asc', 'desc']) {
      const { items, pages } = await walk<{ object: string }>(venue, `/audit?key=${rare.keyId}&order=${order}`)
      expect(items.map(({ object }) => object)).toEqual([tag.id])
      expect(pages).toBe(3)
    }
  })
})
