import { describe, expect, test } from 'vitest'
import { createKey, createVenue, toIssues, type Venue } from '../../support/api.ts'
import { multiply, observe, rowsRead } from '../../support/d1.ts'

/** A venue with a cake, of which five are in stock, and a coupon. */
async function createShop(limits?: object) {
  const venue = await createVenue()
  const cake: string = (await venue.post('/products', { title: 'Cake', price: 3, manageStock: true, stockQuantity: 5 }))
    .body.id
  const coupon = (await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 10 })).body.id
  if (limits) await venue.post(`/coupons/${coupon}/limits`, limits)
  return { ...venue, cake, coupon }
}
type Shop = Awaited<ReturnType<typeof createShop>>

const createEffects = ({ cake }: Shop, order: string, count = 2) => ({
  stock: { reference: order, changes: [{ product: cake, delta: -count }] },
  redemptions: [{ code: 'TEN', order, amount: 1 }],
})
const take = (shop: Pick<Venue, 'post'>, effects: unknown, data: object = {}, headers?: Record<string, string>) =>
  shop.post('/events', { type: 'order.created', data, effects }, headers)
const readState = async ({ get, cake, coupon }: Shop) => [
  (await get(`/products/${cake}`)).body.stockQuantity,
  (await get(`/coupons/${coupon}`)).body.timesRedeemed,
]
const listTypes = async ({ get }: Shop) =>
  (await get('/events?limit=100')).body
    .map(({ type }: { type: string }) => type)
    .filter((type: string) => /order|stock|sold|redeem|reached/.test(type))

