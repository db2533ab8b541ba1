import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deleteClosedMerchants, deletionDelaySeconds } from '../../src/admin/delete-closed.ts'
import { clearKeyCache } from '../../src/platform/auth/api-keys.ts'
import { directoryDatabase } from '../../src/platform/db/home/d1-connection.ts'
import { adminToken, call, createVenue, send, toIssues } from '../support/api.ts'
import { observe } from '../support/d1.ts'
import { createTestWorker } from '../support/test-worker.ts'
import { createWebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const homes = ['d1', 'object'] as const
const daySeconds = 86_400
const now = () => Math.floor(Date.now() / 1000)
const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const admin = (id: string, change = '', json?: unknown, headers?: Record<string, string>) =>
  call(json === undefined ? 'GET' : 'POST', `/admin/merchants/${id}${change}`, adminToken, json, headers)
const states = async (id: string) => {
  const { status, suspendedAt, closedAt, deletesAt } = (await admin(id)).body
  return { status, suspendedAt, closedAt, deletesAt }
}

describe('a suspended merchant', () => {
  test('rejects its keys at once in this isolate, and accepts them again after it is resumed', async () => {
    const venue = await createVenue()
    const other = await createVenue()
    expect((await venue.get('/products')).status).toBe(200)
    const suspended = await admin(venue.id, '/suspend', {})
    expect([suspended.status, suspended.body.status, suspended.body.suspendedAt]).toEqual([
      200,
      'suspended',
      expect.any(Number),
    ])
    const rejected = await venue.post('/products', { title: 'Tea', price: 1 })
    expect([rejected.status, rejected.body.code]).toEqual([403, 'merchant_suspended'])
    expect((await call('GET', venue.path('/products'), other.key)).body.code).toBe('forbidden')
    expect((await call('GET', other.path('/products'), venue.key)).body.code).toBe('forbidden')
    expect((await other.get('/products')).status).toBe(200)
    expect((await admin(venue.id)).body).toEqual(suspended.body)

    const resumed = await admin(venue.id, '/resume', {})
    expect([resumed.status, resumed.body.status, resumed.body.suspendedAt]).toEqual([200, 'active', undefined])
    expect((await venue.get('/products')).status).toBe(200)
  })

  test('costs a request no round trip more', async () => {
    const venue = await createVenue()
    await admin(venue.id, '/suspend', {})
    clearKeyCache()
    const first = await observe('GET', venue.path('/products'), { key: venue.key })
    expect([first.status, first.trips.filter(({ statements }) => statements[0]?.startsWith('select'))]).toEqual([
      403,
      [expect.anything()],
    ])
    const cached = await observe('GET', venue.path('/products'), { key: venue.key })
    expect([cached.status, cached.trips]).toEqual([403, []])
  })

  test('is found suspended by other isolates when their copy of the key expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const venue = await createVenue()
    expect((await venue.get('/products')).status).toBe(200)
    await env.DB.prepare('update merchants set suspended_at = 1 where id = ?').bind(venue.id).run()
    expect((await venue.get('/products')).status).toBe(200)
    advance(31)
    expect((await venue.get('/products')).status).toBe(403)
  })

  test('shows guests a notice instead of tags and menus', async () => {
    const venue = await createVenue({ orderingUrl: 'https://order.example/{code}' })
    const { body: tag } = await venue.post('/tags', { metadata: [] })
    const [link, chip] = [new URL(tag.url).pathname, new URL(tag.nfcUrl).pathname]
    const paths = [link, link.replace('t', 'T'), chip, `/m/${venue.id}`]
    const statuses = async () => Promise.all(paths.map(async (path) => (await send(path)).status))
    expect(await statuses()).toEqual([302, 302, 302, 200])
    await admin(venue.id, '/suspend', {})
    expect(await statuses()).toEqual([403, 403, 403, 403])
    const page = await send(link, { headers: { 'accept-language': 'de' } })
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect(page.body).toContain('Bitte fragen Sie das Personal')
    const data = await send(`/m/${venue.id}.json`)
    expect([data.status, data.body.code]).toEqual([403, 'merchant_suspended'])
    await admin(venue.id, '/resume', {})
    expect(await statuses()).toEqual([302, 302, 302, 200])
  })

  test('is suspended in KV before the response', async () => {
    const venue = await createVenue()
    const worker = createTestWorker()
    await worker.fetch(`/admin/merchants/${venue.id}/suspend`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(JSON.parse((await worker.copy(`m:${venue.id}`)) ?? '{}')).toMatchObject({ suspended: true })
    await worker.settle()
  })

  test('keeps its deliveries until it is resumed', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    await harness.post('/products', { title: 'Tea', price: 1 })
    await harness.request('POST', `/admin/merchants/${harness.venue.id}/suspend`, {}, adminToken)
    await harness.deliver()
    await harness.advance(600)
    expect([await harness.sweep(), harness.queued.length, harness.calls.length]).toEqual([0, 0, 0])
    expect((await harness.deliveries()).map(({ state }) => state)).toContain('pending')
    await harness.request('POST', `/admin/merchants/${harness.venue.id}/resume`, {}, adminToken)
    expect(await harness.sweep()).toBe(1)
    await harness.deliver()
    expect(harness.calls.map(({ body }) => body.type)).toEqual(['product.created'])
  })
})

