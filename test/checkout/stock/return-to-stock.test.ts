import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { returnBounds } from '../../../src/checkout/stock/return-marks.ts'
import { returnToStock } from '../../../src/checkout/stock/return-to-stock.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { createKey, createVenue, type Venue } from '../../support/api.ts'
import { watch } from '../../support/d1.ts'
import { interceptD1, moveTo } from '../../support/moves.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

beforeEach(() =>
  env.DB.prepare('delete from availability')
    .run()
    .then(() => undefined),
)

const now = () => Math.floor(Date.now() / 1000)
const run = () => returnToStock(env, directoryDatabase(env), Date.now())

test('a mark that ends raises one event for each merchant and mode, from its second on', async () => {
  const harness = await createWebhookHarness()
  const tests = await createKey(harness.venue.id, { mode: 'test' })
  await harness.createWebhook({ events: ['product.back_in_stock'] })
  const create = async (venue: { post: typeof tests.post }, until: unknown, fields: object = {}) => {
    const { id } = (await venue.post('/products', { title: 'Cake', price: 3, ...fields })).body
    await venue.post(`/products/${id}/availability`, { soldOut: true, until })
    return id
  }
  const until = now() + 60
  const [first, second] = [await create(harness.venue, until), await create(harness.venue, until - 30)]
  const later = await create(harness.venue, until + 1)
  const empty = await create(harness.venue, until, { manageStock: true, stockQuantity: 0 })
  const other = await create(tests, until)
  await harness.deliver()

  vi.setSystemTime((until - 31) * 1000)
  expect(await run()).toBe(0)
  vi.setSystemTime(until * 1000)
  expect(await run()).toBe(2)
  expect(await run()).toBe(0)
  const listEvents = async ({ get }: { get: typeof tests.get }) =>
    (await get('/events?limit=100')).body.filter(({ type }: { type: string }) => type === 'product.back_in_stock')
  expect(await listEvents(tests)).toMatchObject([{ testMode: true, data: { products: [other], soldOut: [] } }])
  const [event, ...others] = await listEvents(harness.venue)
  expect(others).toEqual([])
  expect([...event.data.products].sort()).toEqual([first, second].sort())
  expect(event.data).toMatchObject({ soldOut: [later, empty].sort(), truncated: false })
})

test('its deliveries are enqueued', async () => {
  const venue = await createVenue()
  await venue.post('/webhooks', { title: 'Till', url: 'https://hooks.example.com/', events: ['product.back_in_stock'] })
  const { id } = (await venue.post('/products', { title: 'Cake', price: 3 })).body
  await venue.post(`/products/${id}/availability`, { soldOut: true, until: now() + 5 })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 })
  const sent: unknown[] = []
  const queue = Object.assign(Object.create(null), {
    async sendBatch(messages: Iterable<{ body: unknown }>) {
      for (const { body } of messages) sent.push(body)
    },
  })
  expect(await returnToStock({ ...env, DELIVERIES: queue }, directoryDatabase(env), Date.now())).toBe(1)
  expect(sent).toMatchObject([{ merchant: venue.id, n: 1 }])
})

const createDelivery = (product: string) => ({
  reference: product,
  reason: 'delivery',
  changes: [{ product, delta: 5 }],
})

test.each<[string, (venue: Venue, product: string) => Promise<{ status: number }>]>([
  ['delivery', (venue, product) => venue.post('/stock', createDelivery(product))],
  ['update', (venue, product) => venue.post(`/products/${product}`, { stockQuantity: 5 })],
  [
    'batch',
    (venue, id) =>
      venue.post('/batch', { operations: [{ op: 'update', resource: 'products', id, body: { stockQuantity: 5 } }] }),
  ],
  [
    'order',
    (venue, product) =>
      venue.post('/events', { type: 'order.created', data: {}, effects: { stock: createDelivery(product) } }),
  ],
])('a product whose mark has ended, and which is then filled up by a %s, returns once', async (_, fill) => {
  const venue = await createVenue()
  const create = async (): Promise<string> => {
    const product = { title: 'Cake', price: 3, manageStock: true, stockQuantity: 0 }
    const { id } = (await venue.post('/products', product)).body
    await venue.post(`/products/${id}/availability`, { soldOut: true, until: now() + 5 })
    return id
  }
  const [first, second] = [await create(), await create()]
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
  const listReturned = async () => {
    await run()
    const events: { data: { products: string[] } }[] = (await venue.get('/events?types=product.back_in_stock')).body
    return events.map(({ data }) => data.products)
  }
  expect((await fill(venue, first)).status).toBeLessThan(300)
  expect(await listReturned()).toEqual([[first]])
  await fill(venue, second)
  expect(await listReturned()).toEqual([[first], [second]])
})

test('any number of merchants takes two calls of the database', async () => {
  const merchants: string[] = []
  for (let n = 0; n < 3; n++) {
    const venue = await createVenue()
    const { id } = (await venue.post('/products', { title: 'Cake', price: 3 })).body
    await venue.post(`/products/${id}/availability`, { soldOut: true, until: now() + 5 })
    merchants.push(venue.id)
  }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 })
  const { database, trips } = watch(env.DB)
  expect(await returnToStock(env, directoryDatabase({ ...env, DB: database }), Date.now())).toBe(3)
  expect(trips).toHaveLength(2)
  expect(merchants.length).toBeLessThan(returnBounds.scopes)
})

test('a merchant whose data moves away in between is left to the new home', async () => {
  const venue = await createVenue({ home: 'd1' })
  const { id } = (await venue.post('/products', { title: 'Cake', price: 3 })).body
  await venue.post(`/products/${id}/availability`, { soldOut: true, until: now() + 5 })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 })
  const move = vi.fn(async () => {
    expect(await moveTo(venue.id, 'object')).toMatchObject({ state: 'done' })
  })
  const DB = interceptD1(/^insert into "?events"?.*product\.back_in_stock/s, move)
  expect(await returnToStock(env, directoryDatabase({ ...env, DB }), Date.now())).toBe(0)
  expect(move).toHaveBeenCalledOnce()
  const left = (table: string) =>
    env.DB.prepare(`select count(*) as n from ${table} where merchant_id = ?`).bind(venue.id).first('n')
  expect([await left('availability'), await left('events')]).toEqual([1, 3])
})
