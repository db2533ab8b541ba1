import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runScheduled } from '../../../src/app/maintenance/maintenance.ts'
import { watch } from '../../support/d1.ts'
import { createWebhookHarness, now } from '../../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const product = { title: 'Tea', price: 4.5 }

describe('an event and its deliveries', () => {
  test('are written in the transaction of the change, and nothing else is', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    const { database, trips } = watch(env.DB)
    await harness.request('POST', harness.path('/products'), product, harness.venue.key, { DB: database })
    const writing = trips.filter(({ statements }) => statements.some((sql) => /^\s*(insert|update|delete)/i.test(sql)))
    expect(writing).toHaveLength(1)
    const [{ statements = [] } = {}] = writing
    const text = statements.join('\n')
    for (const table of ['"products"', '"events"', '"deliveries"']) expect(text).toContain(`insert into ${table}`)
  })

  test('do not exist when the transaction fails', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    const before = [await harness.events(), await harness.deliveries()]
    const coupon = { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 }
    await harness.post('/coupons', coupon)
    const once = [await harness.events(), await harness.deliveries()]
    expect(once.map((rows) => rows.length)).toEqual(before.map((rows) => rows.length + 1))
    expect((await harness.post('/coupons', coupon)).status).toBe(409)
    expect((await harness.post('/menus', { title: 'x', sections: [{ items: ['prod_none'] }] })).status).toBe(422)
    expect((await harness.remove('/products/prod_none')).status).toBe(404)
    expect([await harness.events(), await harness.deliveries()]).toEqual(once)
  })

  test('do not exist when the database breaks off in the last statement', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    const before = [await harness.events(), await harness.deliveries(), (await harness.get('/products')).body]
    await env.DB.exec(
      `create trigger broken before insert on deliveries begin select raise(abort, 'the disk is full'); end`,
    )
    vi.spyOn(console, 'error').mockReturnValue()
    expect((await harness.post('/products', product)).status).toBe(500)
    await env.DB.exec('drop trigger broken')
    expect([await harness.events(), await harness.deliveries(), (await harness.get('/products')).body]).toEqual(before)
  })
})

describe('a delivery without a message', () => {
  test('is delivered by the sweep when the queue fails', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    const log = vi.spyOn(console, 'warn').mockReturnValue()
    harness.queueFails = true
    const created = await harness.post('/products', product)
    expect(created.status).toBe(201)
    expect(harness.sends).toBeGreaterThan(0)
    expect(log.mock.calls.flat().join()).toContain('deliveries not enqueued')
    expect(log.mock.calls.flat().join()).not.toContain(webhook.bearerToken)
    await harness.deliver()
    expect(harness.calls).toEqual([])

    harness.queueFails = false
    await harness.advance(31)
    await harness.sweep()
    await harness.deliver()
    expect(harness.calls.map(({ body }) => body.data.id)).toEqual([created.body.id])
  })

  test('is delivered by the cron when the service died between the commit and the response', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    harness.queued.length = 0
    await harness.advance(29)
    await runScheduled(harness.bindings)
    expect(harness.queued).toEqual([])
    await harness.advance(2)
    await runScheduled(harness.bindings)
    await harness.deliver()
    expect(harness.calls.map(({ body }) => body.type)).toEqual(['product.created'])
  })

  test('is delivered by one sweep when the queue was purged with fifty messages in it', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    for (let i = 0; i < 50; i++) await harness.post('/products', { title: `${i}`, price: i })
    expect(harness.queued).toHaveLength(50)
    harness.queued.length = 0
    await harness.advance(31)
    expect(await harness.sweep()).toBe(50)
    await harness.deliver()
    expect(new Set(harness.calls.map(({ body }) => body.data.title)).size).toBe(50)
    expect(harness.calls).toHaveLength(50)
    await harness.advance(31)
    expect(await harness.sweep()).toBe(0)
  })

  test('is called for once, however many sweeps enqueue it', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    harness.queued.length = 0
    await harness.advance(31)
    await Promise.all([harness.sweep(), harness.sweep(), harness.sweep()])
    expect(harness.queued).toHaveLength(1)
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
  })
})

describe('a message', () => {
  test('that comes twice makes one call, at once or later', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    const [message] = harness.queued
    if (!message) throw new Error('nothing was enqueued')
    await harness.consume([message, message, message])
    await Promise.all([harness.consume([message]), harness.consume([message])])
    await harness.advance(3600)
    await harness.consume([message])
    expect(harness.calls).toHaveLength(1)
  })

  test('for an attempt that is being made makes none', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    const [message] = harness.queued
    if (!message) throw new Error('nothing was enqueued')
    const { promise, resolve } = Promise.withResolvers<Response>()
    harness.endpoint = () => promise
    const first = harness.consume([message])
    await vi.waitFor(() => expect(harness.calls).toHaveLength(1), { timeout: 20_000 })
    await harness.consume([message, { ...message, body: { ...message.body, n: 2 } }])
    resolve(new Response())
    await first
    expect(harness.calls).toHaveLength(1)
  })

  test('for an attempt further on, or long past, makes no call', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    const [message] = harness.queued
    if (!message) throw new Error('nothing was enqueued')
    for (const n of [0, 2, 3, -1]) await harness.consume([{ ...message, body: { ...message.body, n } }])
    expect(harness.calls).toEqual([])
  })
})

describe('a crash after the call', () => {
  test('makes exactly one more, under the same id', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    const log = vi.spyOn(console, 'warn').mockReturnValue()
    const { database } = watch(env.DB, (statements) => {
      if (statements.some((sql) => sql.includes('json_insert'))) throw new Error('the machine is gone')
    })
    await harness.consume(harness.queued.splice(0), { DB: database })
    expect(harness.calls).toHaveLength(1)
    expect(log.mock.calls.flat().join()).toContain('attempt not recorded')

    await harness.advance(31)
    await harness.sweep()
    await harness.deliver()
    expect(harness.calls, 'while the lease holds').toHaveLength(1)
    await harness.advance(30)
    await harness.sweep()
    await harness.deliver()
    expect(harness.calls).toHaveLength(2)
    const [first, second] = harness.calls
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.text).toBe(first?.text)
    await harness.advance(3600)
    expect(await harness.sweep()).toBe(0)
    expect((await harness.log(webhook.id))[0].state).toBe('delivered')
  })

  test('is not waited out longer than a minute', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    await env.DB.exec(`update deliveries set attempt = 1, leased_until = ${now()} + 45 where state = 'pending'`)
    await harness.advance(60)
    expect(await harness.sweep()).toBe(1)
  })
})
