import { afterEach, expect, test, vi } from 'vitest'
import { getLevel, type LogMessage } from '../../../src/platform/lib/log.ts'
import { adminToken, createVenue } from '../../support/api.ts'
import { broken, createTestWorker } from '../../support/test-worker.ts'

afterEach(() => vi.restoreAllMocks())

const venue = await createVenue()
const url = 'http://127.0.0.1:9/in?token=in-the-address'
const { body: webhook } = await venue.post('/webhooks', { title: 'Till', url, events: ['*'] })
const { body: signing } = await venue.get(`/webhooks/${webhook.id}/secret`)
const secrets: string[] = [venue.key, webhook.bearerToken, signing.secret, adminToken, 'in-the-address']

test('every log line of a request has its id, after the response too, and no secret', async () => {
  const { body: tag } = await venue.post('/tags', {})
  const { body: tapped } = await venue.post('/tags', {})
  const queue: Queue<unknown> = Object.assign(Object.create(null), { send: broken, sendBatch: broken })
  const worker = createTestWorker({
    ALLOW_INSECURE_WEBHOOKS: undefined,
    DELIVERIES: queue,
    SCANS: queue,
    SCAN_POINTS: { writeDataPoint: broken },
    MISSES: { limit: broken },
    ASSETS: Object.assign(Object.create(null), { fetch: broken }),
  })
  const database = () => broken()
  const guest = { headers: { 'user-agent': 'A phone' } }
  const asKey = { headers: { authorization: `Bearer ${venue.key}` } }
  const steps: [LogMessage, string, RequestInit, (typeof worker)['failures']?][] = [
    ['limiter failed', '/admin/merchants', { headers: { authorization: `Bearer ${venue.key}` } }],
    ['request failed', venue.path('/products'), asKey, { database }],
    ['request failed', '/admin/merchants', { headers: { authorization: `Bearer ${adminToken}` } }, { database }],
    [
      'deliveries not enqueued',
      venue.path('/products'),
      {
        method: 'POST',
        body: '{"title": "Tea", "price": 1}',
        headers: { ...asKey.headers, 'content-type': 'application/json' },
      },
    ],
    [
      'KV write failed',
      venue.path(`/tags/${tag.id}`),
      {
        method: 'POST',
        body: '{"metadata": []}',
        headers: { ...asKey.headers, 'content-type': 'application/json' },
      },
      { write: broken },
    ],
    ['KV checks not enqueued', venue.path(`/tags/${tag.id}`), { method: 'DELETE', ...asKey }],
    // No other file uses this code: an isolate caches for a while that a code is unknown.
    ['tag not read', `/t/${String(Date.now()).padEnd(16, '0')}`, guest, { database, read: broken }],
    ['scan data point not written', `/t/${tapped.id}`, guest],
    ['scan left to the queue', `/t/${tapped.id}`, guest, { database }],
    ['scan not counted', `/t/${tapped.id}`, guest, { database }],
    [
      'tap not recorded',
      new URL(tapped.nfcUrl).pathname,
      guest,
      { database: (sql) => (sql.join().includes('update') ? broken() : undefined) },
    ],
    ['menu not read', `/m/${venue.id}?at=0`, guest, { database }],
    ['documentation not read', '/openapi.json', guest],
  ]
  // So that the isolate knows the key.
  await worker.fetch(venue.path('/products'), asKey)
  for (const [message, path, init, failures = {}] of steps) {
    const written: (readonly [level: string, line: string])[] = []
    const spies = (['info', 'warn', 'error'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((line: string) => void written.push([level, line])),
    )
    Object.assign(worker.failures, { database: undefined, read: undefined, write: undefined }, failures)
    const { headers } = await worker.fetch(path, init)
    await worker.settle()
    const lines = written.map(([, line]) => JSON.parse(line))
    expect(written.map(([level]) => level)).toEqual(lines.map((line) => getLevel(line.message)))
    expect(lines.map((line) => line.message)).toContain(message)
    for (const line of lines) {
      expect([line.message, line.requestId]).toEqual([line.message, headers.get('request-id')])
      expect(line.requestId).toMatch(/^req_/)
      for (const secret of secrets) expect(JSON.stringify(line)).not.toContain(secret)
    }
    for (const spy of spies) spy.mockRestore()
  }
})

test.each([
  ['merchant moved', 'info'],
  ['purged', 'info'],
  ['KV write failed', 'warn'],
  ['request failed', 'error'],
  ['dead letter', 'error'],
] as const)('%s is of the level %s', (message, level) => {
  expect(getLevel(message)).toBe(level)
})
