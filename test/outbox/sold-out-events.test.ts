import { expect, test } from 'vitest'
import { maxListedProducts } from '../../src/outbox/sold-out-events.ts'
import { createVenue } from '../support/api.ts'
import { multiply } from '../support/d1.ts'

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
