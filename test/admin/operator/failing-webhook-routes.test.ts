import { afterEach, expect, test, vi } from 'vitest'
import { maxCounted } from '../../../src/admin/operator/failing-webhook-routes.ts'
import { adminToken, call, createVenue, send } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const path = '/admin/failing-webhooks'
const list = async (search = '') => (await call('GET', `${path}${search}`, adminToken)).body
const hook = { title: 'Till', url: 'https://till.example.com/in', events: ['product.created'] }

test.each(['d1', 'object'] as const)(
  'a webhook whose last attempt failed is listed, with a home in %s',
  async (home) => {
    const harness = await createWebhookHarness(home === 'object' ? { home } : {})
    const { id } = harness.venue
    const webhook = await harness.createWebhook()
    const own = `?q=${id}`
    await harness.post('/products', { title: 'Tea', price: 1 })
    await harness.deliver()
    expect(await list(own)).toEqual([])
    harness.endpoint = () => new Response(null, { status: 500 })
    await harness.post('/products', { title: 'Coffee', price: 1 })
    await harness.deliver()
    const failing = {
      id: webhook.id,
      title: 'Till',
      mode: 'live',
      active: true,
      failures: 1,
      failingSince: Math.floor(Date.now() / 1000),
      failed: 0,
      merchant: { id, name: 'Venue' },
    }
    expect(await list(own)).toEqual([failing])
    await queryHome(id, `update deliveries set state = 'failed' where state = 'pending'`)
    expect(await list(own)).toEqual([{ ...failing, failed: 1 }])
    await harness.request('POST', `/admin/merchants/${id}/suspend`, {}, adminToken)
    expect(await list(own)).toEqual([])
    await harness.request('POST', `/admin/merchants/${id}/resume`, {}, adminToken)
    await harness.post(`/webhooks/${webhook.id}`, { active: false })
    expect(await list(own)).toEqual([])
    await queryHome(id, `update webhooks set disabled_reason = 'gone' where id = ?`, webhook.id)
    expect(await list(own)).toMatchObject([{ id: webhook.id, active: false, disabledReason: 'gone' }])
  },
)

test('a page has the webhooks of so many merchants, in two round trips', async () => {
  const name = `Otter ${crypto.randomUUID()}`
  const ids: string[] = []
  for (let index = 0; index < 3; index++) {
    const venue = await createVenue({ name, home: 'd1' })
    const { body } = await venue.post('/webhooks', hook)
    if (index !== 1)
      await queryHome(venue.id, 'update webhooks set failures = 2, failing_since = 1 where id = ?', body.id)
    ids.unshift(body.id)
  }
  const search = `?q=${encodeURIComponent(name)}`
  const found = async (page: string) => {
    const { body, headers } = await call('GET', page, adminToken)
    const next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
    return { ids: body.map(({ id }: { id: string }) => id), next: next && new URL(next, 'https://api.test') }
  }
  expect((await found(`${path}${search}`)).ids).toEqual([ids[0], ids[2]])
  const pages = []
  for (let page: string | undefined = `${path}${search}&limit=1`; page; ) {
    const { ids: shown, next } = await found(page)
    pages.push(shown)
    page = next ? next.pathname + next.search : undefined
  }
  expect(pages).toEqual([[ids[0]], [], [ids[2]]])
  const { trips } = await observe('GET', `${path}${search}`, { key: adminToken })
  expect(trips).toHaveLength(2)
})

test(`at most ${maxCounted} failed deliveries are counted`, async () => {
  const venue = await createVenue()
  const { body } = await venue.post('/webhooks', hook)
  await queryHome(venue.id, 'update webhooks set failures = 2, failing_since = 1 where id = ?', body.id)
  const insert = (from: number, to: number) =>
    queryHome(
      venue.id,
      `with recursive copies(n) as (select ? union all select n + 1 from copies where n < ?)
       insert into deliveries (webhook, event, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts)
       select seq, 'evt_' || n, 'failed', 1, 1, 1, 0, 1, 0, 0, '[]' from webhooks, copies where id = ?`,
      from,
      to,
      body.id,
    )
  await insert(1, maxCounted)
  const count = async () => (await list(`?q=${venue.id}`))[0].failed
  expect(await count()).toBe(maxCounted)
  await insert(maxCounted + 1, maxCounted + 1)
  expect(await count()).toBe(maxCounted)
})

test('the list of failing webhooks requires the token of the operator', async () => {
  const venue = await createVenue()
  expect([(await send(path)).status, (await call('GET', path, venue.key)).status]).toEqual([401, 401])
})
