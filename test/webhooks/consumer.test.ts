import { createExecutionContext, createMessageBatch, getQueueResult, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import worker from '../../src/index.ts'
import { circuitBreaker } from '../../src/platform/outbox/circuit-breaker.ts'
import { logDeadLetters } from '../../src/webhooks/consumer.ts'
import { watch } from '../support/d1.ts'
import { createWebhookHarness, now } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const messages = (bodies: readonly unknown[]) =>
  bodies.map((body, index) => ({ id: `m${index}`, timestamp: new Date(), attempts: 1, body }))

describe('a message', () => {
  test('that is not valid is acknowledged and logged', async () => {
    const harness = await createWebhookHarness()
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const nonsense = [null, 'hello', 7, {}, [], { merchant: 'm', webhook: '1', event: 'e', n: 1 }, { n: 1 }]
    const batch = createMessageBatch('deliveries', messages(nonsense))
    const context = createExecutionContext()
    await worker.queue(batch, harness.bindings, context)
    const { explicitAcks, retryMessages } = await getQueueResult(batch, context)
    expect(explicitAcks).toEqual(nonsense.map((_, index) => `m${index}`))
    expect(retryMessages).toEqual([])
    expect(log).toHaveBeenCalledTimes(nonsense.length)
    expect(log.mock.calls.flat().join()).toContain('malformed delivery message')
  })

  test('about an unknown delivery is acknowledged', async () => {
    const harness = await createWebhookHarness()
    const body = { merchant: 'mer_none', webhook: 999_999, event: 'evt_none', n: 1 }
    const batch = createMessageBatch('deliveries', messages([body]))
    const context = createExecutionContext()
    await worker.queue(batch, harness.bindings, context)
    expect((await getQueueResult(batch, context)).explicitAcks).toEqual(['m0'])
  })

  test('is retried if the database is down, without the other messages of its batch', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    await harness.post('/products', { title: 'Cake', price: 1 })
    const bodies = harness.queued.splice(0).map(({ body }) => body)
    vi.spyOn(console, 'warn').mockReturnValue()
    let trips = 0
    const { database } = watch(env.DB, () => {
      if (++trips === 1) throw new Error('D1_ERROR: network connection lost')
    })
    const batch = createMessageBatch('deliveries', messages(bodies))
    const context = createExecutionContext()
    await worker.queue(batch, { ...harness.bindings, DB: database }, context)
    const { explicitAcks, retryMessages } = await getQueueResult(batch, context)
    expect([explicitAcks, retryMessages.map(({ msgId }) => msgId)]).toEqual([['m1'], ['m0']])
    expect(harness.calls).toHaveLength(1)
  })

  test('in the dead-letter queue is logged and acknowledged; the sweep enqueues its delivery', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    const [message] = harness.queued.splice(0)
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const batch = createMessageBatch('deliveries-dead', messages([message?.body]))
    const context = createExecutionContext()
    await worker.queue(batch, harness.bindings, context)
    expect((await getQueueResult(batch, context)).ackAll).toBe(true)
    expect(logDeadLetters).toBeTypeOf('function')
    expect(log.mock.calls.flat().join()).toContain('dead letter')
    expect(harness.calls).toEqual([])
    await harness.advance(31)
    await harness.sweep()
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
  })
})

