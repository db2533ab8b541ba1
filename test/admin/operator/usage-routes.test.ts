import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { resourcePaths } from '../../../src/platform/names.ts'
import { adminToken, call, createKey, createVenue, send } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { filling } from '../../support/filled.ts'
import { tables } from '../../support/tables.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const usage = async (id: string) => (await call('GET', `/admin/merchants/${id}/usage`, adminToken)).body
const none = { live: 0, test: 0 }

test('usage counts the objects of a merchant by resource and mode', async () => {
  const venue = await createVenue()
  const tester = await createKey(venue.id, { mode: 'test' })
  const empty = await usage(venue.id)
  expect(empty).toEqual({
    objects: Object.fromEntries(resourcePaths.map((path) => [path, none])),
    // The audit log.
    bytes: expect.any(Number),
    deliveries: { pending: 0, failed: 0 },
  })
  for (const n of [1, 2]) await venue.post('/products', { title: `Tea ${n}`, price: 1 })
  await tester.post('/customers', { firstName: 'A', lastName: 'B' })
  await (await createVenue()).post('/products', { title: 'Other', price: 1 })
  const used = await usage(venue.id)
  expect(used.objects).toMatchObject({ products: { live: 2, test: 0 }, customers: { live: 0, test: 1 } })
  expect(used.bytes).toBeGreaterThan(500)
  await venue.post('/products', { title: 'Long', price: 1, description: 'é'.repeat(1_000) })
  // The product and its event.
  expect((await usage(venue.id)).bytes - used.bytes).toBeGreaterThan(4_000)
})

test('usage counts pending and failed deliveries', async () => {
  const harness = await createWebhookHarness()
  await harness.createWebhook()
  const createdAt = Math.floor(Date.now() / 1000)
  await harness.post('/products', { title: 'Tea', price: 1 })
  await harness.advance(10)
  harness.endpoint = () => new Response(null, { status: 500 })
  const pendingSince = Math.floor(Date.now() / 1000)
  await harness.post('/products', { title: 'Coffee', price: 1 })
  await harness.deliver()
  expect(pendingSince).toBe(createdAt + 10)
  expect((await usage(harness.venue.id)).deliveries).toEqual({ pending: 1, failed: 0, oldestPendingAt: pendingSince })
  await env.DB.exec(`update deliveries set state = 'failed' where state = 'pending'`)
  expect((await usage(harness.venue.id)).deliveries).toEqual({ pending: 0, failed: 1 })
})

test('usage reads every table in one round trip, beside the merchant', async () => {
  const every = new Set(tables.map(getTableName))
  await env.DB.batch(filling(every, 1).map((sql) => env.DB.prepare(sql)))
  const { status, trips, body } = await observe('GET', '/admin/merchants/mer_1/usage', { key: adminToken })
  expect([status, trips.length]).toEqual([200, 2])
  expect(body.objects.webhooks).toEqual({ live: 1, test: 1 })
})

test('usage is for the operator, and of an existing merchant', async () => {
  expect((await send('/admin/merchants/mer_1/usage')).status).toBe(401)
  expect((await call('GET', '/admin/merchants/mer_unknown/usage', adminToken)).status).toBe(404)
})

test('merchants are found by a part of their name or id, page by page', async () => {
  const ids: string[] = []
  for (const name of ['Otter 1', 'the OTTER', 'Badger', 'Café ÉTÉ']) ids.push((await createVenue({ name })).id)
  const find = async (search: string) =>
    (await call('GET', `/admin/merchants?${search}`, adminToken)).body.map(({ name }: { name: string }) => name)
  expect(await find('q=otter')).toEqual(['the OTTER', 'Otter 1'])
  expect(await find('q=%C3%89T%C3%89')).toEqual(['Café ÉTÉ'])
  expect(await find(`q=${ids[2]?.toUpperCase()}`)).toEqual(['Badger'])
  expect(await find('q=%25')).toEqual([])
  expect(await find('q=_')).toContain('Badger')
  const first = await call('GET', '/admin/merchants?q=otter&limit=1', adminToken)
  const [, next = ''] = /<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? []
  expect([first.body[0].name, (await call('GET', next, adminToken)).body[0].name]).toEqual(['the OTTER', 'Otter 1'])
  expect((await call('GET', next.replace('q=otter', 'q=badger'), adminToken)).status).toBe(422)
})
