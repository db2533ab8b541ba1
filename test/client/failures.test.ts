import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError, ConnectionError } from '../../packages/client/src/client.ts'
import { connect, cut, type Fetch, instead, service } from './new-client.ts'

const busy =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    new Response('no', { status, headers })
/** Lets timers fire at once. Returns their delays in milliseconds; restored after each test. */
function skipDelays(): () => unknown[] {
  const set = globalThis.setTimeout
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation((callback: () => void) => set(callback, 0))
  return () => timers.mock.calls.map(([, delay]) => delay)
}
afterEach(() => {
  vi.restoreAllMocks()
})
const lost = () => Promise.reject(new TypeError('connection lost'))

describe('errors', () => {
  test('contain every issue', async () => {
    const { client } = await connect()
    const error = await client.coupons.create({ title: '', code: 'a', type: 'FIXED', value: -1 }).catch((e) => e)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 422, code: 'invalid_request', requestId: expect.stringMatching(/^req_/) })
    expect(error.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/title', '/value'])
    expect(error.message).toContain('/title must have at least 1 character.')
  })

  test('are thrown for responses of other servers', async () => {
    const page = () => new Response('<h1>Forbidden</h1>', { status: 403 })
    const { client, sent } = await connect(instead(page))
    await expect(client.products.list().page()).rejects.toMatchObject({ status: 403, code: 'unknown' })
    expect(sent).toHaveLength(1)
  })

  test('redirects are not followed, because they would receive the key', async () => {
    const { client, sent } = await connect(instead(() => Response.redirect('https://elsewhere.example/')))
    await expect(client.products.list().page()).rejects.toMatchObject({ status: 302 })
    expect(sent).toHaveLength(1)
  })
})

describe('a temporary failure', () => {
  test('is retried as the same request and creates one object', async () => {
    const { client, sent } = await connect(instead(busy(503), lost, busy(502)))
    skipDelays()
    const { id } = await client.products.create({ title: 'Tea', price: 1 })
    expect((await client.products.list().page()).items.map((product) => product.id)).toEqual([id])
    expect(sent).toHaveLength(5)
    expect(new Set(sent.slice(0, 4).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    expect(new Set(await Promise.all(sent.slice(0, 4).map((request) => request.text()))).size).toBe(1)
  })

  test('takes effect once even if only the response was lost', async () => {
    let isLost = true
    const { client } = await connect(async (url, init) => {
      const response = await service(url, init)
      if (!isLost) return response
      isLost = false
      throw new TypeError('connection lost')
    })
    const { id } = await client.products.create({ title: 'Tea', price: 1 })
    expect((await client.products.list().page()).items.map((product) => product.id)).toEqual([id])
  })

  test('takes effect once even if only the body of the response was lost', async () => {
    let isLost = true
    const { client, sent } = await connect(async (url, init) => {
      const response = await service(url, init)
      if (!isLost) return response
      isLost = false
      return cut(response)
    })
    skipDelays()
    const { id } = await client.products.create({ title: 'Tea', price: 1 })
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    expect(sent).toHaveLength(2)
    expect((await client.products.list().page()).items.map((product) => product.id)).toEqual([id])
  })

  test('that cuts each body is thrown with its cause, after the configured number of retries', async () => {
    const { client, sent } = await connect(async () => cut(Response.json([])), { retries: 1 })
    skipDelays()
    const calls = [
      () => client.products.create({ title: 'Tea', price: 1 }),
      () => client.products.list().page(),
      () => client.products.edit('prod_1', () => ({ price: 2 })),
    ]
    for (const call of calls) {
      const error = await call().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ConnectionError)
      expect(error).toMatchObject({ cause: new TypeError('connection cut') })
      expect(sent.splice(0)).toHaveLength(2)
    }
  })

  test('is aborted by a signal, also while a body is read', async () => {
    const controller = new AbortController()
    const { client, sent } = await connect(async (_, { signal }) => {
      const body = new ReadableStream({
        start: (stream) => signal?.addEventListener('abort', () => stream.error(signal.reason)),
        pull: () => controller.abort(new Error('enough')),
      })
      return new Response(body)
    })
    await expect(client.products.list({}, { signal: controller.signal }).page()).rejects.toThrow('enough')
    expect(sent).toHaveLength(1)
  })

  test('is thrown after the configured number of retries', async () => {
    const { client, sent } = await connect(instead(lost, lost, lost), { retries: 1 })
    await expect(client.products.list().page()).rejects.toThrow(ConnectionError)
    expect(sent).toHaveLength(2)
  })

  test('is retried after Retry-After', async () => {
    const { client, sent } = await connect(instead(busy(429, { 'retry-after': '2' })))
    const delays = skipDelays()
    await client.products.list().page()
    expect(sent).toHaveLength(2)
    expect(delays()).toContain(2_000)
  })

  test.each([429, 503])('with status %i is retried at the date in Retry-After', async (status) => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('Fri, 27 Nov 2026 23:59:50 GMT'))
    const { client, sent } = await connect(instead(busy(status, { 'retry-after': 'Sat, 28 Nov 2026 00:00:05 GMT' })))
    const delays = skipDelays()
    await client.products.create({ title: 'Tea', price: 1 })
    expect(delays()).toContain(15_000)
    expect(sent).toHaveLength(2)
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  })

  test.each(['Thu, 01 Jan 1970 00:00:00 GMT', 'soon', '', '-5'])(
    'is retried after a pause of its own if Retry-After is %j',
    async (text) => {
      const { client, sent } = await connect(instead(busy(503, { 'retry-after': text })))
      const delays = skipDelays()
      await client.products.list().page()
      expect(sent).toHaveLength(2)
      expect(delays()).toContainEqual(expect.toSatisfy((delay) => delay >= 250 && delay <= 500))
    },
  )

  test.each([
    ['seconds', '61'],
    ['a date', 'Sat, 28 Nov 2026 00:01:01 GMT'],
  ])('is thrown at once if Retry-After is too long, as %s', async (_, retryAfter) => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('Sat, 28 Nov 2026 00:00:00 GMT'))
    const { client, sent } = await connect(instead(busy(429, { 'retry-after': retryAfter })))
    await expect(client.products.list().page()).rejects.toMatchObject({ status: 429 })
    expect(sent).toHaveLength(1)
  })

  test('is aborted by a signal, also between attempts', async () => {
    const controller = new AbortController()
    const { client, sent } = await connect(instead(busy(503, { 'retry-after': '30' })))
    const listed = client.products.list({}, { signal: controller.signal }).page()
    setTimeout(() => controller.abort(new Error('enough')), 100)
    await expect(listed).rejects.toThrow('enough')
    expect(sent).toHaveLength(1)
  })

  test('that polls an import is aborted by a signal, also between two polls', async () => {
    const checking = () => Response.json({ id: 'imp_1', state: 'checking' })
    const { client, sent } = await connect(async () => checking())
    const controller = new AbortController()
    // The pause before the next poll does not end by itself.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const imported = client.import('products', '{}', { signal: controller.signal })
    // Messages of earlier files may start timers too.
    await vi.waitUntil(() => sent.length === 2 && vi.getTimerCount() > 0)
    controller.abort(new Error('enough'))
    await expect(imported).rejects.toThrow('enough')
    expect(sent).toHaveLength(2)
  })

  test('times out', async () => {
    const hang: Fetch = (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    const { client } = await connect(hang, { timeoutMs: 50, retries: 0 })
    await expect(client.products.list().page()).rejects.toThrow(ConnectionError)
  })
})
