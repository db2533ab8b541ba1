import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import limits from '../../../docs/limits.md?raw'
import { limiterPauseMs, limiterTimeoutMs, rateLimits } from '../../../src/platform/http/rate-limit.ts'
import { problemDescriptions } from '../../../tools/openapi/problem-descriptions.ts'
import wranglerToml from '../../../wrangler.toml?raw'
import { adminToken, createKey, createVenue } from '../../support/api.ts'
import { broken, createTestWorker, never, passTime, restoreTime } from '../../support/test-worker.ts'

const online = { ALLOW_INSECURE_WEBHOOKS: undefined }
const worker = createTestWorker(online)
const venue = await createVenue()

type Limiter = keyof typeof rateLimits
/** Uses up a client's budget except one call, then runs the test. Repeats it with another client if a period ended in between. */
async function atTheEdge<Somebody>(
  name: Limiter,
  create: () => Promise<Somebody>,
  keyOf: (somebody: Somebody) => string,
  act: (somebody: Somebody) => Promise<void>,
) {
  const { limit, period } = rateLimits[name]
  const current = () => Math.floor(Date.now() / 1000 / period)
  for (let tries = 0; tries < 5; tries++) {
    const somebody = await create()
    const begun = current()
    await Promise.all(Array.from({ length: limit - 1 }, () => env[name]?.limit({ key: keyOf(somebody) })))
    const issue = await act(somebody).catch((error: unknown) => error)
    if (current() !== begun) continue
    if (issue) throw issue
    return
  }
  throw new Error('the machine is too slow to stay within a period')
}
const itself = (text: string) => text

const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'cf-connecting-ip': address, ...headers },
})
const fail = async (address: string, path = venue.path('/products'), headers = {}) => {
  const { status } = await worker.fetch(path, from(address, headers))
  return status
}
let addresses = 0
const createAddress = async () => `198.51.100.${++addresses}`

describe('the documented limit', () => {
  test('is that of the binding', () => {
    for (const [name, { limit, period }] of Object.entries(rateLimits)) {
      expect(wranglerToml).toMatch(
        new RegExp(`name = "${name}"\\nnamespace_id = "\\d+"\\nsimple = \\{ limit = ${limit}, period = ${period} \\}`),
      )
      expect(problemDescriptions.rate_limited).toContain(`${limit.toLocaleString('en')} requests in ${period} seconds`)
      expect(limits).toMatch(new RegExp(`${limit.toLocaleString('en')} .*in ${period} seconds`))
    }
  })
})

describe('a key', () => {
  test('is limited to 1,000 requests in 10 seconds, with Retry-After', { timeout: 60_000 }, async () => {
    const other = await createKey(venue.id, { mode: 'test' })
    const create = () => createKey(venue.id, { mode: 'live' })
    await atTheEdge(
      'REQUESTS',
      create,
      ({ keyId }) => keyId,
      async ({ key, keyId }) => {
        expect((await worker.call('GET', venue.path('/products'), key)).status).toBe(200)
        const { status, headers, body } = await worker.call('POST', venue.path('/products'), key, {
          title: 'Tea',
          price: 1,
          sku: keyId,
        })
        expect([status, headers.get('retry-after'), headers.get('content-type')]).toEqual([
          429,
          '10',
          'application/problem+json',
        ])
        expect(body).toMatchObject({ code: 'rate_limited', status: 429, type: '/docs/errors#rate_limited' })
        expect(headers.get('request-id')).toBe(body.requestId)
        expect((await venue.get(`/products?sku=${keyId}`)).body).toEqual([])
        // Checked before everything but the key.
        expect((await worker.call('PUT', '/merchants/mer_other/nothing', key)).status).toBe(429)
        expect((await worker.call('GET', venue.path('/products'), 'sk_live_no')).status).toBe(401)
        // Another key of the same merchant has its own.
        expect((await worker.call('GET', venue.path('/products'), other.key)).status).toBe(200)
      },
    )
  })
})

