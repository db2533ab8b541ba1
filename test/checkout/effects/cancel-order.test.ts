import { afterEach, describe, expect, test, vi } from 'vitest'
import { call, createKey, toIssues } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'
import { cancel, createEffects, createShop, listTypes, readState, take } from './cancelled-orders.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe.each(['d1', 'object'])('a cancelled order in a merchant of home %s', (home) => {
  test('gives back its stock and releases its redemptions in one call of the database', async () => {
    const shop = await createShop(home)
    const taken = await take(shop, createEffects(shop))
    const json = { type: 'order.cancelled', data: { why: 'guest left' }, effects: { undo: 'A-1' } }
    const { status, body, trips } = await observe('POST', shop.path('/events'), { key: shop.key, json })
    expect([status, home === 'd1' ? trips.length : 1]).toEqual([202, 1])
    expect(body).toEqual({
      id: expect.stringMatching(/^evt_/),
      effects: {
        stock: { reference: body.id, changes: [{ product: shop.cake, stockQuantity: 5, soldOut: false }] },
        redemptions: [expect.objectContaining({ id: taken.body.effects.redemptions[0].id, state: 'released' })],
      },
    })
    expect(await readState(shop)).toEqual([5, 5, 0])
    expect((await listTypes(shop)).slice(-3)).toEqual(['order.cancelled', 'stock.changed', 'coupon.released'])
    expect((await shop.get('/audit?operation=events.publish')).body[0].object).toBe(body.id)
  })

  test('is undone once, by 20 tills at once and with any key', async () => {
    const shop = await createShop(home)
    await take(shop, createEffects(shop))
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => cancel(shop, 'A-1', n % 2 ? { 'Idempotency-Key': `k${n}` } : {})),
    )
    expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
    expect(responses[0]?.status).toBe(202)
    expect(await readState(shop)).toEqual([5, 5, 0])
    const types = await listTypes(shop)
    expect(types.filter((type) => type === 'order.cancelled')).toHaveLength(1)
    const again = await cancel(shop, 'A-1', { 'Idempotency-Key': 'k1' })
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([responses[0]?.body, 'true'])
  })

  test('is order_cancelled when it is published again, with its own key too', async () => {
    const shop = await createShop(home)
    for (const [order, effects, key] of [
      ['A-1', createEffects(shop, 'A-1'), 'A-1'],
      ['A-2', createEffects(shop, 'A-2'), 'another key'],
      ['A-3', { ...createEffects(shop, 'x'), reference: 'A-3' }, 'a third key'],
      ['A-4', { redemptions: [{ code: 'TEN', order: 'A-4' }] }, 'A-4'],
      ['A-5', { redemptions: [{ code: 'TEN', order: 'other' }] }, 'A-5'],
    ] as const) {
      const headers = { 'Idempotency-Key': key }
      const taken = await take(shop, effects, headers)
      expect([taken.status, (await take(shop, effects, headers)).body]).toEqual([202, taken.body])
      expect((await cancel(shop, order)).status, order).toBe(202)
      for (const given of [headers, {}, { 'Idempotency-Key': `${key}?` }]) {
        const named = order === 'A-5' ? { reference: order, ...effects } : effects
        const again = await take(shop, given === headers ? effects : named, given)
        expect([again.status, again.body.code], `${order} ${JSON.stringify(given)}`).toEqual([409, 'order_cancelled'])
      }
    }
    expect(await readState(shop)).toEqual([5, 5, 0])
  })
})

