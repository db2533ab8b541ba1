import { describe, expect, test } from 'vitest'
import { call, createKey, toIssues } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { createEffects, createShop, readState, take } from './cancelled-orders.ts'
import { amounts, redeems, replace, takes, toOutcome } from './replaced-orders.ts'

describe('a replacement', () => {
  test('redeems again what it released itself, within the limits, and nothing else', async () => {
    const shop = await createShop()
    const limit = (maxRedemptions: number) => shop.post(`/coupons/${shop.coupon}/limits`, { maxRedemptions })
    await limit(1)
    await take(shop, createEffects(shop))
    // The place of the order itself is no hindrance, whatever has become of the coupon.
    await shop.post(`/coupons/${shop.coupon}`, { active: false })
    expect((await replace(shop, 1, redeems(4))).status).toBe(202)
    expect((await replace(shop, 2, { redemptions: [] })).status).toBe(202)
    expect(toOutcome(await replace(shop, 3, redeems(1)))).toEqual([
      409,
      'coupon_not_redeemable',
      '/effects/redemptions/0/code inactive',
    ])
    await shop.post(`/coupons/${shop.coupon}`, { active: true })
    expect((await replace(shop, 3, redeems(1))).status).toBe(202)
    expect((await replace(shop, 4, { redemptions: [] })).status).toBe(202)
    await shop.post('/redemptions', { code: 'TEN', order: 'other' })
    expect(toOutcome(await replace(shop, 5, redeems(1)))).toEqual([
      409,
      'coupon_not_redeemable',
      '/effects/redemptions/0/code limit_reached',
    ])
    await limit(2)
    const { id } = (await replace(shop, 5, redeems(1))).body.effects.redemptions[0]
    await shop.post(`/redemptions/${id}/release`, {})
    expect(toOutcome(await replace(shop, 6, redeems(1)))).toEqual([409, 'conflict', '/effects/redemptions/0 conflict'])
    expect(await readState(shop)).toEqual([3, 5, 1])
  })

  test('frees single-use codes that it no longer needs, and takes them again only if they are free', async () => {
    const shop = await createShop()
    const key = { 'Idempotency-Key': 'codes' }
    const { batch } = (await shop.post(`/coupons/${shop.coupon}/codes`, { count: 2 }, key)).body
    const list = async () => (await shop.get(`/coupons/${shop.coupon}/codes?batch=${batch}`)).body
    const [first, second] = (await list()).map(({ code }: { code: string }) => code)
    const states = async () => (await list()).map(({ state }: { state: string }) => state)
    await take(shop, { reference: 'A-1', ...redeems(1, first) })
    expect(await states()).toEqual(['redeemed', 'available'])
    expect((await replace(shop, 1, redeems(2, first))).status).toBe(202)
    await replace(shop, 2, { redemptions: [] })
    expect(await states()).toEqual(['available', 'available'])
    await replace(shop, 3, redeems(1, second))
    expect(await states()).toEqual(['available', 'redeemed'])
    expect((await shop.post('/redemptions', { code: first, order: 'B' })).status).toBe(201)
    await replace(shop, 4, { redemptions: [] })
    expect(toOutcome(await replace(shop, 5, redeems(1, first)))).toEqual([
      409,
      'coupon_not_redeemable',
      '/effects/redemptions/0/code code_used',
    ])
    expect(await readState(shop)).toEqual([5, 5, 1])
  })

  test('checks a customer that is named later, and confirms the hold of its order', async () => {
    const shop = await createShop()
    const create = async () => (await shop.post('/customers', { firstName: 'A', lastName: 'B' })).body.id
    const [ana, bob] = [await create(), await create()]
    await shop.post(`/coupons/${shop.coupon}/limits`, { maxRedemptionsPerCustomer: 1 })
    await shop.post('/redemptions', { code: 'TEN', order: 'other', customer: bob })
    await take(shop, { reference: 'A-1', ...redeems(1, 'TEN', { customer: ana }) })
    expect(toOutcome(await replace(shop, 1, redeems(1, 'TEN', { customer: bob })))).toEqual([
      409,
      'coupon_not_redeemable',
      '/effects/redemptions/0/code customer_limit_reached',
    ])
    expect(toOutcome(await replace(shop, 1, redeems(1, 'TEN', { customer: 'cust_none' })))).toEqual([
      422,
      'invalid_request',
      '/effects/redemptions/0/customer not_found',
    ])
    await shop.post('/coupons', { title: 'Two', code: 'TWO', type: 'FIXED', value: 2 })
    await shop.post('/redemptions', { code: 'TWO', order: 'A-1', amount: 2, hold: 60 })
    expect((await replace(shop, 1, redeems(2, 'TWO'))).status).toBe(202)
    expect(await amounts(shop)).toEqual(['TWO redeemed 2', 'TEN released 1'])
  })

  test('gives back nothing of products that are gone or no longer managed, and names them', async () => {
    const shop = await createShop()
    await take(shop, { stock: { reference: 'A-1', ...takes([shop.cake, -2], [shop.tart, -1.5]).stock } })
    await shop.post(`/products/${shop.tart}`, { manageStock: false })
    const { body } = await replace(shop, 1, takes([shop.cake, -1]))
    expect(body.effects).toMatchObject({ stock: { changes: [{ product: shop.cake }] }, skipped: [shop.tart] })
    await shop.remove(`/products/${shop.cake}`)
    const { body: second } = await replace(shop, 2, { stock: null })
    expect(second.effects).toEqual({ stock: { reference: second.id, changes: [] }, skipped: [shop.cake] })
  })

  test('needs a known order, and the scopes of what the order and the change touch', async () => {
    const shop = await createShop()
    expect(toOutcome(await replace(shop, 1, takes([shop.cake, -1])))).toEqual([409, 'unknown_order'])
    await take(shop, createEffects(shop))
    const keys = await Promise.all(
      [[], ['stock:write'], ['redemptions:write']].map((scopes) =>
        createKey(shop.id, { mode: 'live', scopes: ['events:write', ...scopes] }),
      ),
    )
    for (const key of keys) {
      for (const effects of [takes([shop.cake, -1]), redeems(1), { stock: null }]) {
        const json = { type: 'order.updated', data: {}, effects: { replace: 'A-1', revision: 1, ...effects } }
        expect((await call('POST', shop.path('/events'), key.key, json)).status).toBe(403)
      }
    }
    expect(await readState(shop)).toEqual([3, 5, 1])
    const test = await createKey(shop.id, { mode: 'test' })
    expect(toOutcome(await replace(test, 1, { stock: null }))).toEqual([409, 'unknown_order'])
    const changes = `(select json_group_array(json_object('product', value ->> 0)) from json_each(changes))`
    await queryHome(shop.id, `update stock_adjustments set changes = ${changes} where merchant_id = ?`, shop.id)
    expect(toOutcome(await replace(shop, 1, { stock: null }))).toEqual([409, 'not_supported'])
  })

  test.each([
    ['order.created', { replace: 'A-1' }, '/effects/replace conflict'],
    ['order.updated', {}, '/effects/replace required', '/effects/revision required'],
    ['order.updated', { replace: 'A-1', revision: 0 }, '/effects/revision too_small'],
    ['order.updated', { revision: 1, reference: 'A-1' }, '/effects/reference conflict', '/effects/replace required'],
    [
      'order.updated',
      { replace: 'A-1', revision: 1, stock: { reference: 'A-1', changes: [{ product: 'p', set: 1 }] } },
      '/effects/stock/changes/0/set conflict',
      '/effects/stock/reference conflict',
    ],
    ['order.completed', { replace: 'A-1', revision: 1 }, '/effects conflict'],
  ])('is rejected with misplaced effects of %s: %o', async (type, effects, ...issues) => {
    const shop = await createShop()
    const response = await shop.post('/events', { type, data: {}, effects })
    expect([response.status, toIssues(response)]).toEqual([422, issues])
  })
})
