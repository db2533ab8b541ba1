import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createIdAt } from '../../src/platform/lib/ids.ts'
import { maxRecovered } from '../../src/webhooks/deliveries/resend-routes.ts'
import { watch } from '../support/d1.ts'
import { createWebhookHarness, now, type WebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

async function failed(harness: WebhookHarness) {
  const scene = await harness.createWebhookAndProduct()
  await harness.deliver()
  const [{ eventId }] = await harness.log(scene.webhook.id)
  await env.DB.prepare(`update deliveries set state = 'failed' where event = ?`).bind(eventId).run()
  return { ...scene, eventId }
}

describe('a retry', () => {
  test('resends a failed delivery at once and restarts its schedule', async () => {
    const harness = await createWebhookHarness()
    const { webhook, eventId } = await failed(harness)
    harness.endpoint = () => new Response(null, { status: 500 })
    const { status, body } = await harness.post(`/webhooks/${webhook.id}/deliveries/${eventId}/retry`)
    expect([status, body]).toEqual([202, { id: eventId }])
    await harness.deliver()
    expect(harness.calls).toHaveLength(2)
    const [{ state, nextAttemptAt, attempts }] = await harness.log(webhook.id)
    expect([state, attempts.length]).toEqual(['pending', 2])
    expect(nextAttemptAt - now()).toBeLessThanOrEqual(6)
  })

  test.each(['delivered', 'cancelled', 'pending'])('resends a delivery that is %s', async (state) => {
    const harness = await createWebhookHarness()
    const { webhook, eventId } = await failed(harness)
    await env.DB.prepare('update deliveries set state = ? where event = ?').bind(state, eventId).run()
    expect((await harness.post(`/webhooks/${webhook.id}/deliveries/${eventId}/retry`)).status).toBe(202)
    await harness.deliver()
    expect(harness.calls.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId])
  })

  test('of an unknown delivery returns 404', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await failed(harness)
    const events = await harness.events()
    const unheard = events.find(({ type }) => type === 'webhook.created')
    for (const id of ['evt_none', String(unheard?.['id'])]) {
      expect((await harness.post(`/webhooks/${webhook.id}/deliveries/${id}/retry`)).status).toBe(404)
    }
  })
})

