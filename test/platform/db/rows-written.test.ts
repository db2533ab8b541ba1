import { expect, test } from 'vitest'
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