describe('an endpoint that hangs', () => {
  test('delays neither its batch nor the queue', async () => {
    const harness = await createWebhookHarness()
    for (const name of ['a', 'b', 'hangs', 'c', 'd']) {
      await harness.post('/webhooks', {
        title: name,
        url: `https://${name}.${harness.host}/`,
        events: ['product.created'],
      })
    }
    await harness.post('/products', { title: 'Tea', price: 1 })
    const bodies = harness.queued.splice(0).map(({ body }) => body)
    expect(bodies).toHaveLength(5)
    const { promise, resolve } = Promise.withResolvers<Response>()
    harness.endpoint = ({ url }) => (url.includes('hangs') ? promise : new Response())
    const batch = createMessageBatch('deliveries', messages(bodies))
    const context = createExecutionContext()
    await worker.queue(batch, harness.bindings, context)
    const state = async () => (await harness.deliveries()).map((row) => row['state']).sort()
    await vi.waitFor(async () =>
      expect(await state()).toEqual(['delivered', 'delivered', 'delivered', 'delivered', 'pending']),
    )
    resolve(new Response())
    await waitOnExecutionContext(context)
    expect(await state()).toEqual(Array(5).fill('delivered'))
  })

  test('uses the slow queue, where it delays only other failing endpoints', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    const [message] = harness.queued.splice(0)
    const { promise, resolve } = Promise.withResolvers<Response>()
    harness.endpoint = () => promise
    let done = false
    const context = createExecutionContext()
    const made = worker
      .queue(createMessageBatch('deliveries-slow', messages([message?.body])), harness.bindings, context)
      .then(() => {
        done = true
      })
    await vi.waitFor(() => expect(harness.calls).toHaveLength(1), { timeout: 20_000 })
    expect(done).toBe(false)
    resolve(new Response())
    await made
  })

  test('moves to the slow queue after three failures and back after a success', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    const listQueues = async () => {
      await harness.post('/products', { title: 'Cake', price: 1 })
      return harness.queued.splice(-1).map(({ queueName }) => queueName)
    }
    harness.endpoint = () => new Response(null, { status: 500 })
    await harness.deliver()
    await harness.advance(6)
    expect(harness.queued.map(({ queueName }) => queueName)).toEqual(['deliveries'])
    expect(await listQueues()).toEqual(['deliveries'])
    await harness.advance(360)
    expect(harness.queued.map(({ queueName }) => queueName)).toEqual(['deliveries-slow'])
    expect(await listQueues()).toEqual(['deliveries-slow'])
    harness.endpoint = () => new Response()
    await harness.advance(2_160)
    expect(await listQueues()).toEqual(['deliveries'])
  })
})

describe('a webhook that keeps failing', () => {
  test('gets one attempt at a time; pending deliveries lose no attempt', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    for (const title of ['b', 'c', 'd', 'e']) await harness.post('/products', { title, price: 1 })
    await env.DB.prepare('update webhooks set failures = ?, failing_since = ? where id = ?')
      .bind(circuitBreaker.failures, now(), webhook.id)
      .run()
    harness.endpoint = () => new Response(null, { status: 500 })
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
    expect((await harness.deliveries()).map((row) => row['attempt']).sort()).toEqual([0, 0, 0, 0, 1])
    await harness.advance(circuitBreaker.pause - 1)
    expect(harness.calls).toHaveLength(1)
    await harness.advance(1)
    expect(harness.calls).toHaveLength(2)
    expect(harness.queued.every(({ queueName }) => queueName === 'deliveries-slow')).toBe(true)

    harness.endpoint = () => new Response()
    for (let halves = 0; halves < 30; halves++) await harness.advance(15)
    const log = await harness.log(webhook.id)
    expect(log.map(({ state }: { state: string }) => state)).toEqual(Array(5).fill('delivered'))
    for (const { attempts } of log) {
      expect(attempts.map(({ number }: { number: number }) => number)).toEqual(
        attempts.map((_: unknown, index: number) => index + 1),
      )
    }
    expect(harness.calls).toHaveLength(7)
  })
})

describe('bulk', () => {
  test('250 webhooks receive one event in 250 messages', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    harness.clear()
    const columns = (await harness.query(`select name from pragma_table_info('webhooks')`)).map(({ name }) => `${name}`)
    const values = columns.map((name) => ({ seq: 'null', id: `id || '-' || n`, url: `url || '/' || n` })[name] ?? name)
    await env.DB.prepare(
      `with recursive copies(n) as (select 1 union all select n + 1 from copies where n < 249)
       insert into webhooks (${columns}) select ${values} from webhooks cross join copies where merchant_id = ?`,
    )
      .bind(harness.venue.id)
      .run()
    harness.sends = 0
    expect((await harness.post('/products', { title: 'Cake', price: 1 })).status).toBe(201)
    expect([harness.queued.length, harness.sends]).toEqual([250, 3])
    await harness.deliver()
    expect(new Set(harness.calls.map(({ url }) => url)).size).toBe(250)
    expect(new Set(harness.calls.map(({ text }) => text)).size).toBe(1)
    expect(harness.calls).toHaveLength(250)
  })

  test('an event of 100 KB is delivered whole, in the second attempt too', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    const data = { lines: Array.from({ length: 1_000 }, (_, i) => ({ i, note: 'ü'.repeat(50) })) }
    expect((await harness.post('/events', { type: 'order.created', data })).status).toBe(202)
    harness.endpoint = (_call, number) => new Response(null, { status: number === 1 ? 500 : 200 })
    await harness.deliver()
    await harness.advance(6)
    expect(harness.calls.map(({ body }) => body.data)).toEqual([data, data])
    expect(new TextEncoder().encode(harness.calls[0]?.text).length).toBeGreaterThan(100_000)
    expect(harness.calls[1]?.text).toBe(harness.calls[0]?.text)
  })
})
