import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import page from '../../../docs/scale.md?raw'
import { createVenue, type Venue } from '../../support/api.ts'
import { observe, type Trip } from '../../support/d1.ts'

/** D1 bills the rows of tables and indexes that a request writes: these numbers are prices. `docs/scale.md` has their sum for a day. */
const written = (trips: readonly Trip[]) => trips.reduce((sum, trip) => sum + trip.rowsWritten, 0)

async function write(venue: Venue, path: string, json: object) {
  const { status, body, trips, settled } = await observe('POST', venue.path(path), { key: venue.key, json })
  await settled()
  expect([path, status < 300, body]).toEqual([path, true, body])
  return { body, rows: written(trips) }
}

const product = {
  title: 'Flat white',
  description: 'Two ristretti under finely foamed milk.',
  price: 4.5,
  sku: 'COFFEE-1',
  upc: '4012345678901',
  calories: 120,
  taxRate: 7,
  images: [{ url: 'https://images.example.com/flat-white.jpg' }],
  metadata: [{ key: 'station', value: 'bar' }],
}

test('an order writes as many rows for each product that it takes', async () => {
  const venue = await createVenue()
  const ids: string[] = []
  for (let n = 0; n < 12; n++) {
    const { body } = await venue.post('/products', { ...product, manageStock: true, stockQuantity: 40 })
    ids.push(body.id)
  }
  const costs: number[] = []
  for (const count of [3, 6, 12]) {
    const changes = ids.slice(0, count).map((id) => ({ product: id, delta: -1 }))
    const effects = { stock: { reference: `order-${count}`, changes } }
    const { rows } = await write(venue, '/events', { type: 'order.created', data: {}, effects })
    costs.push(rows)
  }
  console.log(`figure: D1 rows written by an order of 3, 6 and 12 products, ${costs}`)
  const [few = 0, some = 0, many = 0] = costs
  // The product and its place in the order of changes.
  expect([some - few, many - some]).toEqual([2 * 3, 2 * 6])
})

/** The table of docs/scale.md with the rows of a change: names of tables and indexes, and the rows of each kind of change. */
const rowsOfChanges = Array.from(
  page.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| (\d) \| (\d) \| (\d) \|/gm),
  ([, names = '', ...rows]) => ({
    names: names.replaceAll('`', '').split(', '),
    rows: rows.map(Number),
  }),
)

test('a create and an update write the rows that the page about scale states', async () => {
  const venue = await createVenue()
  const { body: modifier } = await venue.post('/modifiers', { title: 'Milk', instructions: '' })
  const full = { ...product, modifiers: [modifier.id] }
  const plain = { title: 'Tea', price: 2 }
  // The full-text index writes more when it merges its segments.
  const least = async (path: () => string, json: () => object) => {
    const costs: number[] = []
    for (let round = 0; round < 3; round++) costs.push((await write(venue, path(), json())).rows)
    return Math.min(...costs)
  }
  const { id } = (await write(venue, '/products', plain)).body
  let price = 2
  const measured = [
    await least(
      () => '/products',
      () => full,
    ),
    await least(
      () => '/products',
      () => plain,
    ),
    await least(
      () => `/products/${id}`,
      () => ({ price: ++price }),
    ),
  ]
  const stated = [0, 1, 2].map((column) => rowsOfChanges.reduce((sum, { rows }) => sum + (rows[column] ?? 0), 0))
  expect(measured).toEqual(stated)
})

test('the page about scale names all indexes of the tables that a change writes', async () => {
  const named = rowsOfChanges.flatMap(({ names }) => names)
  expect(named.length).toBeGreaterThan(10)
  const { results } = await env.DB.prepare(
    `select name, sql from sqlite_schema where type = 'index' and sql is not null and tbl_name in ('products', 'events', 'audit')`,
  ).all<{ name: string; sql: string }>()
  // Partial indexes have only the rows of some changes.
  const always = results.filter(({ sql }) => !/ where /i.test(sql)).map(({ name }) => name)
  expect(always.filter((name) => !named.includes(name))).toEqual([])
  const names = results.map(({ name }) => name)
  expect(
    named.filter(
      (name) => /_/.test(name) && !['products_search', 'product_modifiers'].includes(name) && !names.includes(name),
    ),
  ).toEqual([])
})
