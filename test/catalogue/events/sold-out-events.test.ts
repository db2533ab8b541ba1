import { expect, test } from 'vitest'
import { maxListedProducts } from '../../../src/catalogue/events/event-data.ts'
import { createVenue } from '../../support/api.ts'
import { multiply, observe } from '../../support/d1.ts'

test('the complete list has up to 5,000 products, else it is truncated', async () => {
  expect(maxListedProducts).toBe(5_000)
  const venue = await createVenue()
  const create = async (stockQuantity: number): Promise<string> =>
    (await venue.post('/products', { title: 'Cake', price: 3, manageStock: true, stockQuantity })).body.id
  const [empty, sold, other] = [await create(0), await create(1), await create(1)]
  await multiply('products', empty, maxListedProducts - 2)
  const mark = (soldOut: boolean) => venue.post(`/products/${other}/availability`, { soldOut })
  const update = (stockQuantity: number) => venue.post(`/products/${other}`, { stockQuantity })
  const adjust = (product: string, set: number) =>
    venue.post('/stock', { reference: `${product} ${set}`, reason: 'count', changes: [{ product, set }] })
  const changes: readonly [change: () => Promise<unknown>, event: unknown[]][] = [
    [() => adjust(sold, 0), ['product.sold_out', [sold], 5_000, false]],
    [() => adjust(other, 0), ['product.sold_out', [other], 5_000, true]],
    [() => adjust(other, 1), ['product.back_in_stock', [other], 5_000, false]],
    [() => mark(true), ['product.sold_out', [other], 5_000, true]],
    [() => mark(false), ['product.back_in_stock', [other], 5_000, false]],
    [() => update(0), ['product.sold_out', [other], 5_000, true]],
    [() => update(1), ['product.back_in_stock', [other], 5_000, false]],
    [() => adjust(sold, 1), ['product.back_in_stock', [sold], 4_999, false]],
  ]
  for (const [change, expected] of changes) {
    await change()
    const types = 'types=product.sold_out,product.back_in_stock'
    const [{ type, data }] = (await venue.get(`/events?${types}&order=desc&limit=1`)).body
    expect([type, data.products, data.soldOut.length, data.truncated]).toEqual(expected)
    expect(data.soldOut).toEqual([...new Set(data.soldOut)].sort())
  }
})

test.each([
  ['runs out of', 5, 0],
  ['gets back', 0, 5],
])('a product that is deleted while it %s stock raises only the event of its deletion', async (_, before, after) => {
  const venue = await createVenue()
  const product = { title: 'Tea', price: 1, manageStock: true, stockQuantity: before }
  const { id } = (await venue.post('/products', product)).body
  let isRemoved = false
  const { status } = await observe('POST', venue.path(`/products/${id}`), {
    key: venue.key,
    json: { stockQuantity: after },
    before: async (statements) => {
      if (isRemoved || !statements.some((sql) => sql.startsWith('update "products"'))) return
      isRemoved = true
      await venue.remove(`/products/${id}`)
    },
  })
  expect([status, isRemoved]).toEqual([404, true])
  const { body: events } = await venue.get('/events')
  expect(events.map(({ type }: { type: string }) => type)).toEqual(['product.created', 'product.deleted'])
})
