import { describe, expect, test } from 'vitest'
import { createShop, readState, take } from './cancelled-orders.ts'

describe.each(['d1', 'object'])('coupons that are deleted between quote and order, in home %s', (home) => {
  test.each<[string, { automatic?: boolean }]>([
    ['by its code', {}],
    ['by a single-use code', {}],
    ['without a code', { automatic: true }],
  ])('let the order change nothing if it was quoted %s', async (how, limits) => {
    const shop = await createShop(home)
    await shop.post(`/coupons/${shop.coupon}/limits`, limits)
    await shop.post('/coupons', { title: 'One', code: 'ONE', type: 'FIXED', value: 1 })
    const key = { 'Idempotency-Key': 'codes' }
    const { batch } = (await shop.post(`/coupons/${shop.coupon}/codes`, { count: 1 }, key)).body
    const [single] = (await shop.get(`/coupons/${shop.coupon}/codes?batch=${batch}`)).body
    const code = how === 'by a single-use code' ? single.code : 'TEN'
    const quote = { items: [{ product: shop.cake, quantity: 1 }], ...(limits.automatic ? {} : { coupons: [code] }) }
    const [quoted] = (await shop.post('/quotes', quote)).body.coupons
    expect(quoted).toMatchObject({ coupon: shop.coupon, status: 'applied' })

    await shop.remove(`/coupons/${shop.coupon}`)
    const redemptions = ['ONE', quoted.code].map((code) => ({ code, order: 'A-1', amount: 1 }))
    const changes = [{ product: shop.cake, delta: -1 }]
    const { status, body } = await take(shop, { stock: { reference: 'A-1', changes }, redemptions })
    expect([status, body.code, body.errors]).toEqual([
      409,
      'coupon_not_redeemable',
      [expect.objectContaining({ pointer: '/effects/redemptions/1/code', code: 'not_found' })],
    ])
    expect((await readState(shop)).slice(0, 2)).toEqual([5, 5])
    expect((await shop.get('/redemptions')).body).toEqual([])
    // The next quote tells it, and the order without the coupon is taken.
    const { coupons } = (await shop.post('/quotes', { ...quote, coupons: [quoted.code] })).body
    expect(coupons).toMatchObject([{ status: 'not_applied', reasons: [{ code: 'not_found' }] }])
    expect((await take(shop, { stock: { reference: 'A-1', changes } })).status).toBe(202)
  })
})
