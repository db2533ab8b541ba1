import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { app } from '../../src/app.ts'
import { directoryDatabase } from '../../src/db/home/connect.ts'
import type { Bindings } from '../../src/env.ts'
import type { DeliveryMessage } from '../../src/messages.ts'
import { consumeDeliveries } from '../../src/webhooks/consumer.ts'
import { enqueueOverdue } from '../../src/webhooks/scheduled.ts'
import { type Answer, createVenue, origin } from './api.ts'
import { findObject, queryHome, ringAlarm } from './home.ts'

type Lane = 'deliveries' | 'deliveries-slow'

/** A message in a queue, and when the queue would hand it on, in seconds. */
export interface QueuedMessage {
  lane: Lane
  body: DeliveryMessage
  at: number
}

/** A call that an endpoint got. */
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
let stages = 0

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
  const host = `s${++stages}.hooks.example.com`
  const rings: QueuedMessage[] = []
  const calls: Call[] = []
  const stage = { endpoint: ok, queueFails: false, sends: 0, messages: 0 }

  const queue = (lane: Lane): Queue<DeliveryMessage> =>
    Object.assign(Object.create(null), {
      async sendBatch(messages: Iterable<MessageSendRequest<DeliveryMessage>>) {
        stage.sends++
        if (stage.queueFails) throw new Error('Queue sendBatch failed: Internal Server Error')
        for (const { body, delaySeconds = 0 } of messages) {
          stage.messages++
          rings.push({ lane, body, at: now() + delaySeconds })
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
    return stage.endpoint(call, calls.length)
  })

  /** A request to the service; what it does behind its answer is waited for. */
  async function request(
    method: string,
    path: string,
    json?: unknown,
    key = venue.key,
    also: Partial<Bindings> = {},
  ): Promise<Answer> {
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

  /** Hands messages to the consumer, as many at once as the queue would. */
  async function handOn(messages: readonly QueuedMessage[], also: Partial<Bindings> = {}) {
    for (const lane of ['deliveries', 'deliveries-slow'] as const) {
      const bodies = messages.filter((ring) => ring.lane === lane).map(({ body }) => body)
      for (let start = 0; start < bodies.length; start += 5) {
        const batch = createMessageBatch(
          lane,
          bodies.slice(start, start + 5).map((body) => ({
            id: crypto.randomUUID(),
            timestamp: new Date(),
            attempts: 1,
            body,
          })),
        )
        const context = createExecutionContext()
        await consumeDeliveries(batch, { ...bindings, ...also }, context)
        await waitOnExecutionContext(context)
      }
    }
  }

  /** Lets the queues hand on whatever is due, and whatever that gives rise to at once. */
  async function deliver() {
    for (;;) {
      const due = rings.filter(({ at }) => at <= now())
      if (due.length === 0) return
      for (const ring of due) rings.splice(rings.indexOf(ring), 1)
      await handOn(due)
    }
  }

  return Object.assign(stage, {
    venue,
    host,
    bindings,
    rings,
    calls,
    path,
    request,
    get,
    post,
    remove,
    handOn,
    deliver,
    query,
    /** Forgets what has happened so far, and what is still in the queues. */
    forget() {
      calls.length = 0
      rings.length = 0
    },
    /** Lets time go by, and the queues hand on what is due then. */
    async pass(seconds: number) {
      vi.setSystemTime(Date.now() + seconds * 1000)
      await deliver()
    },
    /** Enqueues what is overdue, as the cron does and the alarm of an object. */
    async sweep() {
      const before = rings.length
      if (!(await findObject(venue.id))) return enqueueOverdue(bindings, directoryDatabase(bindings), now())
      await ringAlarm(venue.id, bindings)
      return rings.length - before
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
    async hook(fields: object = {}) {
      const { body } = await post('/webhooks', { title: 'Till', url: `https://${host}/in`, events: ['*'], ...fields })
      await deliver()
      calls.length = 0
      return body
    },
    /** A webhook and a product, whose creation waits in the queue. */
    async scene(fields: object = {}) {
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
