import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { type ClientOptions, createClient } from '../../packages/client/src/client.ts'
import { createVenue, origin } from '../support/api.ts'

type Fetch = NonNullable<ClientOptions['fetch']>
const service: Fetch = (url, init) => exports.default.fetch(new Request(url, init))

async function connect(fetch: Fetch = service) {
  const { id: merchantId, key } = await createVenue()
  return createClient({ origin, merchantId, key, fetch })
}

/** Sends every request, but loses the first response to each path that takes stock. */
function createLossyFetch(): Fetch {
  const lost = new Set<string>()
  return async (url, init) => {
    const response = await service(url, init)
    if (init.method !== 'POST' || !/\/(stock|events)$/.test(url) || lost.has(url)) return response
    lost.add(url)
    throw new TypeError('connection lost')
  }
}

async function all<Item>(list: AsyncIterable<Item>) {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

const stocked = { title: 'Cake', price: 3, manageStock: true, stockQuantity: 5 }

test('a coupon is held, confirmed, released and listed', async () => {
  const client = await connect()
  await client.coupons.create({ title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10 })
  const held = await client.redemptions.create({ code: 'TEN', order: '1', hold: 300 })
  expect(held).toMatchObject({ code: 'TEN', order: '1', state: 'held', expiresAt: expect.any(Number) })
  expect(await client.redemptions.confirm(held.id)).toMatchObject({ id: held.id, state: 'redeemed' })
  const other = await client.redemptions.create({ code: 'TEN', order: '2', amount: '1.25' })
  expect(other).toMatchObject({ code: 'TEN', state: 'redeemed', amount: 1.25 })
  expect(await client.redemptions.release(held.id)).toMatchObject({ id: held.id, state: 'released' })
  expect(await client.redemptions.retrieve(held.id)).toMatchObject({ order: '1', state: 'released' })
  expect((await all(client.redemptions.list({ limit: 1 }))).map(({ id }) => id)).toEqual([other.id, held.id])
  expect(await all(client.redemptions.list({ state: 'redeemed' }))).toEqual([other])
})

test('a coupon that cannot be redeemed throws the reasons', async () => {
  const client = await connect()
  const { id } = await client.coupons.create({ title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10 })
  expect(await client.coupons.setLimits(id, { maxRedemptions: 1 })).toEqual({ maxRedemptions: 1 })
  const first = await client.redemptions.create({ code: 'TEN', order: '1' })
  await expect(client.redemptions.create({ code: 'TEN', order: '2' })).rejects.toMatchObject({
    status: 409,
    code: 'coupon_not_redeemable',
    reasons: [{ code: 'limit_reached' }],
  })
  expect(await client.redemptions.create({ code: 'TEN', order: '1' })).toEqual(first)
  expect((await client.coupons.retrieve(id)).timesRedeemed).toBe(1)
})

test('stock is adjusted once, even if the response is lost', async () => {
  const client = await connect()
  const { id } = await client.products.create(stocked)
  const lossy = await connect(createLossyFetch())
  const { id: lossyId } = await lossy.products.create(stocked)
  for (const [each, product] of [
    [client, id],
    [lossy, lossyId],
  ] as const) {
    const adjust = (reference: string) =>
      each.stock.adjust({ reference, reason: 'sale', changes: [{ product, delta: -4 }] })
    const result = { reference: '1', changes: [{ product, stockQuantity: 1, soldOut: false }] }
    expect(await adjust('1')).toEqual(result)
    expect(await adjust('1')).toEqual(result)
    expect((await each.products.retrieve(product)).stockQuantity).toBe(1)
    await expect(adjust('2')).rejects.toMatchObject({
      status: 409,
      code: 'insufficient_stock',
      errors: [{ pointer: '/changes/0', available: 1 }],
    })
    expect(await all(each.stock.list({ state: 'low', below: 2 }))).toMatchObject([{ product, stockQuantity: 1 }])
  }
})

test('a product is sold out until further notice, until a time or tomorrow, and available again', async () => {
  const client = await connect()
  const { id } = await client.products.create({ title: 'Cake', price: 3 })
  expect(await client.products.soldOut(id)).toEqual({ soldOut: true, until: 'further_notice' })
  expect(await all(client.stock.list())).toMatchObject([{ product: id, soldOut: true, until: 'further_notice' }])
  const until = Math.floor(Date.now() / 1000) + 3_600
  expect(await client.products.soldOut(id, until)).toEqual({ soldOut: true, until })
  expect(await client.products.soldOut(id, 'tomorrow')).toEqual({ soldOut: true, until: expect.any(Number) })
  expect(await client.products.availability(id)).toMatchObject({ soldOut: true })
  expect(await client.products.available(id)).toEqual({ soldOut: false })
  expect(await client.products.availability(id)).toEqual({ soldOut: false })
})

test('a venue is paused until a time, tomorrow or further notice, and resumed', async () => {
  const client = await connect()
  expect(await client.service.get()).toEqual({ paused: false })
  expect(await client.service.pause()).toEqual({ paused: true })
  const until = Math.floor(Date.now() / 1000) + 3_600
  const message = 'Back soon'
  expect(await client.service.pause(until, { message })).toEqual({ paused: true, until, message })
  expect(await client.service.update({ prepMinutes: 20 })).toEqual({ paused: true, until, message, prepMinutes: 20 })
  expect(await client.service.pause('tomorrow')).toMatchObject({ paused: true, until: expect.any(Number) })
  expect(await client.service.resume()).toEqual({ paused: false, prepMinutes: 20 })
})

test('a quoted order is taken with its effects, once', async () => {
  const client = await connect(createLossyFetch())
  const { id: product } = await client.products.create(stocked)
  await client.coupons.create({ title: 'One', code: 'ONE', type: 'FIXED', value: 1 })
  const { orderable, total, coupons } = await client.quotes.create({
    items: [{ product, quantity: 2 }],
    coupons: ['ONE'],
  })
  expect([orderable, total, coupons[0]?.amount]).toEqual([true, 5, 1])
  const effects = {
    stock: { changes: [{ product, delta: -2 }] },
    redemptions: [{ code: 'ONE', order: '1', amount: 1 }],
  }
  const take = () => client.events.publish('order.created', { total }, { idempotencyKey: 'order-1', effects })
  const taken = await take()
  expect(taken.effects).toMatchObject({ stock: { reference: 'order-1' }, redemptions: [{ state: 'redeemed' }] })
  expect(await take()).toEqual(taken)
  expect((await client.products.retrieve(product)).stockQuantity).toBe(3)
  expect(await all(client.redemptions.list())).toHaveLength(1)
  expect(await all(client.events.list({ types: ['order.created'] }))).toMatchObject([{ id: taken.id }])
})

test('an order is cancelled once, although the response is lost', async () => {
  const client = await connect(createLossyFetch())
  const cake = await client.products.create(stocked)
  const effects = { stock: { reference: 'A-1', changes: [{ product: cake.id, delta: -2 }] } }
  await client.events.publish('order.created', { orderId: 'A-1' }, { effects })
  await client.orders.update({ orderId: 'A-1', table: '7' })
  const changes = [{ product: cake.id, delta: -4 }]
  const change = { effects: { replace: 'A-1', revision: 1, stock: { changes } } }
  const changed = await client.orders.update({ orderId: 'A-1' }, change)
  expect(changed.effects?.stock?.changes).toMatchObject([{ product: cake.id, stockQuantity: 1 }])
  expect(await client.orders.update({ orderId: 'A-1' }, change)).toEqual(changed)
  const cancelled = await client.orders.cancel('A-1')
  expect(cancelled.effects?.stock?.changes).toMatchObject([{ product: cake.id, stockQuantity: 5 }])
  expect(await client.orders.cancel('A-1', { data: { reason: 'again' } })).toEqual(cancelled)
  await client.orders.complete({ orderId: 'A-2' })
  const events = await all(client.events.list({ types: ['order.updated', 'order.cancelled', 'order.completed'] }))
  expect(events.map(({ type, data }) => [type, data])).toEqual([
    ['order.updated', { orderId: 'A-1', table: '7' }],
    ['order.updated', { orderId: 'A-1' }],
    ['order.cancelled', { reference: 'A-1' }],
    ['order.completed', { orderId: 'A-2' }],
  ])
  await expect(client.events.publish('order.created', { orderId: 'A-1' }, { effects })).rejects.toMatchObject({
    status: 409,
    code: 'order_cancelled',
  })
})