describe('an address', () => {
  test('is limited to 60 failures in 60 seconds; valid keys and known tags still work', {
    timeout: 60_000,
  }, async () => {
    const { body: tag } = await venue.post('/tags', {})
    await atTheEdge('MISSES', createAddress, itself, async (address) => {
      expect(await fail(address)).toBe(401)
      const { status, headers, body } = await worker.fetch(venue.path('/products'), from(address))
      expect([status, headers.get('retry-after'), body.code]).toEqual([429, '60', 'rate_limited'])
      expect(headers.get('www-authenticate')).toBeNull()
      for (const token of ['x', 'sk_live_1', `${venue.key}x`])
        expect(await fail(address, venue.path('/tags'), { authorization: `Bearer ${token}` })).toBe(429)
      expect(await fail(address, '/admin/merchants', { authorization: 'Bearer guess' })).toBe(429)
      expect(await fail(address, '/t/0000000000000001')).toBe(429)
      expect(await fail(address, '/t/0000000000000001/qr.png')).toBe(429)

      expect(await fail(address, venue.path('/products'), { authorization: `Bearer ${venue.key}` })).toBe(200)
      expect(await fail(address, '/admin/merchants', { authorization: `Bearer ${adminToken}` })).toBe(200)
      expect(await fail(address, `/t/${tag.id}`)).toBe(302)
      expect(await fail(address, `/t/${tag.id}/qr.png`)).toBe(200)
      expect(await fail(await createAddress())).toBe(401)
    })
  })

  test('of IPv6 counts by network', { timeout: 60_000 }, async () => {
    let networks = 0
    const createNetwork = async () => `2001:db8:${++networks}:2`
    await atTheEdge('MISSES', createNetwork, itself, async (network) => {
      expect(await fail(`${network}::1`)).toBe(401)
      expect(await fail(`${network}:3:4:5:6`)).toBe(429)
      expect(await fail(`2001:db8:${networks}:3::1`)).toBe(401)
    })
    const createShort = async () => `2001:db8:f${++networks}:0`
    await atTheEdge('MISSES', createShort, itself, async () => {
      expect(await fail(`2001:db8:f${networks}::1`)).toBe(401)
      expect(await fail(`2001:db8:f${networks}:0:1::`)).toBe(429)
    })
    const createMapped = async () => `::ffff:192.0.2.${++networks}`
    await atTheEdge('MISSES', createMapped, itself, async (address) => {
      expect(await fail(address)).toBe(401)
      expect(await fail(`::ffff:192.0.3.${networks}`)).toBe(401)
      expect(await fail(address)).toBe(429)
    })
  })
})

describe('a limiter', () => {
  const list = (limit: RateLimit['limit'], others = {}) =>
    createTestWorker({ ...online, REQUESTS: { limit }, ...others }).call('GET', venue.path('/products'), venue.key)

  test('is not used locally unless RATE_LIMITS is on', async () => {
    const asked: string[] = []
    const limit = async ({ key }: RateLimitOptions) => {
      asked.push(key)
      return { success: false }
    }
    expect((await list(limit, { ALLOW_INSECURE_WEBHOOKS: '1' })).status).toBe(200)
    expect(asked).toEqual([])
    expect((await list(limit, { ALLOW_INSECURE_WEBHOOKS: '1', RATE_LIMITS: 'on' })).status).toBe(429)
    expect((await list(limit)).status).toBe(429)
    expect(asked).toEqual([venue.keyId, venue.keyId])
  })

  test('that throws, hangs or is missing rejects no request and is logged', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    for (const limit of [broken, async () => broken(), () => never]) {
      let asked = 0
      const REQUESTS = {
        limit: () => {
          asked++
          return limit()
        },
      }
      const ill = createTestWorker({ ...online, REQUESTS, MISSES: REQUESTS })
      for (let n = 0; n < 20; n++) {
        expect((await ill.call('GET', venue.path('/products'), venue.key)).status).toBe(200)
        expect((await ill.fetch(venue.path('/products'))).status).toBe(401)
        expect((await ill.fetch('/t/0000000000000009')).status).toBe(404)
      }
      expect(asked).toBe(1)
      passTime(limiterPauseMs / 1000)
      await ill.call('GET', venue.path('/products'), venue.key)
      expect(asked).toBe(2)
      expect(log).toHaveBeenCalledTimes(2)
      log.mockClear()
    }
    restoreTime()
    const none = createTestWorker({ ...online, REQUESTS: undefined, MISSES: undefined })
    expect((await none.call('GET', venue.path('/products'), venue.key)).status).toBe(200)
    expect((await none.fetch(venue.path('/products'))).status).toBe(401)
    expect(limiterTimeoutMs).toBeLessThanOrEqual(50)
  })
})
