import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { databaseTimeoutMs } from '../../src/platform/db/database.ts'
import { directoryDatabase } from '../../src/platform/db/home/d1-connection.ts'
import { queueUntil } from '../../src/storefront/tags/scans/record-scan.ts'
import { overdueSeconds } from '../../src/webhooks/backlog.ts'
import { enqueueOverdue } from '../../src/webhooks/scheduled.ts'
import { adminToken, createVenue } from '../support/api.ts'
import { samples } from '../support/samples.ts'
import { broken, createTestWorker, never } from '../support/test-worker.ts'

/** Ways in which a binding can fail. */
const failures = { throws: broken, 'rejects later': async () => broken(), hangs: () => never }
const kinds = Object.entries(failures)

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const realTimeout = globalThis.setTimeout
/** Lets timeouts expire at once, and records their length in milliseconds. */
function hurry(): Set<number> {
  const waits = new Set<number>()
  vi.stubGlobal('setTimeout', (act: () => void, ms = 0) => {
    waits.add(ms)
    return realTimeout(act, ms / 500)
  })
  return waits
}
const silence = () => vi.spyOn(console, 'error').mockImplementation(() => undefined)

const venue = await createVenue()
const hooked = await createVenue()
const url = 'http://127.0.0.1:9/in'
const { body: webhook } = await hooked.post('/webhooks', { title: 'Till', url, events: ['product.created'] })

describe.each(kinds)('if D1 %s', (_, failure) => {
  test.each(samples)(
    'every operation on $collection returns 503 with Retry-After and changes nothing',
    async ({ collection, body, change }) => {
      silence()
      const worker = createTestWorker()
      const request = (method: string, path: string, json?: unknown) =>
        worker.call(method, venue.path(`/${collection}${path}`), venue.key, json)
      const { body: made } = await request('POST', '', body('Before'))
      const [before, events] = [(await request('GET', '')).body, (await venue.get('/events?limit=100')).body]
      const waits = hurry()
      worker.failures.database = failure
      for (const [method, path, json] of [
        ['GET', ''],
        ['GET', `/${made.id}`],
        ['POST', '', body('Never')],
        ['POST', `/${made.id}`, change],
        ['DELETE', `/${made.id}`],
      ] as const) {
        const response = await request(method, path, json)
        expect([method, path, response.status, response.body.code]).toEqual([method, path, 503, 'unavailable'])
        expect(response.headers.get('retry-after')).toBe('1')
      }
      expect(waits).toContain(databaseTimeoutMs)
      worker.failures.database = undefined
      expect((await request('GET', '')).body).toEqual(before)
      expect((await venue.get('/events?limit=100')).body).toEqual(events)
      await request('DELETE', `/${made.id}`)
    },
  )

  test('the operator API, events and uncached keys return it too', async () => {
    silence()
    const worker = createTestWorker()
    const stranger = await createVenue()
    hurry()
    worker.failures.database = failure
    for (const [method, path, key] of [
      ['GET', '/health', ''],
      ['GET', '/admin/merchants', adminToken],
      ['GET', `/admin/merchants/${venue.id}/keys`, adminToken],
      ['GET', venue.path('/events'), venue.key],
      ['GET', stranger.path('/products'), stranger.key],
      ['GET', `/m/${venue.id}.json`, ''],
      ['GET', `/m/${venue.id}`, ''],
    ] as const) {
      const { status, headers } = await worker.call(method, path, key)
      expect([path, status, Number(headers.get('retry-after')) > 0]).toEqual([path, 503, true])
    }
  })

  test('requests without database access succeed: documentation, malformed keys, unknown paths', async () => {
    silence()
    const worker = createTestWorker()
    worker.failures.database = failure
    expect((await worker.fetch('/openapi.json')).status).toBe(200)
    expect((await worker.fetch('/docs/errors')).status).toBe(200)
    expect((await worker.fetch(venue.path('/products'))).status).toBe(401)
    expect((await worker.fetch('/nothing')).status).toBe(404)
    expect((await worker.fetch('/t/not*a*name')).status).toBe(404)
  })
})

test('if the response of D1 is lost after a commit, nothing is half written', async () => {
  silence()
  const worker = createTestWorker()
  const create = () =>
    worker.fetch(hooked.path('/products'), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${hooked.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'the-answer-got-lost',
      },
      body: JSON.stringify({ title: 'Tea', price: 1 }),
    })
  await worker.call('GET', hooked.path('/products'), hooked.key)
  hurry()
  // D1 commits before its response is withheld.
  worker.failures.database = async (_sql, _constraint, go) => {
    await go()
    return never
  }
  expect((await create()).status).toBe(503)
  const { body: products } = await hooked.get('/products')
  const { body: events } = await hooked.get('/events')
  expect(products).toHaveLength(1)
  const created = events.filter(({ type }: { type: string }) => type === 'product.created')
  expect(created.map(({ data }: { data: object }) => data)).toEqual(products)
  const { body: log } = await hooked.get(`/webhooks/${webhook.id}/deliveries`)
  expect(log.map(({ eventId }: { eventId: string }) => eventId)).toContain(created[0].id)

  // A retry with the same key gets the original response.
  worker.failures.database = undefined
  const again = await create()
  expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', products[0]])
  expect((await hooked.get('/products')).body).toEqual(products)
})

