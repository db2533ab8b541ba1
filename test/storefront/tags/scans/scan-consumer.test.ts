import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { cacheHome } from '../../../../src/platform/db/home/home.ts'
import { queueUntil } from '../../../../src/storefront/tags/scans/record-scan.ts'
import { consumeScans } from '../../../../src/storefront/tags/scans/scan-consumer.ts'
import { receiptRetentionDays } from '../../../../src/storefront/tags/scans/scan-receipts.ts'
import configuration from '../../../../wrangler.toml?raw'
import { createVenue } from '../../../support/api.ts'
import { broken, createTestWorker, deliver, never } from '../../../support/test-worker.ts'

const venue = await createVenue({ orderingUrl: 'https://live.example/' })
let worker = createTestWorker()
beforeEach(() => {
  // As while the isolate counts another scan. `direct-counts.test.ts` has scans that need no message.
  queueUntil.ms = Number.POSITIVE_INFINITY
  worker = createTestWorker()
})

const create = async () => {
  const { body: tag } = await venue.post('/tags', {})
  return { ...tag, code: tag.alias[0], chip: new URL(tag.nfcUrl).pathname }
}
const countsOf = async (id: string) => (await venue.get(`/tags/${id}/scans`)).body
const total = async (id: string) =>
  (await countsOf(id)).reduce((sum: number, { count }: { count: number }) => sum + count, 0)
/** Scans, and the messages that they left. */
async function scan(path: string, ...inits: RequestInit[]) {
  for (const init of inits.length > 0 ? inits : [{}]) expect((await worker.fetch(path, init)).status).toBe(302)
  await worker.settle()
  return worker.used().sent.filter((message) => JSON.stringify(message).includes('"kind":"scan"'))
}
const today = new Date().toISOString().slice(0, 10)
/** Lets the isolate forget that the venue is in an object: the shared database is asked first. */
const forgetHome = () => cacheHome(venue.id, undefined)
let sequence = 0
/** A message as the redirect sends them. */
const messageOf = (tag: string, changes: object = {}) => ({
  kind: 'scan',
  id: `scan_${crypto.randomUUID()}_${sequence++}`,
  merchant: venue.id,
  tag,
  at: Date.now(),
  channel: 'qr',
  timezone: 'UTC',
  ...changes,
})

describe('a scan', () => {
  test('is counted by channel', async () => {
    const tag = await create()
    const sent = [
      ...(await scan(`/T/${tag.code}`)),
      ...(await scan(`/t/${tag.code}`)),
      ...(await scan(`/t/${tag.id}`)),
      ...(await scan(tag.chip)),
      ...(await scan(`${tag.chip.slice(0, -1)}_`)),
    ]
    expect(await worker.consume(...sent)).toEqual({ acked: ['m0', 'm1', 'm2', 'm3', 'm4'], retried: [] })
    expect(await countsOf(tag.id)).toEqual([
      { day: today, channel: 'link', count: 3 },
      { day: today, channel: 'nfc', count: 1 },
      { day: today, channel: 'qr', count: 1 },
    ])
  })

  test('is counted once if its message is repeated', async () => {
    const tag = await create()
    const [one, two] = [messageOf(tag.id), messageOf(tag.id)]
    expect((await worker.consume(one, one, two, one)).acked).toHaveLength(4)
    await worker.consume(two, one)
    await Promise.all([worker.consume(one, two), worker.consume(two)])
    expect(await total(tag.id)).toBe(2)
  })

  test('is counted once by concurrent consumers', async () => {
    const tag = await create()
    const messages = Array.from({ length: 20 }, () => messageOf(tag.id))
    await Promise.all(Array.from({ length: 8 }, () => worker.consume(...messages)))
    expect(await total(tag.id)).toBe(20)
  })

  test('is counted once if D1 fails before or after the write', async () => {
    const tag = await create()
    const messages = [messageOf(tag.id), messageOf(tag.id)]
    forgetHome()
    worker.failures.database = broken
    expect(await worker.consume(...messages)).toEqual({ acked: [], retried: ['m0', 'm1'] })
    worker.failures.database = async () => {
      worker.failures.database = undefined
      await deliver(env, messages)
      throw new Error('the response was lost')
    }
    expect(await worker.consume(...messages)).toEqual({ acked: [], retried: ['m0', 'm1'] })
    expect(await worker.consume(...messages)).toEqual({ acked: ['m0', 'm1'], retried: [] })
    expect(await total(tag.id)).toBe(2)
  })

  test('is tried again after longer and longer times, for more than three days and less than the queue keeps it', async () => {
    const { id } = await create()
    worker.failures.database = broken
    const delays: number[] = []
    const retries = Number(/queue = "scans"\n(?:.+\n)*?max_retries = (\d+)/.exec(configuration)?.[1])
    const messages = Array.from({ length: retries }, (_, index) => ({
      attempts: index + 1,
      body: messageOf(id),
      retry: ({ delaySeconds }: { delaySeconds: number }) => delays.push(delaySeconds),
    }))
    await consumeScans(Object.assign(Object.create(null), { messages }), worker.bindings)
    expect(delays.slice(0, 13)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600, 3_600])
    const days = delays.reduce((sum, seconds) => sum + seconds) / 86_400
    expect(days).toBeGreaterThan(3)
    expect(days).toBeLessThan(4)
    expect(receiptRetentionDays).toBeGreaterThan(4)
  })

  test('is counted in batches of a hundred', async () => {
    const [first, second] = [await create(), await create()]
    const messages = Array.from({ length: 100 }, (_, n) => messageOf(n % 4 ? first.id : second.id))
    forgetHome()
    worker.used()
    await worker.consume(...messages)
    expect(worker.used().trips).toBe(1)
    expect([await total(first.id), await total(second.id)]).toEqual([75, 25])
  })

  test('writes an analytics point, and is counted if that fails', async () => {
    const points: unknown[] = []
    const tag = await create()
    worker = createTestWorker({ SCAN_POINTS: { writeDataPoint: (point) => void points.push(point) } })
    await scan(`/T/${tag.code}`)
    expect(points).toEqual([{ indexes: [venue.id], blobs: [tag.id, 'qr'], doubles: [1] }])
    for (const SCAN_POINTS of [{ writeDataPoint: broken }, undefined]) {
      worker = createTestWorker({ SCAN_POINTS })
      expect(await scan(`/T/${tag.code}`)).toHaveLength(1)
    }
  })

  test('redirects while the queue hangs; a rejected message is sent again', async () => {
    const tag = await create()
    await worker.fetch(`/t/${tag.code}`)
    await worker.settle()
    worker.used()
    let refused = 0
    worker.failures.send = () => (refused++ === 0 ? broken() : undefined)
    expect(await scan(`/t/${tag.code}`)).toHaveLength(1)
    worker.failures.send = () => never
    // No timer fires, so a redirect that waits for the queue would never respond.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    expect((await worker.fetch(`/t/${tag.code}`)).status).toBe(302)
    vi.useRealTimers()
  })

  test('of a tag that was deleted before its message is not counted', async () => {
    const tag = await create()
    const sent = await scan(`/t/${tag.code}`)
    await venue.remove(`/tags/${tag.id}`)
    expect((await worker.consume(...sent)).retried).toEqual([])
    expect((await venue.get(`/tags/${tag.id}/scans`)).status).toBe(404)
  })
})

