import { expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'

const create = async (venue: Venue, stockQuantity: number): Promise<string> =>
  (await venue.post('/products', { title: 'Cake', price: 3, manageStock: true, stockQuantity })).body.id

const update = (id: string, stockQuantity: number) => ({
  op: 'update',
  resource: 'products',
  id,
  body: { stockQuantity },
})

const listEvents = async (venue: Venue) =>
  (await venue.get('/events?limit=100')).body
    .filter(({ type }: { type: string }) => /sold_out|back_in_stock/.test(type))
    .map(({ type, data }: { type: string; data: object }) => ({ type, data }))

test('a batch raises one event for all products that become sold out, and one for those back in stock', async () => {
  const venue = await createVenue()
  const [first, second, third, fourth] = [
    await create(venue, 1),
    await create(venue, 2),
    await create(venue, 0),
    await create(venue, 0),
  ]
  const [same, empty, deleted] = [await create(venue, 5), await create(venue, 0), await create(venue, 0)]
  const { status } = await venue.post('/batch', {
    operations: [
      update(second, 0),
      update(first, -1),
      update(third, 3),
      update(fourth, 4),
      update(same, 6),
      { op: 'delete', resource: 'products', id: deleted },
      { op: 'create', resource: 'products', body: { title: 'Tea', price: 1, manageStock: true, stockQuantity: 5 } },
    ],
  })
  expect(status).toBe(200)
  const soldOut = [first, second, empty].sort()
  expect(await listEvents(venue)).toEqual([
    { type: 'product.sold_out', data: { products: [second, first], soldOut, truncated: false } },
    { type: 'product.back_in_stock', data: { products: [third, fourth], soldOut, truncated: false } },
  ])
})

test('a batch raises no event for products that are marked as sold out', async () => {
  const venue = await createVenue()
  const [marked, other] = [await create(venue, 1), await create(venue, 1)]
  await venue.post(`/products/${marked}/availability`, { soldOut: true })
  const before = await listEvents(venue)
  const run = (...operations: object[]) => venue.post('/batch', { operations })
  await run(update(marked, 0))
  expect(await listEvents(venue)).toEqual(before)
  await run(update(marked, 5), update(other, 0))
  expect(await listEvents(venue)).toEqual([
    ...before,
    {
      type: 'product.sold_out',
      data: { products: [other], soldOut: [marked, other].sort(), truncated: false },
    },
  ])
})
