import { describe, expect, test } from 'vitest'
import { hashKey } from '../../../src/platform/lib/encoding/sha256.ts'
import { queryHome } from '../../support/home.ts'
import { cancel, createEffects, createShop, readState, take } from '../effects/cancelled-orders.ts'

/** Bytes of the adjustments of a merchant, without indexes. */
async function readBytes(id: string): Promise<number> {
  const [row] = await queryHome(
    id,
    `select sum(length(merchant_id || reference || reason || request_hash || change || coalesce(order_event, '')
      || coalesce(order_reference, '') || coalesce(order_key, '') || changes)) as bytes from stock_adjustments where merchant_id = ?`,
    id,
  )
  return Number(row?.['bytes'])
}

/** Rewrites the adjustments of a merchant as an earlier release stored them. */
const storeAsBefore = (id: string, hash: string) =>
  queryHome(
    id,
    `update stock_adjustments set request_hash = ?, changes = (
      select json_group_array(json_object('product', value ->> 0, 'delta', value ->> 1, 'stockQuantity', value ->> 2,
        'version', value ->> 3, 'updatedAt', value ->> 4, 'changed', json(iif(value ->> 5 & 1, 'true', 'false')),
        'wasSoldOut', json(iif(value ->> 5 & 2, 'true', 'false')), 'soldOut', json(iif(value ->> 5 & 4, 'true', 'false'))))
      from json_each(changes)) where merchant_id = ?`,
    hash,
    id,
  )

describe.each(['d1', 'object'])('the record of an adjustment in a merchant of home %s', (home) => {
  test('grows by at most 80 bytes with each product, and has at most 160 bytes beside them', async () => {
    const shop = await createShop(home)
    const products: string[] = []
    for (let n = 0; n < 12; n++) {
      const { body } = await shop.post('/products', {
        title: `${n}`,
        price: 1,
        manageStock: true,
        stockQuantity: 999_999,
      })
      products.push(body.id)
    }
    const sizes: number[] = []
    for (const count of [3, 6, 12]) {
      const before = await readBytes(shop.id)
      const changes = products.slice(0, count).map((product) => ({ product, delta: -1 }))
      expect((await take(shop, { stock: { reference: `order-${count}`, changes } })).status).toBe(202)
      sizes.push((await readBytes(shop.id)) - before)
    }
    console.log(`figure: bytes of a stored adjustment of 3, 6 and 12 products, ${sizes}`)
    const [few = 0, some = 0, many = 0] = sizes
    expect([some - few, many - some].map((bytes, index) => bytes / (index + 1) / 3)).toSatisfy((each: number[]) =>
      each.every((bytes) => bytes <= 80),
    )
    expect(few - (some - few)).toBeLessThanOrEqual(160)
  })

  test('of an earlier release answers a repeated request', async () => {
    const shop = await createShop(home)
    const changes = [
      { product: shop.cake, delta: -5 },
      { product: shop.tart, set: 1 },
    ].toSorted((a, b) => (a.product < b.product ? -1 : 1))
    const request = { reference: 'till-1', reason: 'sale', oversell: false, changes }
    const first = await shop.post('/stock', request)
    expect(first.status).toBe(200)
    const full = await hashKey(JSON.stringify([{ ...request, changes: JSON.stringify(changes) }, null]))
    const [stored] = await queryHome(
      shop.id,
      'select request_hash from stock_adjustments where merchant_id = ?',
      shop.id,
    )
    expect(stored).toEqual({ request_hash: full.slice(0, 32) })
    await storeAsBefore(shop.id, full)
    const again = await shop.post('/stock', request)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(
      first.body.changes.toSorted((a: { stockQuantity: number }, b: typeof a) => a.stockQuantity - b.stockQuantity),
    ).toEqual([
      { product: shop.cake, stockQuantity: 0, soldOut: true },
      { product: shop.tart, stockQuantity: 1, soldOut: false },
    ])
    const other = await shop.post('/stock', { ...request, changes: changes.slice(1) })
    expect([other.status, other.body.code]).toEqual([409, 'conflict'])
  })

  test('of an order of an earlier release is undone', async () => {
    const shop = await createShop(home)
    const taken = await take(shop, createEffects(shop))
    const [stored] = await queryHome(
      shop.id,
      'select request_hash from stock_adjustments where merchant_id = ?',
      shop.id,
    )
    await storeAsBefore(shop.id, String(stored?.['request_hash']))
    expect((await take(shop, createEffects(shop))).body).toEqual(taken.body)
    expect((await cancel(shop)).status).toBe(202)
    expect((await readState(shop)).slice(0, 2)).toEqual([5, 5])
  })
})