describe('an order with effects', () => {
  test('takes stock, redeems coupons and raises its events in one call of the database', async () => {
    const shop = await createShop({ maxRedemptions: 1 })
    const json = { type: 'order.created', data: { total: 4.5 }, effects: createEffects(shop, 'A-1', 5) }
    const { status, body, trips } = await observe('POST', shop.path('/events'), { key: shop.key, json })
    expect([status, trips.length]).toEqual([202, 1])
    expect(body).toEqual({
      id: expect.stringMatching(/^evt_/),
      effects: {
        stock: { reference: 'A-1', changes: [{ product: shop.cake, stockQuantity: 0, soldOut: true }] },
        redemptions: [expect.objectContaining({ code: 'TEN', order: 'A-1', amount: 1, state: 'redeemed' })],
      },
    })
    expect(await readState(shop)).toEqual([0, 1])
    expect(await listTypes(shop)).toEqual([
      'order.created',
      'stock.changed',
      'product.sold_out',
      'coupon.redeemed',
      'coupon.limit_reached',
    ])
    expect((await shop.get('/audit?operation=events.publish')).body).toMatchObject([{ object: body.id }])
  })

  test('changes nothing if its stock is short', async () => {
    const shop = await createShop()
    const { status, body } = await take(shop, createEffects(shop, 'A-1', 6))
    expect([status, body.code]).toEqual([409, 'insufficient_stock'])
    expect(body.errors).toMatchObject([{ pointer: '/effects/stock/changes/0', available: 5 }])
    expect(await readState(shop)).toEqual([5, 0])
    expect(await listTypes(shop)).toEqual([])
    expect((await shop.get('/redemptions')).body).toEqual([])
    expect((await take(shop, createEffects(shop, 'A-1', 5))).status).toBe(202)
  })

  test('changes nothing if a coupon is refused, and says why of all its parts', async () => {
    const shop = await createShop({ maxRedemptions: 1 })
    await take(shop, { redemptions: [{ code: 'TEN', order: 'A-0' }] })
    const { body } = await take(shop, createEffects(shop, 'A-1'))
    expect([body.code, body.reasons[0].code, body.errors[0].pointer]).toEqual([
      'coupon_not_redeemable',
      'limit_reached',
      '/effects/redemptions/0/code',
    ])
    const both = await take(shop, createEffects(shop, 'A-1', 9))
    expect([both.body.code, both.body.errors.length]).toEqual(['insufficient_stock', 2])
    const effects = createEffects(shop, 'A-1')
    const invalid = {
      stock: { ...effects.stock, changes: [{ product: 'nobody', delta: -1 }] },
      redemptions: [{ code: 'TEN', order: 'A-1', customer: 'cus_x' }],
    }
    expect(toIssues(await take(shop, invalid))).toEqual([
      '/effects/redemptions/0/customer not_found',
      '/effects/stock/changes/0/product not_found',
    ])
    expect(await readState(shop)).toEqual([5, 1])
    expect(await listTypes(shop)).toEqual(['order.created', 'coupon.redeemed', 'coupon.limit_reached'])
  })

  test('is taken once: again it returns the first event, from two tills too', async () => {
    const shop = await createShop({ maxRedemptions: 1 })
    const effects = createEffects(shop, 'A-1')
    const responses = await Promise.all(Array.from({ length: 6 }, () => take(shop, effects)))
    expect(new Set(responses.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect(responses[0]?.status).toBe(202)
    expect((await take(shop, effects, { another: 'text' })).body).toEqual(responses[0]?.body)
    expect(await readState(shop)).toEqual([3, 1])
    expect((await listTypes(shop)).filter((type: string) => type === 'order.created')).toHaveLength(1)
  })

  test('with other effects under the same reference is a conflict', async () => {
    const shop = await createShop()
    const effects = createEffects(shop, 'A-1')
    await take(shop, effects)
    for (const other of [
      createEffects(shop, 'A-1', 1),
      { stock: effects.stock },
      { redemptions: effects.redemptions },
      { ...effects, redemptions: [{ code: 'TEN', order: 'A-1', amount: 2 }] },
    ]) {
      const { status, body } = await take(shop, other)
      expect([status, body.code]).toEqual([409, 'conflict'])
    }
    const adjusted = await shop.post('/stock', { ...effects.stock, reason: 'sale' })
    expect([adjusted.status, adjusted.body.code]).toEqual([409, 'conflict'])
    expect(await readState(shop)).toEqual([3, 1])
  })

  test('confirms the hold of its order', async () => {
    const shop = await createShop({ maxRedemptions: 1 })
    const held = (await shop.post('/redemptions', { code: 'TEN', order: 'A-1', amount: 1, hold: 60 })).body
    const { status, body } = await take(shop, createEffects(shop, 'A-1'))
    expect([status, body.effects.redemptions[0].id, body.effects.redemptions[0].state]).toEqual([
      202,
      held.id,
      'redeemed',
    ])
    expect(await readState(shop)).toEqual([3, 1])
  })

  test('keeps a redemption that its order had before', async () => {
    const shop = await createShop()
    const first = (await shop.post('/redemptions', { code: 'TEN', order: 'A-1', amount: 1 })).body
    const taken = await take(shop, createEffects(shop, 'A-1'))
    expect([taken.status, taken.body.effects.redemptions[0].id]).toEqual([202, first.id])
    expect((await take(shop, createEffects(shop, 'A-1'))).body.id).toBe(taken.body.id)
    expect(await readState(shop)).toEqual([3, 1])
    await shop.post(`/redemptions/${first.id}/release`, {})
    const released = await shop.post('/redemptions', { code: 'TEN', order: 'A-2' })
    await shop.post(`/redemptions/${released.body.id}/release`, {})
    expect((await take(shop, { redemptions: [{ code: 'TEN', order: 'A-2' }] })).body.code).toBe('conflict')
  })

  test('is taken once if the code of its coupon changed since the redemption', async () => {
    const shop = await createShop()
    const redeemed = (await shop.post('/redemptions', { code: 'TEN', order: 'A-1' })).body
    await shop.post(`/coupons/${shop.coupon}`, { code: 'ELEVEN' })
    const effects = { redemptions: [{ code: 'ELEVEN', order: 'A-1' }] }
    const first = await take(shop, effects)
    expect([first.status, first.body.effects.redemptions.map(({ id }: { id: string }) => id)]).toEqual([
      202,
      [redeemed.id],
    ])
    expect((await take(shop, effects)).body).toEqual(first.body)
    expect(await readState(shop)).toEqual([5, 1])
    expect((await listTypes(shop)).filter((type: string) => type === 'order.created')).toHaveLength(1)
  })

  test.each([
    ['redemption', {}],
    ['hold', { hold: 60 }],
  ])('is refused if it names a coupon by two codes, of which its %s has the earlier one', async (_, hold) => {
    const shop = await createShop()
    await shop.post('/redemptions', { code: 'TEN', order: 'A-1', ...hold })
    await shop.post(`/coupons/${shop.coupon}`, { code: 'ELEVEN' })
    await shop.post('/coupons', { title: 'Two', code: 'TWO', type: 'FIXED', value: 2 })
    const redemptions = ['ELEVEN', 'TWO', 'TEN'].map((code) => ({ code, order: 'A-1' }))
    const before = await readState(shop)
    expect(toIssues(await take(shop, { redemptions }))).toEqual(['/effects/redemptions/2/code duplicate'])
    expect([await readState(shop), await listTypes(shop)]).toEqual([before, 'hold' in hold ? [] : ['coupon.redeemed']])
    expect((await take(shop, { redemptions: redemptions.slice(1) })).body.effects.redemptions).toHaveLength(2)
  })

  test('takes the Idempotency-Key as its reference', async () => {
    const shop = await createShop()
    const effects = { stock: { changes: [{ product: shop.cake, delta: -1 }] } }
    expect(toIssues(await take(shop, effects))).toEqual(['/effects/stock/reference required'])
    const first = await take(shop, effects, {}, { 'idempotency-key': 'A-1' })
    expect(first.body.effects.stock.reference).toBe('A-1')
    const again = await take(shop, effects, {}, { 'idempotency-key': '"A-1"' })
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
    const other = { stock: { reference: 'B', changes: [{ product: shop.cake, delta: -1 }] } }
    expect((await take(shop, other, {}, { 'idempotency-key': 'A-1' })).body.code).toBe('idempotency_key_reused')
    expect(toIssues(await take(shop, effects, {}, { 'idempotency-key': 'x'.repeat(129) }))).toEqual([
      '/effects/stock/reference too_long',
    ])
    expect((await readState(shop))[0]).toBe(4)
  })

  test('requires the scopes of what it touches', async () => {
    const shop = await createShop()
    const effects = createEffects(shop, 'A-1', 1)
    const till = await createKey(shop.id, { mode: 'live', scopes: ['events:write', 'stock:write'] })
    expect((await take(till, effects)).status).toBe(403)
    expect((await take(till, { redemptions: effects.redemptions })).status).toBe(403)
    expect((await take(till, { stock: effects.stock })).status).toBe(202)
    const publisher = await createKey(shop.id, { mode: 'live', scopes: ['events:write'] })
    expect((await take(publisher, { stock: effects.stock })).status).toBe(403)
    expect((await take(publisher, null)).body).toEqual({ id: expect.any(String) })
    expect((await take(publisher, {})).body).toEqual({ id: expect.any(String) })
  })

  test('has at most 10 redemptions, each of another coupon', async () => {
    const shop = await createShop()
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ code: `C${n}`, order: 'A-1' }))
    expect(toIssues(await take(shop, { redemptions: many(11) }))).toEqual(['/effects/redemptions too_many'])
    expect((await take(shop, { redemptions: many(10) })).body.errors).toHaveLength(10)
    const twice = [
      { code: 'TEN', order: 'A-1' },
      { code: 'ten', order: 'A-2', hold: 60 },
    ]
    expect(toIssues(await take(shop, { redemptions: twice, points: 1 }))).toEqual([
      '/effects/points unknown_field',
      '/effects/redemptions/1/code duplicate',
      '/effects/redemptions/1/hold unknown_field',
    ])
  })

  test('leaves exactly the stock to orders at the same time', async () => {
    const shop = await createShop()
    const responses = await Promise.all(
      Array.from({ length: 9 }, (_, n) => take(shop, createEffects(shop, `A-${n}`, 1))),
    )
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(5)
    expect(await readState(shop)).toEqual([0, 5])
  })
})

test('an order reads as many rows in a large catalogue as in a small one', async () => {
  const shop = await createShop({ maxRedemptions: 1_000 })
  const order = async (reference: string) => {
    const json = { type: 'order.created', data: {}, effects: createEffects(shop, reference, 1) }
    const { status, trips } = await observe('POST', shop.path('/events'), { key: shop.key, json })
    expect(status).toBe(202)
    return rowsRead(trips)
  }
  await order('small-1')
  const small = await order('small-2')
  const [{ id: redemption }] = (await shop.get('/redemptions')).body
  await multiply('products', shop.cake, 300, { stock_quantity: '10' })
  await multiply('coupons', shop.coupon, 300, { code: "'CODE-' || n", code_key: "'CODE-' || n" })
  await multiply('redemptions', redemption, 300, { order_id: "'copy-' || n" })
  expect(await order('large')).toBeLessThanOrEqual(small + 10)
})
