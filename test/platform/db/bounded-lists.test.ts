import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { maxCountedPending } from '../../../src/platform/db/counters.ts'
import { adminToken, createVenue, type Venue } from '../../support/api.ts'
import { multiply, observe, rowsRead } from '../../support/d1.ts'

/** Rows by which a cost may differ: the depth of the indexes' trees. */
const tolerance = 20
const numbers = 'with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?)'

async function read(path: string, key: string) {
  const response = await observe('GET', path, { key })
  await response.settled()
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return { ...response, rows: rowsRead(response.trips) }
}

const spreadOf = (costs: readonly number[]) => Math.max(...costs) - Math.min(...costs)

/** A venue with so many copies of a product, whose stock is SQL of its number `n`. */
async function createStock(count: number, stock: string) {
  const venue = await createVenue()
  const product = { title: 'Cake', price: 3, manageStock: true, stockQuantity: 100 }
  const { body } = await venue.post('/products', product)
  await multiply('products', body.id, count, { stock_quantity: stock })
  return venue
}

async function walk(venue: Venue, path: string) {
  const products: string[] = []
  let most = 0
  for (let next: string | undefined = path; next !== undefined; ) {
    const { body, headers, rows }: Awaited<ReturnType<typeof read>> = await read(venue.path(next), venue.key)
    products.push(...body.map(({ product }: { product: string }) => product))
    most = Math.max(most, rows)
    next = /merchants\/[^/]+(\/[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return { products, most }
}

test.each(['out', 'low'])('a page of %s stock reads the same rows, however many products are in it', async (state) => {
  const costs: number[] = []
  for (const count of [2_000, 4_000, 8_000]) {
    const venue = await createStock(count, state === 'out' ? '0' : '2')
    costs.push((await read(venue.path(`/stock?state=${state}&limit=20`), venue.key)).rows)
  }
  console.log(`figure: D1 rows read by a page of ${state} stock of 2000, 4000, 8000 products, ${costs}`)
  expect(spreadOf(costs)).toBeLessThanOrEqual(tolerance)
  expect(Math.max(...costs)).toBeLessThanOrEqual(9_000)
})

test.each([
  {
    state: 'low',
    stock: 'case when n % 2 = 0 then 2 else 50 end',
    isWanted: 'stock_quantity > 0 and stock_quantity < 5',
  },
  {
    state: 'low',
    stock: 'case when n % 9 = 0 then 2 else 50 end',
    isWanted: 'stock_quantity > 0 and stock_quantity < 5',
  },
  { state: 'out', stock: 'case when n % 9 = 0 then 0 else 50 end', isWanted: 'stock_quantity <= 0' },
])('all pages of $state stock have each product once, where $stock', async ({ state, stock, isWanted }) => {
  const venue = await createStock(3_000, stock)
  const { results } = await env.DB.prepare(`select id from products where merchant_id = ? and ${isWanted} order by id`)
    .bind(venue.id)
    .all<{ id: string }>()
  const expected = results.map(({ id }) => id)
  expect(expected.length).toBeGreaterThan(300)
  for (const order of ['asc', 'desc']) {
    const { products, most } = await walk(venue, `/stock?state=${state}&order=${order}&limit=100`)
    expect(products).toEqual(order === 'asc' ? expected : expected.toReversed())
    expect(most).toBeLessThanOrEqual(9_000)
  }
})

/** A webhook with so many deliveries in a state. */
async function createDeliveries(count: number, state: string) {
  const venue = await createVenue()
  const { body: webhook } = await venue.post('/webhooks', {
    title: 'Till',
    url: 'https://till.example.com/',
    events: ['product.deleted'],
  })
  await env.DB.prepare(
    `${numbers} insert into deliveries (webhook, event, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts)
     select (select seq from webhooks where id = ?), printf('evt_%026d', n), '${state}', 1, n, 1, 0, 10, 0, 0, '[]' from counter`,
  )
    .bind(count, webhook.id)
    .run()
  return venue
}

test('metrics count a limited number of pending deliveries, and find the one that is due longest', async () => {
  const costs: number[] = []
  for (const count of [500, maxCountedPending, 2 * maxCountedPending]) {
    await env.DB.exec(`update deliveries set state = 'cancelled' where state = 'pending'`)
    await createDeliveries(count, 'pending')
    const { body, rows } = await read('/admin/metrics', adminToken)
    expect(/^\S*deliveries_pending (\d+)$/m.exec(String(body))?.[1]).toBe(String(Math.min(count, maxCountedPending)))
    expect(Number(/^\S*oldest_due_delivery_age_seconds (\d+)$/m.exec(String(body))?.[1])).toBeGreaterThan(1e9)
    costs.push(rows)
  }
  console.log(`figure: D1 rows read by the metrics with 500, 10000, 20000 pending deliveries, ${costs}`)
  expect(Math.max(...costs)).toBeLessThanOrEqual(maxCountedPending + 400)
  expect(spreadOf(costs.slice(1))).toBeLessThanOrEqual(100)
  await env.DB.exec(`update deliveries set state = 'cancelled' where state = 'pending'`)
})
