import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { toCounts } from '../../support/imports.ts'
import { interceptD1 } from '../../support/moves.ts'
import { createQueue, retrieve } from './import-queue.ts'

/** Deliveries of one message after which it counts as stuck. */
const maxDeliveries = 20

/** A venue with products whose stock is managed. */
async function createShop(count: number) {
  const venue = await createVenue({ home: 'd1' })
  const bodies = Array.from({ length: count }, (_, n) => ({ ...{ title: `Tea ${n}`, sku: `T${n}`, price: 1 } }))
  const operations = bodies.map((body) => ({
    ...{ op: 'create', resource: 'products' },
    body: { ...body, manageStock: true, stockQuantity: 1_000, metadata: [{ key: 'shelf', value: 'A' }] },
  }))
  const { status, body } = await venue.post('/batch', { operations })
  expect(status).toBe(200)
  return { venue, ids: body.results.map(({ id }: { id: string }) => id) }
}

/** Sells one of the products, each in its turn. */
function createTill(venue: Venue, ids: readonly string[]) {
  const sales = { count: 0 }
  const sell = async () => {
    const product = ids[sales.count % ids.length]
    const reference = `sale ${++sales.count}`
    const { status } = await venue.post('/stock', { reference, reason: 'sale', changes: [{ product, delta: -1 }] })
    expect(status).toBe(200)
  }
  return { sales, sell }
}

/** Imports a file while one of its products is sold after each read of objects. Returns the number of sales. */
async function importAmongSales(count: number, columns: string, toCells: (n: number) => string) {
  const { venue, ids } = await createShop(count)
  const { sales, sell } = createTill(venue, ids)
  let isOpen = false
  const DB = interceptD1(
    /"metadata" as metadata/,
    () => Promise.resolve(),
    async () => {
      if (isOpen) await sell()
    },
  )
  const queue = createQueue({ DB })
  const rows = ids.map((_: string, n: number) => `T${n},${toCells(n)}\n`)
  const id = await queue.upload(venue, 'resource=products&match=sku', `sku,${columns}\n${rows.join('')}`)
  await queue.drain()
  isOpen = true
  await queue.apply(venue, id)
  for (let deliveries = 0; queue.sent.length > 0 && deliveries < maxDeliveries; deliveries++) {
    const [message] = queue.sent.splice(0, 1)
    if (message && (await queue.consume(message)).retried > 0) queue.sent.unshift(message)
  }
  isOpen = false
  const { body: products } = await venue.get(`/products?limit=100&order=asc`)
  return { done: await retrieve(venue, id), sales: sales.count, products }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, next) => total + next, 0)

describe('an import of products that are sold all the time', () => {
  test('that only sets fields takes no second attempt', async () => {
    const { done, sales, products } = await importAmongSales(20, 'price', () => '2')
    expect(toCounts(done)).toEqual({ rows: 20, checked: 20, applied: 20, updated: 20 })
    expect(products.map(({ price }: { price: number }) => price)).toEqual(Array.from({ length: 20 }, () => 2))
    expect(sum(products.map(({ stockQuantity }: { stockQuantity: number }) => stockQuantity))).toBe(20_000 - sales)
    expect(sales).toBe(1)
  })

  test('that keeps parts of them takes fewer rows at once, and ends', async () => {
    const attempts: number[] = []
    for (const count of [10, 20, 40]) {
      const { done, sales, products } = await importAmongSales(count, 'price,metadata.milk', () => '2,yes')
      expect(toCounts(done)).toEqual({ rows: count, checked: count, applied: count, updated: count })
      expect(products.every(({ metadata }: { metadata: unknown[] }) => metadata.length === 2)).toBe(true)
      expect(sum(products.map(({ stockQuantity }: { stockQuantity: number }) => stockQuantity))).toBe(
        count * 1_000 - sales,
      )
      attempts.push(sales)
    }
    const [n = 0, , n4 = 0] = attempts
    expect(n4).toBeLessThanOrEqual(n * 8)
  })
})
