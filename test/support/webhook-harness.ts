import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { app } from '../../src/app/app.ts'
import { runScheduled } from '../../src/app/maintenance/maintenance.ts'
import worker from '../../src/index.ts'
import { directoryDatabase } from '../../src/platform/db/home/d1-connection.ts'
import type { Bindings } from '../../src/platform/env.ts'
import type { DeliveryMessage } from '../../src/platform/messages.ts'
import { enqueueOverdue } from '../../src/webhooks/scheduled.ts'
import { type ApiResponse, createVenue, origin } from './api.ts'
import { findObject, queryHome, ringAlarm } from './home.ts'

type QueueName = 'deliveries' | 'deliveries-slow'

/** A message in a queue, and the time at which the queue delivers it, in seconds. */
export interface QueuedMessage {
  queueName: QueueName
  body: DeliveryMessage
  at: number
}

/** A call that an endpoint received. */
export interface Call {
  url: string
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent
  body: any
  init: RequestInit
}

export type Endpoint = (call: Call, number: number) => Response | Promise<Response>

export const now = () => Math.floor(Date.now() / 1000)
const ok: Endpoint = () => new Response(null, { status: 204 })
let harnesses = 0

/**
 * A venue whose queue messages wait until a test delivers them, whose endpoint is a function, and whose clock is stopped
 * until a test moves it. The clock never goes back within a file: ids are made from it.
 */
