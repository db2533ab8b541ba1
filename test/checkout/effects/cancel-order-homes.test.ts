import { expect, test } from 'vitest'
import { queryHome } from '../../support/home.ts'
import { moveTo } from '../../support/moves.ts'
import { cancel, createEffects, createShop, readState, take } from './cancelled-orders.ts'

test.each([
  ['d1', 'object'],
  ['object', 'd1'],
] as const)('an order that was taken in home %s is cancelled in home %s, once', async (from, to) => {
  const shop = await createShop(from)
  const named = { ...createEffects(shop, 'x'), reference: 'A-2' }
  const headers = { 'Idempotency-Key': 'A-1' }
  await take(shop, createEffects(shop), headers)
  await take(shop, named)
  const before = await cancel(shop, 'A-2')
  expect((await moveTo(shop.id, to)).state).toBe('done')
  expect(await readState(shop)).toEqual([3, 5, 1])
  expect((await cancel(shop, 'A-2')).body).toEqual(before.body)
  const { status, body } = await cancel(shop)
  expect([status, body.effects.stock.changes]).toEqual([
    202,
    [{ product: shop.cake, stockQuantity: 5, soldOut: false }],
  ])
  for (const [effects, key] of [
    [createEffects(shop), 'A-1'],
    [named, 'A-2'],
  ] as const) {
    expect((await take(shop, effects, { 'Idempotency-Key': key })).body.code).toBe('order_cancelled')
  }
  expect((await moveTo(shop.id, from)).state).toBe('done')
  expect((await cancel(shop)).body).toEqual(body)
  expect((await take(shop, createEffects(shop))).body.code).toBe('order_cancelled')
  expect(await readState(shop)).toEqual([5, 5, 0])
})

test.each([
  ['every key', 'd1', []],
  ['every key, after a move and back', 'd1', ['object', 'd1']],
  ['every key, after a move and back', 'object', ['d1', 'object']],
] as const)('a cancelled order is order_cancelled with %s, from %s', async (_, home, moves) => {
  const shop = await createShop(home)
  const effects = createEffects(shop)
  const keys = ['A-1', 'repeated', 'another till']
  const repeat = () =>
    Promise.all(keys.map(async (key) => (await take(shop, effects, { 'Idempotency-Key': key })).body.code))
  await take(shop, effects, { 'Idempotency-Key': 'A-1' })
  expect(await repeat()).toEqual([undefined, undefined, undefined])
  const [away, back] = moves
  if (away) expect((await moveTo(shop.id, away)).state).toBe('done')
  expect((await cancel(shop)).status).toBe(202)
  expect(await repeat()).toEqual(['order_cancelled', 'order_cancelled', 'order_cancelled'])
  if (back) expect((await moveTo(shop.id, back)).state).toBe('done')
  expect(await repeat()).toEqual(['order_cancelled', 'order_cancelled', 'order_cancelled'])
  expect(await readState(shop)).toEqual([5, 5, 0])
})

test('an order writes no row more than before, unless it has a reference of its own', async () => {
  const shop = await createShop()
  const count = async () => {
    const tables = ['orders', 'stock_adjustments', 'redemptions', 'events', 'audit', 'idempotency_keys']
    const selected = tables.map((table) => `(select count(*) from ${table})`)
    const [row] = await queryHome(shop.id, `select ${selected.join(" || ' ' || ")} as counts`)
    return String(row?.['counts']).split(' ').map(Number)
  }
  const difference = async (write: () => Promise<unknown>) => {
    const before = await count()
    await write()
    return (await count()).map((value, index) => value - (before[index] ?? 0))
  }
  const key = { 'Idempotency-Key': 'till-7' }
  expect(await difference(() => take(shop, createEffects(shop, 'A-1'), key))).toEqual([0, 1, 1, 3, 1, 1])
  expect(await difference(() => take(shop, { redemptions: [{ code: 'TEN', order: 'A-2' }] }))).toEqual([
    0, 0, 1, 2, 1, 0,
  ])
  const stock = { reference: 'A-3', changes: [{ product: shop.tart, delta: -2 }] }
  expect(await difference(() => take(shop, { stock }))).toEqual([0, 1, 0, 2, 1, 0])
  expect(await difference(() => take(shop, { reference: 'R', stock: { ...stock, reference: 'S' } }))).toEqual([
    1, 1, 0, 2, 1, 0,
  ])
})
