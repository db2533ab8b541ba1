import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKey } from '../support/api.ts'
import { createWebhookHarness, now } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const nextOf = ({ headers }: { headers: Headers }) => /<(\/[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
const ids = (list: { eventId: string }[]) => list.map(({ eventId }) => eventId)

describe('the log of deliveries', () => {
  test('shows the state and attempts of each event', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    const at = now()
    expect(await harness.log(webhook.id)).toEqual([
      {
        eventId: expect.stringMatching(/^evt_/),
        type: 'product.created',
        state: 'pending',
        createdAt: at,
        nextAttemptAt: at,
        attempts: [],
      },
    ])
    harness.endpoint = () => new Response('Not today', { status: 503 })
    await harness.deliver()
    const [pending] = await harness.log(webhook.id)
    expect(pending).toEqual({
      eventId: harness.calls[0]?.headers['webhook-id'],
      type: 'product.created',
      state: 'pending',
      createdAt: at,
      nextAttemptAt: expect.any(Number),
      attempts: [{ number: 1, at, status: 503, durationMs: 0, response: 'Not today' }],
    })
    expect(Math.abs(pending.nextAttemptAt - at - 5)).toBeLessThanOrEqual(1)
    harness.endpoint = () => new Response()
    await harness.advance(6)
    const [delivered] = await harness.log(webhook.id)
    expect(Object.keys(delivered).sort()).toEqual(['attempts', 'createdAt', 'eventId', 'state', 'type'])
    expect(delivered.attempts[1]).toEqual({ number: 2, at: at + 6, status: 200, durationMs: 0 })
  })

  test('stores the first 16 KiB of a response, up to a whole character', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    harness.endpoint = () => new Response(`${'x'.repeat(16_383)}ü${'y'.repeat(50_000)}`)
    await harness.deliver()
    const [{ attempts }] = await harness.log(webhook.id)
    expect(attempts[0].response).toBe(`${'x'.repeat(16_383)}\ufffd`)
  })

  test('never shows the token, even if the endpoint returns it', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    harness.endpoint = ({ headers }) => new Response(`You sent ${JSON.stringify(headers)}`, { status: 500 })
    await harness.deliver()
    const [{ attempts }] = await harness.log(webhook.id)
    expect(attempts[0].response).toMatch(/^You sent \{.*"webhook-id"/)
    expect(JSON.stringify(await harness.deliveries())).not.toContain(webhook.bearerToken)
  })

  test('is newest first, has stable pages, and can be filtered by state', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    for (let i = 0; i < 6; i++) await harness.post('/products', { title: `${i}`, price: i })
    harness.endpoint = (_call, number) => new Response(null, { status: number % 2 ? 500 : 200 })
    await harness.deliver()
    const all = await harness.log(webhook.id)
    expect(ids(all)).toEqual(ids(all).toSorted().toReversed())
    expect(all).toHaveLength(7)

    const first = await harness.get(`/webhooks/${webhook.id}/deliveries?limit=3`)
    await harness.post('/products', { title: 'meanwhile', price: 1 })
    const second = await harness.request('GET', nextOf(first) ?? '')
    const third = await harness.request('GET', nextOf(second) ?? '')
    expect([first, second, third].flatMap(({ body }) => ids(body))).toEqual(ids(all))
    expect(nextOf(third)).toBeUndefined()

    const pending = await harness.log(webhook.id, '?state=pending&order=asc')
    expect(ids(pending)).toEqual(ids(pending).toSorted())
    expect(pending.every(({ state }: { state: string }) => state === 'pending')).toBe(true)
    expect(await harness.log(webhook.id, '?state=delivered')).toHaveLength(3)
    expect(await harness.log(webhook.id, '?state=failed')).toEqual([])
    for (const search of ['?state=lost', '?limit=0', '?limit=101', '?cursor=x', '?sort=asc']) {
      expect((await harness.get(`/webhooks/${webhook.id}/deliveries${search}`)).status, search).toBe(422)
    }
  })

  test('fits a row after any number of retries', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    const old = Array.from({ length: 95 }, (_, i) => ({ number: i + 1, at: 1, durationMs: 1, response: 'x' }))
    await env.DB.prepare(`update deliveries set attempt = 95, base = 95, attempts = ? where state = 'pending'`)
      .bind(JSON.stringify(old))
      .run()
    harness.endpoint = () => new Response('\u0001'.repeat(20_000), { status: 500 })
    const [{ eventId }] = await harness.log(webhook.id)
    for (let i = 0; i < 12; i++) {
      await env.DB.prepare('update webhooks set failures = 0, failing_since = null where id = ?').bind(webhook.id).run()
      await harness.post(`/webhooks/${webhook.id}/deliveries/${eventId}/retry`)
      await harness.deliver()
    }
    const [{ attempts }] = await harness.log(webhook.id)
    expect(attempts).toHaveLength(100)
    expect([attempts[0].number, attempts[99].number]).toEqual([8, 107])
    expect(attempts[99]).toMatchObject({ status: 500, response: '\u0001'.repeat(16_384) })
    expect(attempts[90].response).toBe(attempts[99].response)
    expect(attempts[89]).not.toHaveProperty('response')
    const [row] = await harness.query('select max(length(attempts)) as bytes from deliveries')
    expect(row?.['bytes']).toBeLessThan(1_100_000)
  })

  test('contains only deliveries of one webhook, merchant and mode', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    const other = await createWebhookHarness()
    const testKey = await createKey(harness.venue.id, { mode: 'test' })
    const [{ eventId }] = await harness.log(webhook.id)
    for (const [method, rest] of [
      ['GET', '/deliveries'],
      ['GET', '/secret'],
      ['POST', '/secret/rotate'],
      ['POST', '/token/rotate'],
      ['POST', `/deliveries/${eventId}/retry`],
      ['POST', '/recover'],
      ['POST', '/test'],
    ] as const) {
      const json = rest === '/recover' ? { since: now() } : {}
      const body = method === 'GET' ? undefined : json
      const path = `/webhooks/${webhook.id}${rest}`
      expect((await other.request(method, other.path(path), body)).status, path).toBe(404)
      expect((await other.request(method, harness.path(path), body)).status, path).toBe(403)
      expect((await harness.request(method, harness.path(path), body, testKey.key)).status, path).toBe(404)
      expect((await harness.request(method, harness.path(path), body, 'nonsense')).status, path).toBe(401)
      expect((await harness.request(method, harness.path(`/webhooks/wh_none${rest}`), body)).status, path).toBe(404)
    }
    await harness.deliver()
    expect(harness.calls.map(({ body }) => body.type)).toEqual([])
  })
})