export async function createWebhookHarness({
  mode = 'live',
  ...fields
}: {
  mode?: 'live' | 'test'
  home?: 'object'
} = {}) {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] })
  await env.DB.exec(`update deliveries set state = 'cancelled' where state = 'pending'`)
  const venue = await createVenue({ mode, ...fields })
  const query = (sql: string, ...values: unknown[]) => queryHome(venue.id, sql, ...values)
  const host = `s${++harnesses}.hooks.example.com`
  const queued: QueuedMessage[] = []
  const calls: Call[] = []
  const harness = { endpoint: ok, queueFails: false, sends: 0, messages: 0 }

  const queue = (queueName: QueueName): Queue<DeliveryMessage> =>
    Object.assign(Object.create(null), {
      async sendBatch(messages: Iterable<MessageSendRequest<DeliveryMessage>>) {
        harness.sends++
        if (harness.queueFails) throw new Error('Queue sendBatch failed: Internal Server Error')
        for (const { body, delaySeconds = 0 } of messages) {
          harness.messages++
          queued.push({ queueName, body, at: now() + delaySeconds })
        }
      },
    })
  const bindings: Bindings = { ...env, DELIVERIES: queue('deliveries'), DELIVERIES_SLOW: queue('deliveries-slow') }

  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init = {}) => {
    const headers = Object.fromEntries(new Headers(init.headers))
    const text = String(init.body)
    const call = { url: String(input), headers, text, body: JSON.parse(text), init }
    if (!new URL(call.url).host.endsWith(host)) return new Response(null, { status: 204 })
    calls.push(call)
    return harness.endpoint(call, calls.length)
  })

  /** Sends a request and waits for the work behind its response. */
  async function request(
    method: string,
    path: string,
    json?: unknown,
    key = venue.key,
    also: Partial<Bindings> = {},
  ): Promise<ApiResponse> {
    const context = createExecutionContext()
    const response = await app.fetch(
      new Request(new URL(path, origin), {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      }),
      { ...bindings, ...also },
      context,
    )
    const text = await response.text()
    await waitOnExecutionContext(context)
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
  }
  const path = (relative: string) => `/merchants/${venue.id}${relative}`
  const get = (relative: string) => request('GET', path(relative))
  const post = (relative: string, json: unknown = {}) => request('POST', path(relative), json)
  const remove = (relative: string) => request('DELETE', path(relative))

  /** Passes messages to the consumer in batches of 5, as the queue does. */
  async function consume(messages: readonly QueuedMessage[], also: Partial<Bindings> = {}) {
    for (const queueName of ['deliveries', 'deliveries-slow'] as const) {
      const bodies = messages.filter((message) => message.queueName === queueName).map(({ body }) => body)
      for (let start = 0; start < bodies.length; start += 5) {
        const batch = createMessageBatch(
          queueName,
          bodies.slice(start, start + 5).map((body) => ({
            id: crypto.randomUUID(),
            timestamp: new Date(),
            attempts: 1,
            body,
          })),
        )
        const context = createExecutionContext()
        await worker.queue(batch, { ...bindings, ...also }, context)
        await waitOnExecutionContext(context)
      }
    }
  }

  /** Delivers the messages that are due, and those that they enqueue for now. */
  async function deliver() {
    for (;;) {
      const due = queued.filter(({ at }) => at <= now())
      if (due.length === 0) return
      for (const message of due) queued.splice(queued.indexOf(message), 1)
      await consume(due)
    }
  }

  return Object.assign(harness, {
    venue,
    host,
    bindings,
    queued,
    calls,
    path,
    request,
    get,
    post,
    remove,
    consume,
    deliver,
    query,
    /** Clears the calls and the queues. */
    clear() {
      calls.length = 0
      queued.length = 0
    },
    /** Advances the clock and delivers the messages that are due then. */
    async advance(seconds: number) {
      vi.setSystemTime(Date.now() + seconds * 1000)
      await deliver()
    },
    /** Enqueues overdue deliveries, as the cron and the alarm of an object do. */
    async sweep() {
      const before = queued.length
      if (!(await findObject(venue.id))) return enqueueOverdue(bindings, directoryDatabase(bindings), now())
      await ringAlarm(venue.id, bindings)
      return queued.length - before
    },
    /** Runs the cron, and the alarm of the object of the venue if it has one. */
    async maintain() {
      if (await findObject(venue.id)) await ringAlarm(venue.id, bindings)
      await runScheduled(bindings)
    },
    /** Copies the newest event of the venue and its deliveries, all of them due by now. */
    async copyEvent(count: number) {
      if (count === 0) return
      const copies = `with recursive copies(n) as (select 1 union all select n + 1 from copies where n < ?)`
      const id = (column: string) => `substr(${column}, 1, 20) || printf('%010d', n)`
      const newest = `(select max(id) from events where merchant_id = ?)`
      const statements = [
        `${copies} insert into deliveries (webhook, event, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts)
           select webhook, ${id('event')}, 'pending', created_at, due_at, 0, 0, most, slow, 0, '[]'
           from deliveries cross join copies where event = ${newest}`,
        `${copies} insert into events (merchant_id, test_mode, id, seq, type, version, at, row, previous, base_url)
           select merchant_id, test_mode, ${id('id')}, seq + n, type, version, at, row, previous, base_url
           from events cross join copies where id = ${newest}`,
      ]
      for (const sql of statements) await query(sql, count, venue.id)
    },
    /** A webhook with all events. The delivery of its creation is done. */
    async createWebhook(fields: object = {}) {
      const { body } = await post('/webhooks', { title: 'Till', url: `https://${host}/in`, events: ['*'], ...fields })
      await deliver()
      calls.length = 0
      return body
    },
    /** A webhook and a product, whose creation waits in the queue. */
    async createWebhookAndProduct(fields: object = {}) {
      const { body: webhook } = await post('/webhooks', {
        title: 'Till',
        url: `https://${host}/in`,
        events: ['product.created', 'product.updated', 'product.deleted'],
        ...fields,
      })
      const { body: product } = await post('/products', { title: 'Tea', price: 4.5 })
      return { webhook, product }
    },
    log: async (id: string, search = '') => (await get(`/webhooks/${id}/deliveries${search}`)).body,
    /** Deliveries of the venue, as the database has them, oldest first. */
    deliveries: () =>
      query(
        `select d.* from deliveries as d join webhooks as w on w.seq = d.webhook where w.merchant_id = ? order by d.event, d.webhook`,
        venue.id,
      ),
    events: () => query('select * from events where merchant_id = ? order by test_mode, seq', venue.id),
  })
}
export type WebhookHarness = Awaited<ReturnType<typeof createWebhookHarness>>
