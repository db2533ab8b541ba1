import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runScheduled } from '../../src/maintenance.ts'
import { watch } from '../support/d1.ts'
import { createWebhookHarness, now } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const product = { title: 'Tea', price: 4.5 }

describe('an event and its deliveries', () => {
  test('are written in the transaction of the change, and nothing else is', async () => {
    const stage = await createWebhookHarness()
    await stage.hook()
    const { database, trips } = watch(env.DB)
    await stage.request('POST', stage.path('/products'), product, stage.venue.key, { DB: database })
    const writing = trips.filter(({ statements }) => statements.some((sql) => /^\s*(insert|update|delete)/i.test(sql)))
    expect(writing).toHaveLength(1)
    const [{ statements = [] } = {}] = writing
    const text = statements.join('\n')
    for (const table of ['"products"', '"events"', '"deliveries"']) expect(text).toContain(`insert into ${table}`)
  })

  test('do not exist when the transaction fails', async () => {
    const stage = await createWebhookHarness()
    await stage.hook()
    const before = [await stage.events(), await stage.deliveries()]
    const coupon = { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 }
    await stage.post('/coupons', coupon)
    const once = [await stage.events(), await stage.deliveries()]
    expect(once.map((rows) => rows.length)).toEqual(before.map((rows) => rows.length + 1))
    expect((await stage.post('/coupons', coupon)).status).toBe(409)
    expect((await stage.post('/menus', { title: 'x', sections: [{ items: ['prod_none'] }] })).status).toBe(422)
    expect((await stage.remove('/products/prod_none')).status).toBe(404)
    expect([await stage.events(), await stage.deliveries()]).toEqual(once)
  })

  test('do not exist when the database breaks off in the last statement', async () => {
    const stage = await createWebhookHarness()
    await stage.hook()
    const before = [await stage.events(), await stage.deliveries(), (await stage.get('/products')).body]
    await env.DB.exec(
      `create trigger broken before insert on deliveries begin select raise(abort, 'the disk is full'); end`,
    )
    vi.spyOn(console, 'error').mockReturnValue()
    expect((await stage.post('/products', product)).status).toBe(500)
    await env.DB.exec('drop trigger broken')
    expect([await stage.events(), await stage.deliveries(), (await stage.get('/products')).body]).toEqual(before)
  })
})

describe('a delivery without a message', () => {
  test('is delivered by the sweep when the queue fails', async () => {
    const stage = await createWebhookHarness()
    const webhook = await stage.hook()
    const log = vi.spyOn(console, 'error').mockReturnValue()
    stage.queueFails = true
    const created = await stage.post('/products', product)
    expect(created.status).toBe(201)
    expect(stage.sends).toBeGreaterThan(0)
    expect(log.mock.calls.flat().join()).toContain('deliveries not enqueued')
    expect(log.mock.calls.flat().join()).not.toContain(webhook.bearerToken)
    await stage.deliver()
    expect(stage.calls).toEqual([])

    stage.queueFails = false
    await stage.pass(31)
    await stage.sweep()
    await stage.deliver()
    expect(stage.calls.map(({ body }) => body.data.id)).toEqual([created.body.id])
  })

  test('is delivered by the cron when the service died between the commit and the answer', async () => {
    const stage = await createWebhookHarness()
    await stage.scene()
    stage.rings.length = 0
    await stage.pass(29)
    await runScheduled(stage.bindings)
    expect(stage.rings).toEqual([])
    await stage.pass(2)
    await runScheduled(stage.bindings)
    await stage.deliver()
    expect(stage.calls.map(({ body }) => body.type)).toEqual(['product.created'])
  })

  test('is delivered by one sweep when the queue was purged with fifty messages in it', async () => {
    const stage = await createWebhookHarness()
    await stage.hook()
    for (let i = 0; i < 50; i++) await stage.post('/products', { title: `${i}`, price: i })
    expect(stage.rings).toHaveLength(50)
    stage.rings.length = 0
    await stage.pass(31)
    expect(await stage.sweep()).toBe(50)
    await stage.deliver()
    expect(new Set(stage.calls.map(({ body }) => body.data.title)).size).toBe(50)
    expect(stage.calls).toHaveLength(50)
    await stage.pass(31)
    expect(await stage.sweep()).toBe(0)
  })

  test('is called for once, however many sweeps enqueue it', async () => {
    const stage = await createWebhookHarness()
    await stage.scene()
    stage.rings.length = 0
    await stage.pass(31)
    await Promise.all([stage.sweep(), stage.sweep(), stage.sweep()])
    expect(stage.rings).toHaveLength(1)
    await stage.deliver()
    expect(stage.calls).toHaveLength(1)
  })
})

describe('a message', () => {
  test('that comes twice makes one call, at once or later', async () => {
    const stage = await createWebhookHarness()
    await stage.scene()
    const [ring] = stage.rings
    if (!ring) throw new Error('nothing was enqueued')
    await stage.handOn([ring, ring, ring])
    await Promise.all([stage.handOn([ring]), stage.handOn([ring])])
    await stage.pass(3600)
    await stage.handOn([ring])
    expect(stage.calls).toHaveLength(1)
  })

  test('for an attempt that is being made makes none', async () => {
    const stage = await createWebhookHarness()
    await stage.scene()
    const [ring] = stage.rings
    if (!ring) throw new Error('nothing was enqueued')
    const { promise, resolve } = Promise.withResolvers<Response>()
    stage.endpoint = () => promise
    const first = stage.handOn([ring])
    await vi.waitFor(() => expect(stage.calls).toHaveLength(1), { timeout: 20_000 })
    await stage.handOn([ring, { ...ring, body: { ...ring.body, n: 2 } }])
    resolve(new Response())
    await first
    expect(stage.calls).toHaveLength(1)
  })

  test('for an attempt further on, or long past, makes no call', async () => {
    const stage = await createWebhookHarness()
    await stage.scene()
    const [ring] = stage.rings
    if (!ring) throw new Error('nothing was enqueued')
    for (const n of [0, 2, 3, -1]) await stage.handOn([{ ...ring, body: { ...ring.body, n } }])
    expect(stage.calls).toEqual([])
  })
})

describe('a crash after the call', () => {
  test('makes exactly one more, under the same id', async () => {
    const stage = await createWebhookHarness()
    const { webhook } = await stage.scene()
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const { database } = watch(env.DB, (statements) => {
      if (statements.some((sql) => sql.includes('json_insert'))) throw new Error('the machine is gone')
    })
    await stage.handOn(stage.rings.splice(0), { DB: database })
    expect(stage.calls).toHaveLength(1)
    expect(log.mock.calls.flat().join()).toContain('attempt not recorded')

    await stage.pass(31)
    await stage.sweep()
    await stage.deliver()
    expect(stage.calls, 'while the lease holds').toHaveLength(1)
    await stage.pass(30)
    await stage.sweep()
    await stage.deliver()
    expect(stage.calls).toHaveLength(2)
    const [first, second] = stage.calls
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.text).toBe(first?.text)
    await stage.pass(3600)
    expect(await stage.sweep()).toBe(0)
    expect((await stage.log(webhook.id))[0].state).toBe('delivered')
  })

  test('is not waited out longer than a minute', async () => {
    const stage = await createWebhookHarness()
    await stage.scene()
    await env.DB.exec(`update deliveries set attempt = 1, leased_until = ${now()} + 45 where state = 'pending'`)
    await stage.pass(60)
    expect(await stage.sweep()).toBe(1)
  })
})
