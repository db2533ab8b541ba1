import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { call, createKey } from '../../support/api.ts'
import { createWebhookHarness, type WebhookHarness } from '../../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

describe('the webhooks of a merchant', () => {
  const limit = 100
  const create = (harness: WebhookHarness, n: number) =>
    harness.post('/webhooks', { title: `${n}`, url: `https://${harness.host}/${n}`, events: ['order.created'] })

  test('are a hundred in each mode; one more is refused, and none comes in between', async () => {
    const harness = await createWebhookHarness()
    for (let n = 1; n < limit; n++) expect((await create(harness, n)).status).toBe(201)
    const rivals = await Promise.all([100, 101, 102].map((n) => create(harness, n)))
    expect(rivals.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const refused = await create(harness, 103)
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many'])
    expect(refused.body.detail).toContain('100')
    const count = `select count(*) as n from webhooks where merchant_id = ?`
    expect(await harness.query(count, harness.venue.id)).toEqual([{ n: limit }])
    // A refused creation leaves nothing behind, and one that is deleted makes room.
    const [first] = (await harness.get('/webhooks?limit=1&order=asc')).body
    expect((await harness.post(`/webhooks/${first.id}`, { title: 'Still here' })).status).toBe(200)
    expect((await harness.remove(`/webhooks/${first.id}`)).status).toBe(200)
    expect((await create(harness, 104)).status).toBe(201)
  })

  test('of one mode leave those of the other their own hundred', async () => {
    const harness = await createWebhookHarness()
    const { body } = await create(harness, 1)
    await env.DB.prepare(
      `with recursive n(i) as (select 2 union all select i + 1 from n where i < 100)
       insert into webhooks (seq, id, merchant_id, test_mode, created_at, updated_at, version, title, url, events,
         active, disabled_reason, bearer_token, secrets, failures, failing_since, probe_at)
       select null, id || i, merchant_id, test_mode, created_at, updated_at, version, title, url, events,
         active, disabled_reason, bearer_token, secrets, failures, failing_since, probe_at from webhooks cross join n where id = ?`,
    )
      .bind(body.id)
      .run()
    expect((await create(harness, 2)).status).toBe(409)
    const test = await createKey(harness.venue.id, { mode: 'test' })
    const url = `https://${harness.host}/test`
    expect((await test.post('/webhooks', { title: 'Test', url })).status).toBe(201)
  })

  test('get one event with one send for each hundred of them', async () => {
    const harness = await createWebhookHarness()
    for (let n = 1; n <= limit; n++) await create(harness, n)
    harness.clear()
    Object.assign(harness, { sends: 0, messages: 0 })
    expect((await harness.post('/events', { type: 'order.created', data: {} })).status).toBe(202)
    expect([harness.sends, harness.messages]).toEqual([1, limit])
  })
})

describe('the signing secret', () => {
  test('is in the response to create and to the same request repeated, and nowhere else', async () => {
    const harness = await createWebhookHarness()
    const url = `https://${harness.host}/in`
    const body = { title: 'Till', url, events: ['webhook.created'] }
    const request = () =>
      call('POST', harness.path('/webhooks'), harness.venue.key, body, { 'idempotency-key': 'once' })
    const [created, again] = [await request(), await request()]
    expect([created.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(created.body)
    const { id, secret } = created.body
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    expect((await harness.get(`/webhooks/${id}/secret`)).body).toEqual({ secret })
    const retrieved = await harness.get(`/webhooks/${id}`)
    expect(retrieved.headers.get('etag')).toBe(created.headers.get('etag'))
    for (const { body } of [
      retrieved,
      await harness.get('/webhooks'),
      await harness.get('/events'),
      await harness.post(`/webhooks/${id}`, { title: 'Other' }),
      await harness.remove(`/webhooks/${id}`),
    ]) {
      expect(JSON.stringify(body)).not.toContain(secret)
      expect(JSON.stringify(body)).not.toContain('whsec_')
    }
  })
})
