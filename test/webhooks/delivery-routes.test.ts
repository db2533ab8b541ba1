import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKey } from '../support/api.ts'
import { createWebhookHarness, now } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const nextOf = ({ headers }: { headers: Headers }) => /<(\/[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
const ids = (list: { eventId: string }[]) => list.map(({ eventId }) => eventId)

describe('the log of deliveries', () => {
  test('shows the state and attempts of each event', async () => {
    const stage = await createWebhookHarness()
    const { webhook } = await stage.scene()
    const at = now()
    expect(await stage.log(webhook.id)).toEqual([
      {
        eventId: expect.stringMatching(/^evt_/),
        type: 'product.created',
        state: 'pending',
        createdAt: at,
        nextAttemptAt: at,
        attempts: [],
      },
    ])
    stage.endpoint = () => new Response('Not today', { status: 503 })
    await stage.deliver()
    const [pending] = await stage.log(webhook.id)
    expect(pending).toEqual({
      eventId: stage.calls[0]?.headers['webhook-id'],
      type: 'product.created',
      state: 'pending',
      createdAt: at,
      nextAttemptAt: expect.any(Number),
      attempts: [{ number: 1, at, status: 503, durationMs: 0, response: 'Not today' }],
    })
    expect(Math.abs(pending.nextAttemptAt - at - 5)).toBeLessThanOrEqual(1)
    stage.endpoint = () => new Response()
    await stage.pass(6)
    const [delivered] = await stage.log(webhook.id)
    expect(Object.keys(delivered).sort()).toEqual(['attempts', 'createdAt', 'eventId', 'state', 'type'])
    expect(delivered.attempts[1]).toEqual({ number: 2, at: at + 6, status: 200, durationMs: 0 })
  })

  test('stores the first 16 KiB of a response, up to a whole character', async () => {
    const stage = await createWebhookHarness()
    const { webhook } = await stage.scene()
    stage.endpoint = () => new Response(`${'x'.repeat(16_383)}ü${'y'.repeat(50_000)}`)
    await stage.deliver()
    const [{ attempts }] = await stage.log(webhook.id)
    expect(attempts[0].response).toBe(`${'x'.repeat(16_383)}\ufffd`)
  })

  test('never shows the token, even if the endpoint returns it', async () => {
    const stage = await createWebhookHarness()
    const { webhook } = await stage.scene()
    stage.endpoint = ({ headers }) => new Response(`You sent ${JSON.stringify(headers)}`, { status: 500 })
    await stage.deliver()
    const [{ attempts }] = await stage.log(webhook.id)
    expect(attempts[0].response).toMatch(/^You sent \{.*"webhook-id"/)
    expect(JSON.stringify(await stage.deliveries())).not.toContain(webhook.bearerToken)
  })

  test('is newest first, has stable pages, and can be filtered by state', async () => {
    const stage = await createWebhookHarness()
    const { webhook } = await stage.scene()
    for (let i = 0; i < 6; i++) await stage.post('/products', { title: `${i}`, price: i })
    stage.endpoint = (_call, number) => new Response(null, { status: number % 2 ? 500 : 200 })
    await stage.deliver()
    const all = await stage.log(webhook.id)
    expect(ids(all)).toEqual(ids(all).toSorted().toReversed())
    expect(all).toHaveLength(7)

    const first = await stage.get(`/webhooks/${webhook.id}/deliveries?limit=3`)
    await stage.post('/products', { title: 'meanwhile', price: 1 })
    const second = await stage.request('GET', nextOf(first) ?? '')
    const third = await stage.request('GET', nextOf(second) ?? '')
    expect([first, second, third].flatMap(({ body }) => ids(body))).toEqual(ids(all))
    expect(nextOf(third)).toBeUndefined()

    const pending = await stage.log(webhook.id, '?state=pending&order=asc')
    expect(ids(pending)).toEqual(ids(pending).toSorted())
    expect(pending.every(({ state }: { state: string }) => state === 'pending')).toBe(true)
    expect(await stage.log(webhook.id, '?state=delivered')).toHaveLength(3)
    expect(await stage.log(webhook.id, '?state=failed')).toEqual([])
    for (const search of ['?state=lost', '?limit=0', '?limit=101', '?cursor=x', '?sort=asc']) {
      expect((await stage.get(`/webhooks/${webhook.id}/deliveries${search}`)).status, search).toBe(422)
    }
  })

  test('fits a row after any number of retries', async () => {
    const stage = await createWebhookHarness()
    const { webhook } = await stage.scene()
    const old = Array.from({ length: 95 }, (_, i) => ({ number: i + 1, at: 1, durationMs: 1, response: 'x' }))
    await env.DB.prepare(`update deliveries set attempt = 95, base = 95, attempts = ? where state = 'pending'`)
      .bind(JSON.stringify(old))
      .run()
    stage.endpoint = () => new Response('\u0001'.repeat(20_000), { status: 500 })
    const [{ eventId }] = await stage.log(webhook.id)
    for (let i = 0; i < 12; i++) {
      await env.DB.prepare('update webhooks set failures = 0, failing_since = null where id = ?').bind(webhook.id).run()
      await stage.post(`/webhooks/${webhook.id}/deliveries/${eventId}/retry`)
      await stage.deliver()
    }
    const [{ attempts }] = await stage.log(webhook.id)
    expect(attempts).toHaveLength(100)
    expect([attempts[0].number, attempts[99].number]).toEqual([8, 107])
    expect(attempts[99]).toMatchObject({ status: 500, response: '\u0001'.repeat(16_384) })
    expect(attempts[90].response).toBe(attempts[99].response)
    expect(attempts[89]).not.toHaveProperty('response')
    const [row] = await stage.query('select max(length(attempts)) as bytes from deliveries')
    expect(row?.['bytes']).toBeLessThan(1_100_000)
  })

  test('contains only deliveries of one webhook, merchant and mode', async () => {
    const stage = await createWebhookHarness()
    const { webhook } = await stage.scene()
    const other = await createWebhookHarness()
    const testKey = await createKey(stage.venue.id, { mode: 'test' })
    const [{ eventId }] = await stage.log(webhook.id)
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
      expect((await other.request(method, stage.path(path), body)).status, path).toBe(403)
      expect((await stage.request(method, stage.path(path), body, testKey.key)).status, path).toBe(404)
      expect((await stage.request(method, stage.path(path), body, 'nonsense')).status, path).toBe(401)
      expect((await stage.request(method, stage.path(`/webhooks/wh_none${rest}`), body)).status, path).toBe(404)
    }
    await stage.deliver()
    expect(stage.calls.map(({ body }) => body.type)).toEqual([])
  })
})