describe('a guest', () => {
  test.each([
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 50) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36 QRScanner/3.1',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 [FBAN/FBIOS]',
  ])('is counted with: %s', async (name) => {
    const tag = await create()
    expect(await scan(`/T/${tag.code}`, { headers: { 'user-agent': name } })).toHaveLength(1)
  })
})

describe('requests that are not scans', () => {
  const agent = (name: string) => ({ headers: { 'user-agent': name } })

  const visits: [string, RequestInit][] = [
    ['HEAD', { method: 'HEAD' }],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }],
    ['a prerender', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['an older prefetch', { headers: { purpose: 'prefetch' } }],
    ['Firefox prefetching', { headers: { 'x-moz': 'prefetch' } }],
    ['Safari previewing', { headers: { purpose: 'preview' } }],
    ...[
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'facebookexternalhit/1.1',
      'WhatsApp/2.23.20.0',
      'TelegramBot (like TwitterBot)',
      'Slackbot-LinkExpanding 1.0',
      'curl/8.5.0',
      'python-requests/2.31',
      'node',
      'Mozilla/5.0 HeadlessChrome/120',
      'SkypeUriPreview',
      'Mozilla/5.0 (compatible; Baiduspider/2.0)',
      'Wget/1.21',
    ].map((name): [string, RequestInit] => [name, agent(name)]),
  ]
  test.each(visits)('are redirected and not counted: %s', async (_, init) => {
    const tag = await create()
    expect(await scan(`/T/${tag.code}`, init)).toEqual([])
  })

  test('are not redirected', async () => {
    const tag = await create()
    await venue.remove(`/tags/${tag.id}`)
    for (const name of [tag.code, '0000000000000000', '%zz']) await worker.fetch(`/t/${name}`)
    await worker.settle()
    expect(JSON.stringify(worker.used().sent)).not.toContain('"scan"')
  })
})

describe('an invalid message', () => {
  test.each([
    null,
    7,
    'scan',
    [],
    {},
    { kind: 'scan' },
    { kind: 'other' },
    { kind: 'tag' },
    { kind: 'tag', names: [1] },
    messageOf('tag_1', { channel: 'bluetooth' }),
    messageOf('tag_1', { at: 'now' }),
    messageOf('tag_1', { at: 1e300 }),
    messageOf('tag_1', { at: -1 }),
    messageOf('tag_1', { id: 5 }),
  ])('is acknowledged and does not affect others: %j', async (body) => {
    const tag = await create()
    expect(await worker.consume(body, messageOf(tag.id))).toEqual({ acked: ['m0', 'm1'], retried: [] })
    expect(await total(tag.id)).toBe(1)
  })

  test('with an unknown time zone is counted by UTC', async () => {
    const tag = await create()
    const sent = [messageOf(tag.id, { timezone: 'Mars/Olympus' }), messageOf(tag.id)]
    expect((await worker.consume(...sent)).retried).toEqual([])
    expect(await total(tag.id)).toBe(2)
  })
})