describe.each(kinds)('if a queue %s', (_, failure) => {
  const queue: Queue<unknown> = Object.assign(Object.create(null), { send: failure, sendBatch: failure })

  test('changes succeed, and the sweep enqueues their deliveries', async () => {
    silence()
    const worker = createTestWorker({ DELIVERIES: queue, DELIVERIES_SLOW: queue, SCANS: queue })
    const { status, body } = await worker.call('POST', hooked.path('/products'), hooked.key, { title: 'Tea', price: 1 })
    expect(status).toBe(201)
    const pending = async () => {
      const { body: log } = await hooked.get(`/webhooks/${webhook.id}/deliveries?state=pending`)
      return log.map(({ eventId }: { eventId: string }) => eventId)
    }
    const { body: events } = await hooked.get('/events?limit=100')
    const event = events.find(({ data }: { data: { id: string } }) => data.id === body.id).id
    expect(await pending()).toContain(event)

    const rung: string[] = []
    const working: Queue<{ event: string }> = Object.assign(Object.create(null), {
      async sendBatch(messages: Iterable<MessageSendRequest<{ event: string }>>) {
        for (const message of messages) rung.push(message.body.event)
      },
    })
    const later = Math.floor(Date.now() / 1000) + overdueSeconds + 1
    hurry()
    // A sweep completes even while the queue fails.
    await enqueueOverdue(worker.bindings, directoryDatabase(env), later)
    expect(await pending()).toContain(event)
    // The next sweep runs a minute later.
    await enqueueOverdue({ ...worker.bindings, DELIVERIES: working }, directoryDatabase(env), later + 60)
    expect(rung).toContain(event)
  })

  test('tags are created, updated, scanned and deleted', async () => {
    silence()
    const worker = createTestWorker({ SCANS: queue })
    hurry()
    const { status, body: tag } = await worker.call('POST', venue.path('/tags'), venue.key, {})
    expect(status).toBe(201)
    expect((await worker.call('POST', venue.path(`/tags/${tag.id}`), venue.key, { nfc: true })).status).toBe(200)
    expect((await worker.fetch(`/t/${tag.id}`)).status).toBe(302)
    expect((await worker.call('DELETE', venue.path(`/tags/${tag.id}`), venue.key)).status).toBe(200)
    expect((await worker.fetch(`/t/${tag.id}`)).status).toBe(410)
  })
})

describe.each(kinds)('if KV %s', (_, failure) => {
  test('tags are created, updated, scanned and deleted', async () => {
    silence()
    const worker = createTestWorker()
    Object.assign(worker.failures, { read: failure, write: failure })
    hurry()
    const { status, body: tag } = await worker.call('POST', venue.path('/tags'), venue.key, {})
    expect(status).toBe(201)
    expect((await worker.call('POST', venue.path(`/tags/${tag.id}`), venue.key, { nfc: true })).status).toBe(200)
    expect((await worker.fetch(`/t/${tag.id}`)).status).toBe(302)
    const to = 'https://order.example/'
    const changed = await worker.call('POST', `/admin/merchants/${venue.id}`, adminToken, { orderingUrl: to })
    expect(changed.status).toBe(200)
    expect((await worker.fetch(`/t/${tag.id}`)).headers.get('location')).toMatch(to)
    expect((await worker.call('DELETE', venue.path(`/tags/${tag.id}`), venue.key)).status).toBe(200)
    expect((await worker.fetch(`/t/${tag.id}`)).status).toBe(410)
  })

  test('other requests are not affected', async () => {
    const worker = createTestWorker()
    Object.assign(worker.failures, { read: failure, write: failure })
    expect((await worker.call('GET', venue.path('/products'), venue.key)).status).toBe(200)
    expect((await worker.fetch(`/m/${venue.id}`)).status).toBe(200)
    expect(worker.used().reads).toEqual([])
  })
})

test('if Analytics fails or is missing, scans are redirected and counted', async () => {
  silence()
  queueUntil.ms = 0
  const { body: tag } = await venue.post('/tags', {})
  for (const SCAN_POINTS of [{ writeDataPoint: broken }, undefined]) {
    const worker = createTestWorker({ SCAN_POINTS })
    expect((await worker.fetch(`/t/${tag.id}`)).status).toBe(302)
    await worker.settle()
  }
  expect((await venue.get(`/tags/${tag.id}/scans`)).body).toMatchObject([{ count: 2 }])
})

test('unreadable documentation returns `unavailable`', async () => {
  silence()
  for (const fetch of [broken, async () => broken(), async () => new Response(null, { status: 500 })]) {
    const worker = createTestWorker({ ASSETS: Object.assign(Object.create(null), { fetch }) })
    const { status, headers, body } = await worker.fetch('/openapi.json')
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'unavailable'])
  }
})