describe('a closed merchant', () => {
  test('counts as suspended until it is reopened within the grace period', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const venue = await createVenue()
    const closedAt = now()
    const closed = await admin(venue.id, '/close', {})
    expect([closed.status, await states(venue.id)]).toEqual([
      200,
      { status: 'closed', closedAt, deletesAt: closedAt + 30 * daySeconds },
    ])
    expect((await venue.get('/products')).body.code).toBe('merchant_suspended')
    advance(daySeconds)
    await admin(venue.id, '/close', { graceDays: 2 })
    expect(await states(venue.id)).toMatchObject({ closedAt, deletesAt: closedAt + 2 * daySeconds })
    advance(daySeconds - 1)
    expect((await admin(venue.id, '/reopen', {})).body).toMatchObject({ status: 'active' })
    expect(await states(venue.id)).toEqual({ status: 'active' })
    expect((await venue.get('/products')).status).toBe(200)
  })

  test('stays suspended when it is reopened, and closed when it is resumed', async () => {
    const venue = await createVenue()
    await admin(venue.id, '/suspend', {})
    await admin(venue.id, '/close', {})
    expect((await admin(venue.id, '/reopen', {})).body.status).toBe('suspended')
    await admin(venue.id, '/close', {})
    expect((await admin(venue.id, '/resume', {})).body.status).toBe('closed')
  })

  test.each(homes)(
    'in %s keeps its deliveries until it is reopened; those that still wait are deleted with it',
    async (home) => {
      const harness = await createWebhookHarness(home === 'object' ? { home } : {})
      const change = (name: string, json: object = {}) =>
        harness.request('POST', `/admin/merchants/${harness.venue.id}/${name}`, json, adminToken)
      await harness.createWebhook()
      await harness.post('/products', { title: 'Tea', price: 1 })
      await change('close', { graceDays: 1 })
      await harness.deliver()
      await harness.advance(600)
      expect([await harness.sweep(), harness.queued.length, harness.calls.length]).toEqual([0, 0, 0])
      await change('reopen')
      expect(await harness.sweep()).toBe(1)
      await harness.deliver()
      expect(harness.calls.map(({ body }) => body.type)).toEqual(['product.created'])
      // The call of one event is under way while the merchant is deleted, the message of another one is late.
      await harness.post('/products', { title: 'Cake', price: 1 })
      const [message] = harness.queued.splice(0)
      await harness.post('/products', { title: 'Soup', price: 1 })
      harness.endpoint = async () => {
        await change('close', { graceDays: 1 })
        await harness.advance(daySeconds + deletionDelaySeconds)
        await deleteClosedMerchants(harness.bindings, directoryDatabase(env), now())
        return new Response(null, { status: 204 })
      }
      await harness.deliver()
      if (message) await harness.consume([message])
      expect(harness.calls).toHaveLength(2)
      expect((await admin(harness.venue.id)).status).toBe(404)
      expect([await harness.deliveries(), await harness.events()]).toEqual([[], []])
    },
  )

  test('cannot be reopened or closed after the grace period', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const venue = await createVenue()
    await admin(venue.id, '/close', { graceDays: 1 })
    advance(daySeconds)
    for (const change of ['/reopen', '/close']) {
      const { status, body } = await admin(venue.id, change, {})
      expect([status, body.code]).toEqual([409, 'conflict'])
    }
    expect((await states(venue.id)).status).toBe('closed')
  })

  test.each([
    [0, 'too_small'],
    [366, 'too_large'],
    [1.5, 'too_precise'],
    [true, 'invalid_type'],
  ])('rejects a grace period of %s days', async (graceDays, code) => {
    const venue = await createVenue()
    expect(toIssues(await admin(venue.id, '/close', { graceDays }))).toEqual([`/graceDays ${code}`])
    expect((await admin(venue.id, '/close', { graceDays: 365 })).status).toBe(200)
  })
})

test.each(['suspend', 'resume', 'close', 'reopen'])('%s can be repeated, and is audited once', async (change) => {
  const venue = await createVenue()
  if (change === 'resume') await admin(venue.id, '/suspend', {})
  if (change === 'reopen') await admin(venue.id, '/close', {})
  const headers = { 'idempotency-key': change }
  const first = await admin(venue.id, `/${change}`, {}, headers)
  expect((await admin(venue.id, `/${change}`, {})).body).toEqual(first.body)
  const repeated = await admin(venue.id, `/${change}`, {}, headers)
  expect([repeated.body, repeated.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
  const { results } = await env.DB.prepare('select key, object from audit where operation = ?')
    .bind(`merchants.${change}`)
    .all()
  expect(results.filter(({ object }) => object === venue.id)).toEqual([{ key: 'operator', object: venue.id }])
  expect((await admin('mer_unknown', `/${change}`, {})).status).toBe(404)
})

test('a merchant shows its status, which updates cannot set', async () => {
  const venue = await createVenue()
  expect(await states(venue.id)).toEqual({ status: 'active' })
  for (const field of ['status', 'suspendedAt', 'closedAt', 'deletesAt'])
    expect(toIssues(await admin(venue.id, '', { [field]: 1 }))).toEqual([`/${field} read_only_field`])
})
