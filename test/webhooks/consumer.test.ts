import { createExecutionContext, createMessageBatch, getQueueResult, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import worker from '../../src/index.ts'
import { circuitBreaker } from '../../src/outbox/circuit-breaker.ts'
import { consumeDeliveries, logDeadLetters } from '../../src/webhooks/consumer.ts'
import { watch } from '../support/d1.ts'
import { createWebhookHarness, now } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const messages = (bodies: readonly unknown[]) =>
  bodies.map((body, index) => ({ id: `m${index}`, timestamp: new Date(), attempts: 1, body }))

describe('a message', () => {
  test('that is not valid is acknowledged and logged', async () => {
    const stage = await createWebhookHarness()
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const nonsense = [null, 'hello', 7, {}, [], { merchant: 'm', webhook: '1', event: 'e', n: 1 }, { n: 1 }]
    const batch = createMessageBatch('deliveries', messages(nonsense))
    const context = createExecutionContext()
    await consumeDeliveries(batch, stage.bindings, context)
    const { explicitAcks, retryMessages } = await getQueueResult(batch, context)
    expect(explicitAcks).toEqual(nonsense.map((_, index) => `m${index}`))
    expect(retryMessages).toEqual([])
    expect(log).toHaveBeenCalledTimes(nonsense.length)
    expect(log.mock.calls.flat().join()).toContain('malformed delivery message')
  })

  test('about an unknown delivery is acknowledged', async () => {
    const stage = await createWebhookHarness()
    const body = { merchant: 'mer_none', webhook: 999_999, event: 'evt_none', n: 1 }
    const batch = createMessageBatch('deliveries', messages([body]))
    const context = createExecutionContext()
    await consumeDeliveries(batch, stage.bindings, context)
    expect((await getQueueResult(batch, context)).explicitAcks).toEqual(['m0'])
  })

  test('is retried if the database is down, without the other messages of its batch', async () => {
    const stage = await createWebhookHarness()
    await stage.scene()
    await stage.post('/products', { title: 'Cake', price: 1 })
    const bodies = stage.rings.splice(0).map(({ body }) => body)
    vi.spyOn(console, 'error').mockReturnValue()
    let trips = 0
    const { database } = watch(env.DB, () => {
      if (++trips === 1) throw new Error('D1_ERROR: network connection lost')
    })
    const batch = createMessageBatch('deliveries', messages(bodies))
    const context = createExecutionContext()
    await consumeDeliveries(batch, { ...stage.bindings, DB: database }, context)
    const { explicitAcks, retryMessages } = await getQueueResult(batch, context)
    expect([explicitAcks, retryMessages.map(({ msgId }) => msgId)]).toEqual([['m1'], ['m0']])
    expect(stage.calls).toHaveLength(1)
  })

  test('in the dead-letter queue is logged and acknowledged; the sweep enqueues its delivery', async () => {
    const stage = await createWebhookHarness()
    await stage.scene()
    const [ring] = stage.rings.splice(0)
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const batch = createMessageBatch('deliveries-dead', messages([ring?.body]))
    const context = createExecutionContext()
    await worker.queue(batch, stage.bindings, context)
    expect((await getQueueResult(batch, context)).ackAll).toBe(true)
    expect(logDeadLetters).toBeTypeOf('function')
    expect(log.mock.calls.flat().join()).toContain('dead letter')
    expect(stage.calls).toEqual([])
    await stage.pass(31)
    await stage.sweep()
    await stage.deliver()
    expect(stage.calls).toHaveLength(1)
  })
})

describe('an endpoint that hangs', () => {
  test('delays neither its batch nor the queue', async () => {
    const stage = await createWebhookHarness()
    for (const name of ['a', 'b', 'hangs', 'c', 'd']) {
      await stage.post('/webhooks', { title: name, url: `https://${name}.${stage.host}/`, events: ['product.created'] })
    }
    await stage.post('/products', { title: 'Tea', price: 1 })
    const bodies = stage.rings.splice(0).map(({ body }) => body)
    expect(bodies).toHaveLength(5)
    const { promise, resolve } = Promise.withResolvers<Response>()
    stage.endpoint = ({ url }) => (url.includes('hangs') ? promise : new Response())
    const batch = createMessageBatch('deliveries', messages(bodies))
    const context = createExecutionContext()
    await consumeDeliveries(batch, stage.bindings, context)
    const state = async () => (await stage.deliveries()).map((row) => row['state']).sort()
    await vi.waitFor(async () =>
      expect(await state()).toEqual(['delivered', 'delivered', 'delivered', 'delivered', 'pending']),
    )
    resolve(new Response())
    await waitOnExecutionContext(context)
    expect(await state()).toEqual(Array(5).fill('delivered'))
  })

  test('uses the slow queue, where it delays only other failing endpoints', async () => {
    const stage = await createWebhookHarness()
    await stage.scene()
    const [ring] = stage.rings.splice(0)
    const { promise, resolve } = Promise.withResolvers<Response>()
    stage.endpoint = () => promise
    let done = false
    const context = createExecutionContext()
    const made = consumeDeliveries(
      createMessageBatch('deliveries-slow', messages([ring?.body])),
      stage.bindings,
      context,
    ).then(() => {
      done = true
    })
    await vi.waitFor(() => expect(stage.calls).toHaveLength(1), { timeout: 20_000 })
    expect(done).toBe(false)
    resolve(new Response())
    await made
  })

  test('moves to the slow queue after three failures and back after a success', async () => {
    const stage = await createWebhookHarness()
    await stage.scene()
    const listQueues = async () => {
      await stage.post('/products', { title: 'Cake', price: 1 })
      return stage.rings.splice(-1).map(({ lane }) => lane)
    }
    stage.endpoint = () => new Response(null, { status: 500 })
    await stage.deliver()
    await stage.pass(6)
    expect(stage.rings.map(({ lane }) => lane)).toEqual(['deliveries'])
    expect(await listQueues()).toEqual(['deliveries'])
    await stage.pass(360)
    expect(stage.rings.map(({ lane }) => lane)).toEqual(['deliveries-slow'])
    expect(await listQueues()).toEqual(['deliveries-slow'])
    stage.endpoint = () => new Response()
    await stage.pass(2_160)
    expect(await listQueues()).toEqual(['deliveries'])
  })
})

describe('a webhook that keeps failing', () => {
  test('gets one attempt at a time; pending deliveries lose no attempt', async () => {
    const stage = await createWebhookHarness()
    const { webhook } = await stage.scene()
    for (const title of ['b', 'c', 'd', 'e']) await stage.post('/products', { title, price: 1 })
    await env.DB.prepare('update webhooks set failures = ?, failing_since = ? where id = ?')
      .bind(circuitBreaker.failures, now(), webhook.id)
      .run()
    stage.endpoint = () => new Response(null, { status: 500 })
    await stage.deliver()
    expect(stage.calls).toHaveLength(1)
    expect((await stage.deliveries()).map((row) => row['attempt']).sort()).toEqual([0, 0, 0, 0, 1])
    await stage.pass(circuitBreaker.pause - 1)
    expect(stage.calls).toHaveLength(1)
    await stage.pass(1)
    expect(stage.calls).toHaveLength(2)
    expect(stage.rings.every(({ lane }) => lane === 'deliveries-slow')).toBe(true)

    stage.endpoint = () => new Response()
    for (let halves = 0; halves < 30; halves++) await stage.pass(15)
    const log = await stage.log(webhook.id)
    expect(log.map(({ state }: { state: string }) => state)).toEqual(Array(5).fill('delivered'))
    for (const { attempts } of log) {
      expect(attempts.map(({ number }: { number: number }) => number)).toEqual(
        attempts.map((_: unknown, index: number) => index + 1),
      )
    }
    expect(stage.calls).toHaveLength(7)
  })
})

describe('bulk', () => {
  test('250 webhooks receive one event in 250 messages', async () => {
    const stage = await createWebhookHarness()
    await stage.scene()
    stage.forget()
    const columns = (await stage.query(`select name from pragma_table_info('webhooks')`)).map(({ name }) => `${name}`)
    const values = columns.map((name) => ({ seq: 'null', id: `id || '-' || n`, url: `url || '/' || n` })[name] ?? name)
    await env.DB.prepare(
      `with recursive copies(n) as (select 1 union all select n + 1 from copies where n < 249)
       insert into webhooks (${columns}) select ${values} from webhooks cross join copies where merchant_id = ?`,
    )
      .bind(stage.venue.id)
      .run()
    stage.sends = 0
    expect((await stage.post('/products', { title: 'Cake', price: 1 })).status).toBe(201)
    expect([stage.rings.length, stage.sends]).toEqual([250, 3])
    await stage.deliver()
    expect(new Set(stage.calls.map(({ url }) => url)).size).toBe(250)
    expect(new Set(stage.calls.map(({ text }) => text)).size).toBe(1)
    expect(stage.calls).toHaveLength(250)
  })

  test('an event of 100 KB is delivered whole, in the second attempt too', async () => {
    const stage = await createWebhookHarness()
    await stage.hook()
    const data = { lines: Array.from({ length: 1_000 }, (_, i) => ({ i, note: 'ü'.repeat(50) })) }
    expect((await stage.post('/events', { type: 'order.created', data })).status).toBe(202)
    stage.endpoint = (_call, number) => new Response(null, { status: number === 1 ? 500 : 200 })
    await stage.deliver()
    await stage.pass(6)
    expect(stage.calls.map(({ body }) => body.data)).toEqual([data, data])
    expect(new TextEncoder().encode(stage.calls[0]?.text).length).toBeGreaterThan(100_000)
    expect(stage.calls[1]?.text).toBe(stage.calls[0]?.text)
  })
})