describe('recover', () => {
  test('resends deliveries that failed or were cancelled since a time, and no others', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    await harness.deliver()
    await harness.advance(100)
    const since = now()
    for (const title of ['failed', 'cancelled', 'delivered', 'pending']) {
      await harness.post('/products', { title, price: 1 })
      await env.DB.prepare('update deliveries set state = ? where event = (select max(event) from deliveries)')
        .bind(title)
        .run()
    }
    await harness.advance(100)
    harness.clear()
    const { status, body } = await harness.post(`/webhooks/${webhook.id}/recover`, { since })
    expect([status, body]).toEqual([202, { recovered: 2 }])
    await harness.deliver()
    expect(harness.calls.map((call) => call.body.data.title).sort()).toEqual(['cancelled', 'failed'])
    expect((await harness.post(`/webhooks/${webhook.id}/recover`, { since: now() + 9_999 })).body).toEqual({
      recovered: 0,
    })
  })

  test('excludes test events', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    harness.endpoint = () => new Response(null, { status: 500 })
    await harness.post(`/webhooks/${webhook.id}/test`)
    await harness.deliver()
    const { body: order } = await harness.post('/events', { type: 'order.created', data: {} })
    await harness.deliver()
    await env.DB.prepare(`update deliveries set state = 'failed' where event = ?`).bind(order.id).run()
    harness.clear()
    const { body } = await harness.post(`/webhooks/${webhook.id}/recover`, { since: now() - 60 })
    await harness.deliver()
    expect([body, harness.calls.map(({ body }) => body.type)]).toEqual([{ recovered: 1 }, ['order.created']])
  })

  test('resends the oldest 1,000 deliveries per request', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    const count = 2 * maxRecovered + 1
    await env.DB.prepare(
      `with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?)
       insert into deliveries (webhook, event, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts)
       select w.seq, printf('%s%06d', ?, n), iif(n % 2, 'failed', 'cancelled'), 1, 1, 1, 0, 10, 0, 0, '[]'
       from counter, webhooks as w where w.id = ?`,
    )
      .bind(count, createIdAt('evt', Date.now()).slice(0, -6), webhook.id)
      .run()
    const recovered: number[] = []
    for (let round = 0; round < 4; round++) {
      const { database, trips } = watch(env.DB)
      const path = harness.path(`/webhooks/${webhook.id}/recover`)
      const { body } = await harness.request('POST', path, { since: now() - 60 }, harness.venue.key, { DB: database })
      recovered.push(body.recovered)
      const [{ rowsRead } = { rowsRead: 0 }] = trips.filter(({ statements }) =>
        statements.some((sql) => sql.includes('deliveries_lost')),
      )
      expect(rowsRead).toBeLessThan(7 * maxRecovered)
      const left = await harness.query(
        `select min(event) as first from deliveries where created_at = 1 and state in ('failed', 'cancelled')`,
      )
      if (round === 0) expect(left).toMatchObject([{ first: expect.stringMatching(/001001$/) }])
    }
    expect(recovered).toEqual([maxRecovered, maxRecovered, 1, 0])
    expect(harness.queued).toHaveLength(count)
  })

  test.each([
    ['nothing', {}, '/since required'],
    ['null', { since: null }, '/since required'],
    ['a text', { since: 'yesterday' }, '/since invalid_format'],
    ['half a second', { since: 1.5 }, '/since too_precise'],
    ['a moment more than 30 days ago', { since: now() - 30 * 86_400 - 1 }, '/since too_small'],
    ['another field', { since: now(), until: 1 }, '/until unknown_field'],
  ])('rejects since %s', async (_what, json, issue) => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    const { status, body } = await harness.post(`/webhooks/${webhook.id}/recover`, json)
    expect([
      status,
      ...body.errors.map((error: { pointer: string; code: string }) => `${error.pointer} ${error.code}`),
    ]).toEqual([422, issue])
  })
})

describe('a test event', () => {
  test('is sent only to its webhook, without a subscription, and is in its log', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    const { body: webhook } = await harness.post('/webhooks', { title: 'Deaf', url: `https://${harness.host}/deaf` })
    harness.clear()
    const { status, body } = await harness.post(`/webhooks/${webhook.id}/test`)
    expect([status, body]).toEqual([202, { id: expect.stringMatching(/^evt_/) }])
    await harness.deliver()
    expect(harness.calls.map(({ url, headers, body }) => [url, headers['webhook-id'], body.type])).toEqual([
      [webhook.url, body.id, 'webhook.test'],
    ])
    expect(await harness.log(webhook.id)).toMatchObject([
      { eventId: body.id, type: 'webhook.test', state: 'delivered' },
    ])
    expect((await harness.post('/webhooks', { title: 'x', url: webhook.url, events: ['webhook.test'] })).status).toBe(
      422,
    )
  })

  test('has one attempt', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    harness.endpoint = () => new Response(null, { status: 500 })
    await harness.post(`/webhooks/${webhook.id}/test`)
    await harness.deliver()
    await harness.advance(100_000)
    expect(await harness.sweep()).toBe(0)
    expect(harness.calls).toHaveLength(1)
    expect((await harness.log(webhook.id, '?state=failed'))[0].type).toBe('webhook.test')
  })
})

test('an inactive webhook rejects retry, recover and test', async () => {
  const harness = await createWebhookHarness()
  const { webhook, eventId } = await failed(harness)
  await harness.post(`/webhooks/${webhook.id}`, { active: false })
  const before = await harness.deliveries()
  for (const [rest, json] of [
    ['/test', {}],
    ['/recover', { since: now() }],
    [`/deliveries/${eventId}/retry`, {}],
  ] as const) {
    const { status, body } = await harness.post(`/webhooks/${webhook.id}${rest}`, json)
    expect([status, body.code], rest).toEqual([409, 'conflict'])
  }
  expect(await harness.deliveries()).toEqual(before)
  expect((await harness.events()).filter(({ type }) => type === 'webhook.test')).toEqual([])
})
