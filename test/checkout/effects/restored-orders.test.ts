import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { backUp, restore } from '../../tenancy/backup/restores.ts'
import { cancel, createEffects, createShop, readState, take } from './cancelled-orders.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.useRealTimers()
})

test.each(['d1', 'object'])('orders of a restored backup are changed and cancelled in home %s', async (home) => {
  const shop = await createShop(home)
  const change = (revision: number, units: number, order = 'A-2') =>
    shop.post('/events', {
      type: 'order.updated',
      data: {},
      effects: {
        replace: order,
        revision,
        stock: { changes: [{ product: shop.cake, delta: -units }] },
        redemptions: [],
      },
    })
  for (const order of ['A-1', 'A-2', 'A-3']) {
    await take(shop, { stock: { reference: order, changes: [{ product: shop.cake, delta: -1 }] } })
  }
  await take(shop, { reference: 'A-4', redemptions: createEffects(shop, 'x').redemptions })
  const changed = await change(3, 2)
  const cancelled = await cancel(shop, 'A-3')
  const before = await readState(shop)
  const takenAt = await backUp(shop.id)
  for (const order of ['A-1', 'A-2', 'A-4']) expect((await cancel(shop, order)).status).toBe(202)

  await restore(shop.id, takenAt)
  expect(await readState(shop)).toEqual(before)
  expect((await change(3, 2)).body).toEqual(changed.body)
  expect((await change(2, 1)).body.code).toBe('order_changed')
  expect((await cancel(shop, 'A-3')).body).toEqual(cancelled.body)
  expect((await change(4, 1)).status).toBe(202)
  for (const order of ['A-1', 'A-2', 'A-4']) expect((await cancel(shop, order)).status, order).toBe(202)
  expect(await readState(shop)).toEqual([5, 5, 0])
})