describe('an order', () => {
  test.each([
    ['before it arrived', 'A-1'],
    ['of another reference', 'B'],
  ])('that is cancelled %s is unknown', async (_, undo) => {
    const shop = await createShop()
    if (undo === 'B') await take(shop, createEffects(shop))
    const { status, body } = await cancel(shop, undo)
    expect([status, body.code]).toEqual([409, 'unknown_order'])
    // No trace is left: the order arrives and is taken.
    expect((await take(shop, createEffects(shop))).status).toBe(202)
    expect(await readState(shop)).toEqual([3, 5, 1])
    expect((await cancel(shop)).status).toBe(202)
  })

  test('of more than 400 days ago is unknown', async () => {
    const shop = await createShop()
    const days = (count: number) => Date.now() + count * 86_400_000
    await take(shop, createEffects(shop))
    await take(shop, { redemptions: [{ code: 'TEN', order: 'A-2' }] })
    vi.useFakeTimers({ now: days(401), toFake: ['Date'] })
    for (const order of ['A-1', 'A-2']) expect((await cancel(shop, order)).body.code).toBe('unknown_order')
    vi.useFakeTimers({ now: days(-2), toFake: ['Date'] })
    for (const order of ['A-1', 'A-2']) expect((await cancel(shop, order)).status).toBe(202)
  })

  test('gives back what set has changed, and names products that are gone or no longer managed', async () => {
    const shop = await createShop()
    const { id: gone } = (await shop.post('/products', { title: 'Pie', price: 1, manageStock: true, stockQuantity: 9 }))
      .body
    const changes = [
      { product: shop.cake, set: 1 },
      { product: shop.tart, delta: -1.5 },
      { product: gone, delta: -1 },
    ]
    await take(shop, { stock: { reference: 'A-1', changes } })
    await shop.post('/stock', {
      reference: 'more',
      reason: 'delivery',
      changes: [{ product: shop.cake, delta: 10 }],
    })
    await shop.post(`/products/${shop.tart}`, { manageStock: false })
    await shop.remove(`/products/${gone}`)
    const { body } = await cancel(shop)
    expect(body.effects).toEqual({
      stock: { reference: body.id, changes: [{ product: shop.cake, stockQuantity: 15, soldOut: false }] },
      skipped: [shop.tart, gone],
    })
    expect((await cancel(shop)).body).toEqual(body)
    expect((await readState(shop)).slice(0, 2)).toEqual([15, 3.5])
  })

  test('needs the scopes of what it has changed', async () => {
    const shop = await createShop()
    await take(shop, createEffects(shop, 'A-1'))
    await take(shop, { redemptions: [{ code: 'TEN', order: 'A-2' }] })
    const [events, stock, coupons] = await Promise.all(
      [[], ['stock:write'], ['redemptions:write']].map((scopes) =>
        createKey(shop.id, { mode: 'live', scopes: ['events:write', ...scopes] }),
      ),
    )
    const ask = (key: string | undefined, undo: string) =>
      call('POST', shop.path('/events'), key, { type: 'order.cancelled', data: {}, effects: { undo } })
    for (const key of [events, stock, coupons]) expect((await ask(key?.key, 'A-1')).status).toBe(403)
    for (const key of [events, stock]) expect((await ask(key?.key, 'A-2')).status).toBe(403)
    expect(await readState(shop)).toEqual([3, 5, 2])
    expect((await ask(coupons?.key, 'A-2')).status).toBe(202)
    expect((await ask(stock?.key, 'A-2')).status).toBe(403)
  })

  test('of an earlier release is found by its redemptions, and not supported without recorded differences', async () => {
    const shop = await createShop()
    await take(shop, createEffects(shop, 'A-1'))
    await take(shop, { redemptions: [{ code: 'TEN', order: 'A-2' }] })
    await take(shop, { ...createEffects(shop, 'S'), redemptions: [{ code: 'TEN', order: 'A-3' }], reference: 'R' })
    await take(shop, { redemptions: [{ code: 'TEN', order: 'A-4' }] })
    await queryHome(shop.id, 'update redemptions set order_reference = null where merchant_id = ?', shop.id)
    await queryHome(
      shop.id,
      `update stock_adjustments set order_reference = null, order_key = null,
        changes = (select json_group_array(json_object('product', value ->> 0, 'stockQuantity', value ->> 2)) from json_each(changes)) where merchant_id = ?`,
      shop.id,
    )
    await queryHome(shop.id, 'delete from orders where merchant_id = ?', shop.id)
    const outcomes: unknown[] = []
    for (const order of ['A-1', 'A-2', 'S', 'A-3', 'R']) {
      const { status, body } = await cancel(shop, order)
      outcomes.push([order, status, body.code])
    }
    expect(outcomes).toEqual([
      ['A-1', 409, 'not_supported'],
      ['A-2', 202, undefined],
      ['S', 409, 'not_supported'],
      // Its redemptions belong to the order with the stock.
      ['A-3', 409, 'unknown_order'],
      ['R', 409, 'unknown_order'],
    ])
    await shop.post('/coupons', { title: 'Two', code: 'TWO', type: 'FIXED', value: 2 })
    await take(shop, { redemptions: [{ code: 'TWO', order: 'A-4' }] })
    expect((await cancel(shop, 'A-4')).body.code).toBe('conflict')
    expect(await readState(shop)).toEqual([1, 5, 3])
  })

  test.each([
    ['order.created', { undo: 'A-1' }, '/effects/undo conflict'],
    ['order.cancelled', { stock: null, redemptions: [] }, '/effects/redemptions conflict', '/effects/undo required'],
    ['order.cancelled', { undo: 'A-1', reference: 'A-1' }, '/effects/reference conflict'],
    ['order.cancelled', { undo: '' }, '/effects/undo too_short'],
    ['order.completed', { undo: 'A-1' }, '/effects conflict'],
    [
      'order.updated',
      { undo: 'A-1' },
      '/effects/replace required',
      '/effects/revision required',
      '/effects/undo conflict',
    ],
  ])('rejects misplaced effects of %s: %o', async (type, effects, ...issues) => {
    const shop = await createShop()
    const response = await shop.post('/events', { type, data: {}, effects })
    expect([response.status, toIssues(response)]).toEqual([422, issues])
  })

  test('has a reference that no other order has', async () => {
    const shop = await createShop()
    await take(shop, { reference: 'A-1' })
    expect((await take(shop, { reference: 'A-1' })).status).toBe(202)
    const other = await take(shop, { reference: 'A-1', ...createEffects(shop, 'x') })
    expect([other.status, other.body.errors]).toMatchObject([
      409,
      [{ pointer: '/effects/reference', code: 'conflict' }],
    ])
    await take(shop, createEffects(shop, 'B'))
    expect((await take(shop, { reference: 'B' })).status).toBe(409)
    const twice = {
      redemptions: [
        { code: 'TEN', order: 'x' },
        { code: 'TWO', order: 'y' },
      ],
    }
    expect(toIssues(await take(shop, twice))).toEqual(['/effects/reference required'])
    expect(await readState(shop)).toEqual([3, 5, 1])
  })
})
