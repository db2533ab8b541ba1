import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { observe, rowsRead } from '../../support/d1.ts'
import { createWebhookHarness, type WebhookHarness } from '../../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const product = { title: 'Tea', price: 4.5 }
const listSubscriptions = ({ venue, query }: WebhookHarness) =>
  query(
    `select w.id, w.test_mode, s.type from subscriptions as s join webhooks as w on w.seq = s.webhook
     where s.merchant_id = ? and w.merchant_id = s.merchant_id and w.test_mode = s.test_mode order by 1, 3`,
    venue.id,
  )
/** The subscriptions that the webhooks' columns state. */
const asked = ({ venue, query }: WebhookHarness) =>
  query(
    `select w.id, w.test_mode, value as type from webhooks as w, json_each(w.events)
     where w.merchant_id = ? and w.active order by 1, 3`,
    venue.id,
  )
const countOf = async ({ query }: WebhookHarness) => (await query('select count(*) as n from subscriptions'))[0]?.['n']

describe('subscriptions', () => {
  test('are those of the active webhooks, after any change of these', async () => {
    const harness = await createWebhookHarness()
    const before = Number(await countOf(harness))
    const [first, second] = [
      await harness.createWebhook({ events: ['product.created', 'menu.updated'] }),
      await harness.createWebhook(),
    ]
    await harness.createWebhook({ active: false })
    for (const [id, change, count] of [
      [first.id, { title: 'Kitchen' }, 3],
      [first.id, { events: ['menu.updated', 'coupon.created', 'tag.deleted'] }, 4],
      [first.id, { active: false }, 1],
      [first.id, { events: ['*'] }, 1],
      [first.id, { active: true, events: ['order.created', '*'] }, 3],
      [second.id, { events: [] }, 2],
      [second.id, { events: ['customer.created'] }, 3],
    ] as const) {
      expect((await harness.post(`/webhooks/${id}`, change)).status).toBe(200)
      const found = await listSubscriptions(harness)
      expect(found).toEqual(await asked(harness))
      expect([found.length, Number(await countOf(harness)) - before]).toEqual([count, count])
    }
    await harness.remove(`/webhooks/${first.id}`)
    expect(await listSubscriptions(harness)).toEqual([{ id: second.id, test_mode: 0, type: 'customer.created' }])
    expect(Number(await countOf(harness)) - before).toBe(1)
  })

  test('of a database that had none yet are made from its webhooks', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook({ events: ['product.created', 'menu.updated'] })
    await harness.createWebhook({ active: false })
    const found = await listSubscriptions(harness)
    expect(found).toHaveLength(2)
    const migration = env.MIGRATIONS.find(({ name }) => name.includes('subscriptions'))
    await env.DB.exec('delete from subscriptions')
    await env.DB.prepare(migration?.queries.at(-1) ?? '').run()
    expect(await listSubscriptions(harness)).toEqual(found)
  })

  test('to a name and to everything make one delivery', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook({ events: ['*', 'product.created'] })
    await harness.post('/products', product)
    await harness.deliver()
    expect(harness.calls.map(({ body }) => body.type)).toEqual(['product.created'])
  })

  test('to other things cost a change nothing, be it one or a hundred', async () => {
    const harness = await createWebhookHarness()
    const { id: coupon } = (await harness.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })).body
    const { DELIVERIES, DELIVERIES_SLOW } = harness.bindings
    const request = (method: string, path: string, json?: object) =>
      observe(method, harness.path(path), { key: harness.venue.key, bindings: { DELIVERIES, DELIVERIES_SLOW }, json })
    const changes = async () => {
      const { id } = (await harness.post('/products', product)).body
      const made = [
        await request('POST', '/products', product),
        await request('POST', `/products/${id}`, { price: 5 }),
        await request('DELETE', `/products/${id}`),
        await request('POST', '/events', { type: 'order.created', data: {} }),
      ]
      return made.map(({ status, trips }) => [status, rowsRead(trips)])
    }
    const listen = (n: number) =>
      harness.createWebhook({ events: ['coupon.updated'], url: `https://${harness.host}/${n}` })
    await listen(0)
    await changes()
    const one = await changes()
    for (let n = 1; n < 100; n++) await listen(n)
    expect(await changes()).toEqual(one)
    await harness.post(`/coupons/${coupon}`, { value: 2 })
    await harness.deliver()
    expect(new Set(harness.calls.map(({ url }) => url)).size).toBe(100)
  })
})
