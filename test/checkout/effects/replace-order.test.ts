import { describe, expect, test } from 'vitest'
import { observe } from '../../support/d1.ts'
import { moveTo } from '../../support/moves.ts'
import { cancel, createEffects, createShop, listTypes, readState, take } from './cancelled-orders.ts'
import { amounts, redeems, replace, takes, toOutcome } from './replaced-orders.ts'

describe.each(['d1', 'object'])('a changed order in a merchant of home %s', (home) => {
  test('makes the difference in one call of the database, once for each revision', async () => {
    const shop = await createShop(home)
    await take(shop, createEffects(shop))
    const json = {
      type: 'order.updated',
      data: { n: 2 },
      effects: { replace: 'A-1', revision: 1, ...takes([shop.cake, -1], [shop.tart, -2]), ...redeems(3) },
    }
    const { status, body, trips } = await observe('POST', shop.path('/events'), { key: shop.key, json })
    expect([status, home === 'd1' ? trips.length : 1]).toEqual([202, 1])
    expect(body).toEqual({
      id: expect.stringMatching(/^evt_/),
      effects: {
        stock: {
          reference: body.id,
          changes: [
            { product: shop.cake, stockQuantity: 4, soldOut: false },
            { product: shop.tart, stockQuantity: 3, soldOut: false },
          ],
        },
        redemptions: [expect.objectContaining({ code: 'TEN', amount: 3, state: 'redeemed' })],
      },
    })
    expect(await readState(shop)).toEqual([4, 3, 1])
    expect((await listTypes(shop)).slice(-2)).toEqual(['order.updated', 'stock.changed'])
    const again = await replace(shop, 1, { ...takes([shop.tart, -2], [shop.cake, -1]), ...redeems(3) })
    expect([again.status, again.body]).toEqual([202, body])
    expect(toOutcome(await replace(shop, 1, takes([shop.cake, -1])))).toEqual([409, 'order_changed'])
    expect((await replace(shop, 3, takes([shop.cake, -5]))).status).toBe(202)
    expect(toOutcome(await replace(shop, 2, takes([shop.cake, -1])))).toEqual([409, 'order_changed'])
    expect(toOutcome(await replace(shop, 1, { ...takes([shop.cake, -1], [shop.tart, -2]), ...redeems(3) }))).toEqual([
      409,
      'order_changed',
    ])
    expect(await readState(shop)).toEqual([0, 5, 1])
    expect((await listTypes(shop)).filter((type) => type === 'order.updated')).toHaveLength(2)
    // The order itself is still the first event.
    expect((await take(shop, createEffects(shop))).status).toBe(202)
    expect(await readState(shop)).toEqual([0, 5, 1])
  })

  test('that is short in stock or has a coupon that cannot be redeemed changes nothing', async () => {
    const shop = await createShop(home)
    await take(shop, createEffects(shop))
    await shop.post('/coupons', { title: 'Off', code: 'OFF', type: 'FIXED', value: 1, active: false })
    const types = await listTypes(shop)
    expect(toOutcome(await replace(shop, 1, { ...takes([shop.tart, -1], [shop.cake, -6]), ...redeems(3) }))).toEqual([
      409,
      'insufficient_stock',
      '/effects/stock/changes/1 insufficient_stock',
    ])
    expect(toOutcome(await replace(shop, 1, { ...takes([shop.cake, -1]), ...redeems(1, 'OFF') }))).toEqual([
      409,
      'coupon_not_redeemable',
      '/effects/redemptions/0/code inactive',
    ])
    expect(toOutcome(await replace(shop, 1, takes(['prod_none', -1])))).toEqual([
      422,
      'invalid_request',
      '/effects/stock/changes/0/product not_found',
    ])
    expect([await readState(shop), await amounts(shop)]).toEqual([[3, 5, 1], ['TEN redeemed 1']])
    expect(await listTypes(shop)).toEqual(types)
    const more = { stock: { oversell: true, ...takes([shop.cake, -6]).stock } }
    expect((await replace(shop, 1, more)).status).toBe(202)
    expect(await readState(shop)).toEqual([-1, 5, 1])
  })

  test('keeps absent effects, and takes and redeems nothing with null', async () => {
    const shop = await createShop(home)
    await take(shop, createEffects(shop))
    const states: unknown[] = []
    const { redemptions, stock } = { ...takes([shop.cake, -4]), ...redeems(2) }
    for (const [index, effects] of [
      { redemptions },
      { stock },
      { redemptions: [] },
      { stock: null },
      { redemptions: null },
      { stock: null, redemptions },
      {},
    ].entries()) {
      expect((await replace(shop, index + 1, effects)).status).toBe(202)
      states.push([...(await readState(shop)), ...(await amounts(shop))])
    }
    expect(states).toEqual([
      [3, 5, 1, 'TEN redeemed 2'],
      [1, 5, 1, 'TEN redeemed 2'],
      [1, 5, 0, 'TEN released 2'],
      [5, 5, 0, 'TEN released 2'],
      [5, 5, 0, 'TEN released 2'],
      [5, 5, 1, 'TEN redeemed 2'],
      [5, 5, 1, 'TEN redeemed 2'],
    ])
  })

  test('is cancelled as it is, and cannot change after it', async () => {
    const shop = await createShop(home)
    await shop.post('/coupons', { title: 'Two', code: 'TWO', type: 'FIXED', value: 2 })
    await take(shop, createEffects(shop))
    const headers = { 'Idempotency-Key': 'change' }
    const effects = { ...takes([shop.tart, -3]), ...redeems(1, 'TWO') }
    expect((await replace(shop, 7, effects, headers)).status).toBe(202)
    expect([await readState(shop), await amounts(shop)]).toEqual([
      [5, 2, 0],
      ['TWO redeemed 1', 'TEN released 1'],
    ])
    const { body } = await cancel(shop)
    expect(body.effects).toEqual({
      stock: { reference: body.id, changes: [{ product: shop.tart, stockQuantity: 5, soldOut: false }] },
      redemptions: [expect.objectContaining({ code: 'TWO', state: 'released' })],
    })
    expect(await readState(shop)).toEqual([5, 5, 0])
    for (const [revision, given] of [
      [7, headers],
      [7, {}],
      [8, {}],
    ] as const) {
      expect(toOutcome(await replace(shop, revision, effects, given))).toEqual([409, 'order_cancelled'])
    }
    expect((await cancel(shop)).body).toEqual(body)
  })

  test('moves to the other home with its revision', async () => {
    const shop = await createShop(home)
    await take(shop, createEffects(shop))
    const effects = { ...takes([shop.cake, -3]), redemptions: [] }
    const { body } = await replace(shop, 4, effects)
    await moveTo(shop.id, home === 'd1' ? 'object' : 'd1')
    expect((await replace(shop, 4, effects)).body).toEqual(body)
    expect(toOutcome(await replace(shop, 3, effects))).toEqual([409, 'order_changed'])
    expect((await replace(shop, 5, redeems(2))).status).toBe(202)
    expect(await readState(shop)).toEqual([2, 5, 1])
    await cancel(shop)
    expect(await readState(shop)).toEqual([5, 5, 0])
  })

  test('by 20 tills at once is changed once for each revision', async () => {
    const shop = await createShop(home)
    await take(shop, createEffects(shop))
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, till) => replace(shop, 1 + (till % 2), takes([shop.cake, -1 - (till % 2)]))),
    )
    const ids = responses.map(({ body }) => body.id ?? body.code)
    expect(new Set(ids.filter((_, till) => till % 2 === 1)).size).toBe(1)
    expect(new Set(ids.filter((id, till) => till % 2 === 0 && id !== 'order_changed')).size).toBeLessThanOrEqual(1)
    expect(await readState(shop)).toEqual([3, 5, 1])
  })
})
