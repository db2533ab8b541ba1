import { exports } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, type ClientOptions, createClient } from '../../packages/client/src/client.ts'
import { createVenue, origin } from '../support/api.ts'
import { cut } from './new-client.ts'

type Fetch = NonNullable<ClientOptions['fetch']>
const service: Fetch = (url, init) => exports.default.fetch(new Request(url, init))

beforeEach(() => {
  // Makes the pauses between retries predictable.
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => vi.restoreAllMocks())

/** A client whose requests for events get `responses` first, then those of the service. */
async function connect(...responses: (() => Response | Promise<Response>)[]) {
  const { id: merchantId, key } = await createVenue()
  const positions: (string | null)[] = []
  const pauses: number[] = []
  const fetch: Fetch = async (url, init) => {
    if (init.method !== 'GET') return service(url, init)
    positions.push(new URL(url).searchParams.get('after'))
    return (await responses.shift()?.()) ?? service(url, init)
  }
  // Pauses of the client end at once. The timeouts of the service are longer: what is left of ten seconds.
  const setTimeout = globalThis.setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, ms, ...rest) => {
    if (ms === undefined || ms < 500 || ms > 9_000) return setTimeout(run, ms, ...rest)
    pauses.push(ms)
    return setTimeout(run, 0, ...rest)
  })
  const client = createClient({ origin, merchantId, key, fetch, retries: 0 })
  const publish = async (n: number) => (await client.events.publish('order.created', { n })).id
  return { client, positions, pauses, publish }
}

/** The next `count` events. */
async function take(events: AsyncIterator<{ id: string }>, count: number) {
  const ids: string[] = []
  while (ids.length < count) {
    const { value, done } = await events.next()
    if (done) throw new Error('the events end')
    ids.push(value.id)
  }
  return ids
}

const lost = () => Promise.reject(new TypeError('connection lost'))
const unavailable = () => new Response('no', { status: 503 })
const expired = () =>
  Response.json(
    {
      type: '/docs/errors#events_expired',
      title: '',
      status: 410,
      detail: 'Expired.',
      code: 'events_expired',
      requestId: '',
    },
    { status: 410, headers: { 'content-type': 'application/problem+json' } },
  )

describe('events.follow', () => {
  test('yields each event from now on once, in order, also those that come while it waits', async () => {
    const { client, publish, pauses } = await connect()
    await publish(0)
    // Less than the pauses between retries.
    const events = client.events.follow({ maxPauseMs: 8_000 })
    const first = events.next()
    await vi.waitFor(() => expect(pauses.length).toBeGreaterThan(2), { timeout: 20_000 })
    expect(pauses.slice(0, 3)).toEqual([1_000, 2_000, 4_000])
    const ids = [await publish(1)]
    expect((await first).value).toMatchObject({ id: ids[0], type: 'order.created', data: { n: 1 } })
    for (let n = 2; n < 5; n++) ids.push(await publish(n))
    expect(await take(events, 3)).toEqual(ids.slice(1))
    await events.return()
  })

  test('resumes after an event, page by page, and selects types', async () => {
    const { client, publish, positions } = await connect()
    const start = await publish(0)
    await client.products.create({ title: 'Tea', price: 1 })
    const ids = []
    for (let n = 1; n <= 3; n++) ids.push(await publish(n))
    const events = client.events.follow({ after: start, types: ['order.created'] })
    expect(await take(events, 2)).toEqual(ids.slice(0, 2))
    await events.return()
    expect(positions).toEqual([start])
    expect(await take(client.events.follow({ after: ids[1] }), 1)).toEqual([ids[2]])
  })

  test('waits and continues after failures, and misses nothing', async () => {
    const { client, publish, positions, pauses } = await connect(lost, unavailable, () => cut(Response.json([])))
    const start = await publish(0)
    const id = await publish(1)
    expect(await take(client.events.follow({ after: start }), 1)).toEqual([id])
    expect(positions).toEqual([start, start, start, start])
    expect(pauses).toEqual([1_000, 2_000, 4_000])
  })

  test('continues with the oldest event if its position expires between two requests', async () => {
    const { client, publish, positions } = await connect(() => Response.json([]), expired)
    const start = await publish(0)
    expect(await take(client.events.follow({ after: start }), 1)).toEqual([start])
    expect(positions).toEqual([start, start, null])
  })

  test('throws if events may be missing, and for permanent errors', async () => {
    const { client, publish } = await connect(expired)
    const start = await publish(0)
    const events = client.events.follow({ after: start })
    await expect(events.next()).rejects.toMatchObject({ status: 410, code: 'events_expired' })
    await expect(client.events.follow({ after: 'evt_none' }).next()).rejects.toBeInstanceOf(ApiError)
  })

  test('ends without an error when the signal aborts, in a request or before the first one', async () => {
    const controller = new AbortController()
    const { client, publish } = await connect()
    const start = await publish(0)
    const events = client.events.follow({ after: start, signal: controller.signal })
    const next = events.next()
    controller.abort()
    expect(await next).toEqual({ value: undefined, done: true })
    expect(await client.events.follow({ signal: controller.signal }).next()).toEqual({ value: undefined, done: true })
  })
})
