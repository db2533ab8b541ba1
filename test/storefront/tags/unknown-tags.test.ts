import { describe, expect, test } from 'vitest'
import { createVenue, send } from '../../support/api.ts'
import { broken, createTestWorker } from '../../support/test-worker.ts'

const venue = await createVenue({ orderingUrl: 'https://live.example/o' })
const create = async () => {
  const { body: tag } = await venue.post('/tags', {})
  return { ...tag, code: tag.alias[0] }
}

const isPage = ({ headers, body }: Awaited<ReturnType<typeof send>>) => {
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('x-robots-tag')).toBe('noindex')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('location')).toBeNull()
  expect(body).toMatch(/<h1>.+<\/h1>/)
}

describe('a scan of an unknown tag', () => {
  test.each([
    '%',
    '%zz',
    '%E0%A4%A',
    '%00',
    '%0d%0aLocation:%20x',
    '..%2f..%2fadmin',
    '%5C%5Cevil.example',
    'a%20b',
    '@evil.example',
    '%C3%A4',
    'x'.repeat(65),
    "'%20or%201=1--",
    'a{tag}b',
    '*',
    '$&',
  ])('returns a page without reading storage: %s', async (path) => {
    const worker = createTestWorker()
    for (const start of ['/t/', '/T/', '/n/']) {
      const response = await worker.fetch(`${start}${path}${start === '/n/' ? '/ABCDEFGH12345678' : ''}`)
      expect(response.status).toBe(404)
      isPage(response)
    }
    await worker.settle()
    expect(worker.used()).toMatchObject({ reads: [], writes: [], trips: 0, sent: [] })
  })

  test('returns a page for a code that never existed', async () => {
    for (const path of [
      '/t/0000000000000000',
      '/t/tag_00000000000000000000000000',
      '/t/menu',
      '/n/0000000000000000/0000000000000000',
    ]) {
      const response = await send(path)
      expect(response.status).toBe(404)
      isPage(response)
    }
  })

  test('returns a page for each name of a deleted tag', async () => {
    const made = await create()
    await venue.remove(`/tags/${made.id}`)
    for (const path of [`/t/${made.code}`, `/T/${made.code}`, `/t/${made.id}`, new URL(made.nfcUrl).pathname]) {
      const response = await send(path)
      expect(response.status).toBe(410)
      isPage(response)
    }
  })

  test('is not found in the object prototype', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) expect((await send(`/t/${name}`)).status).toBe(404)
  })
})

describe('an address that requests unknown codes', () => {
  const limited = (response: () => Promise<{ success: boolean }>) => {
    const asked: string[] = []
    const limit = (options: { key: string }) => {
      asked.push(options.key)
      return response()
    }
    return { MISSES: { limit }, asked }
  }
  const full = () => limited(async () => ({ success: false }))
  const online = { ALLOW_INSECURE_WEBHOOKS: undefined }
  const headers = { 'cf-connecting-ip': '192.0.2.7' }

  test('receives 429 above the limit', async () => {
    const { MISSES, asked } = full()
    const worker = createTestWorker({ ...online, MISSES })
    const response = await worker.fetch('/t/0000000000000001', { headers })
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '60'])
    isPage(response)
    expect((await worker.fetch('/n/0000000000000001/0000000000000001', { headers })).status).toBe(429)
    expect((await worker.fetch('/t/%zz', { headers })).status).toBe(429)
    expect(new Set(asked)).toEqual(new Set(['192.0.2.7']))
  })

  test('receives 404 below the limit', async () => {
    const { MISSES, asked } = limited(async () => ({ success: true }))
    expect((await createTestWorker({ ...online, MISSES }).fetch('/t/0000000000000002', { headers })).status).toBe(404)
    expect(asked).toEqual(['192.0.2.7'])
  })

  test('can always scan existing and deleted tags', async () => {
    const { MISSES, asked } = full()
    const worker = createTestWorker({ ...online, MISSES })
    const [known, deleted] = [await create(), await create()]
    await venue.remove(`/tags/${deleted.id}`)
    for (let n = 0; n < 5; n++) {
      expect((await worker.fetch(`/t/${known.code}`, { headers })).status).toBe(302)
      expect((await worker.fetch(new URL(known.nfcUrl).pathname, { headers })).status).toBe(302)
      expect((await worker.fetch(`/t/${deleted.code}`, { headers })).status).toBe(410)
    }
    expect(asked).toEqual([])
  })

  test('is not limited locally unless RATE_LIMITS is on', async () => {
    const { MISSES, asked } = full()
    expect((await createTestWorker({ MISSES }).fetch('/t/0000000000000003', { headers })).status).toBe(404)
    expect(asked).toEqual([])
    expect(
      (await createTestWorker({ MISSES, RATE_LIMITS: 'on' }).fetch('/t/0000000000000003', { headers })).status,
    ).toBe(429)
    expect(
      (await createTestWorker({ MISSES, RATE_LIMITS: 'off' }).fetch('/t/0000000000000003', { headers })).status,
    ).toBe(404)
  })

  test('has a limit of sixty per minute for itself', async () => {
    const worker = createTestWorker({ ...online, RATE_LIMITS: 'on' })
    const from = (address: string) => (path: string) => worker.fetch(path, { headers: { 'cf-connecting-ip': address } })
    const [guesser, neighbour] = [from('192.0.2.60'), from('192.0.2.61')]
    const known = await create()
    // The limiter's minutes are those of the clock, and this takes a few seconds of one.
    const leftMs = 60_000 - (Date.now() % 60_000)
    if (leftMs < 10_000) await scheduler.wait(leftMs)
    const statuses: number[] = []
    for (let n = 0; n < 70; n++) {
      statuses.push((await guesser(`/t/${String(n).padStart(16, '0')}`)).status)
      expect((await guesser(`/t/${known.code}`)).status).toBe(302)
    }
    expect(statuses).toEqual(statuses.map((_, n) => (n < 60 ? 404 : 429)))
    expect((await neighbour('/t/0000000000000001')).status).toBe(404)
  })

  test('receives a response if the limiter fails or is missing', async () => {
    for (const MISSES of [{ limit: broken }, { limit: async () => broken() }, undefined])
      expect((await createTestWorker({ ...online, MISSES }).fetch('/t/0000000000000004', { headers })).status).toBe(404)
  })
})
