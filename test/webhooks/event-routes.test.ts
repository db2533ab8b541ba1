import { afterEach, describe, expect, test, vi } from 'vitest'
import { orderEventNames } from '../../src/catalogue/events/event-types.ts'
import { createKey, send } from '../support/api.ts'
import { samples } from '../support/samples.ts'
import { createWebhookHarness, type WebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const nextOf = ({ headers }: { headers: Headers }) =>
  /<(\/[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
const ids = (list: any[]) => list.map(({ id }) => id)

describe('the list of events', () => {
  test('is in commit order, with pages after the last known event', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    for (let i = 0; i < 5; i++) await harness.post('/events', { type: 'order.created', data: { i } })
    await harness.post('/products', { title: 'Tea', price: 1 })
    await harness.deliver()
    const { body: all, headers } = await harness.get('/events')
    expect(headers.get('link')).toBeNull()
    expect(all.slice(1)).toEqual(harness.calls.map(({ body }) => body))

    const first = await harness.get('/events?limit=3')
    const second = await harness.request('GET', nextOf(first))
    const third = await harness.request('GET', nextOf(second))
    expect([first, second, third].map(({ body }) => body.length)).toEqual([3, 3, 1])
    expect([first, second, third].flatMap(({ body }) => body)).toEqual(all)
    expect(nextOf(third)).toBe('')

    const last = all.at(-1).id
    expect((await harness.get(`/events?after=${last}`)).body).toEqual([])
    const { body } = await harness.post('/events', { type: 'order.created', data: {} })
    expect(ids((await harness.get(`/events?after=${last}`)).body)).toEqual([body.id])
  })

  test('has every event of an order, which webhooks receive too', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook({ events: ['*'] })
    await harness.deliver()
    harness.clear()
    for (const [number, type] of orderEventNames.entries()) await harness.post('/events', { type, data: { number } })
    await harness.deliver()
    const listed = (await harness.get(`/events?types=${orderEventNames.join()}`)).body
    const published = orderEventNames.map((type, number) => ({ type, version: 1, data: { number } }))
    expect(listed).toMatchObject(published)
    expect(harness.calls.map(({ body }) => body)).toEqual(listed)
    const refused = await harness.post('/events', { type: 'order.completed', data: {}, effects: { redemptions: [] } })
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/effects', code: 'conflict' }]])
  })

  test('returns the bytes that were sent', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook({ events: ['product.created'] })
    await harness.post('/products', { title: 'Tee “grün”', price: 1 })
    await harness.deliver()
    const after = (await harness.get('/events?limit=1')).body[0].id
    const response = await send(harness.path(`/events?after=${after}`), {
      headers: { authorization: `Bearer ${harness.venue.key}`, accept: 'application/json' },
    })
    expect(JSON.stringify(response.body)).toBe(`[${harness.calls[0]?.text}]`)
  })

  test('contains no events of other merchants or modes', async () => {
    const harness = await createWebhookHarness()
    const { body } = await harness.post('/events', { type: 'order.created', data: {} })
    const other = await createWebhookHarness()
    const testKey = await createKey(harness.venue.id, { mode: 'test' })
    expect((await other.get('/events')).body).toEqual([])
    expect((await harness.request('GET', harness.path('/events'), undefined, testKey.key)).body).toEqual([])
    for (const search of [`?after=${body.id}`]) {
      expect((await other.get(`/events${search}`)).status).toBe(422)
      expect((await harness.request('GET', harness.path(`/events${search}`), undefined, testKey.key)).status).toBe(422)
    }
  })

  test.each([
    '?after=evt_none',
    '?after=',
    '?limit=0',
    '?limit=101',
    '?order=up',
    '?types=x',
    '?types=',
    '?cursor=x',
    '?after=a&after=b',
  ])('%s is refused', async (search) => {
    const harness = await createWebhookHarness()
    const { status, body } = await harness.get(`/events${search}`)
    expect([status, body.errors[0].parameter]).toEqual([422, /\?(\w+)/.exec(search)?.[1]])
  })
})

test('an unknown event type is an invalid value, and the message names the types', async () => {
  const harness = await createWebhookHarness()
  for (const search of ['?types=foo', '?types=', '?types=product.created,foo', '?types=foo&types=bar']) {
    const { status, body } = await harness.get(`/events${search}`)
    expect([status, body.errors]).toEqual([
      422,
      [
        {
          parameter: 'types',
          code: 'invalid_value',
          message: expect.stringMatching(
            /^must be event types with commas between them: order\.created, .*product\.created, /,
          ),
        },
      ],
    ])
  }
})

describe('modes', () => {
  const inMode = async (harness: WebhookHarness, mode: 'live' | 'test') => {
    const { key } = await createKey(harness.venue.id, { mode })
    const request = (method: string, path: string, json?: unknown) =>
      harness.request(method, harness.path(path), json, key)
    const url = `https://${harness.host}/${mode}`
    await request('POST', '/webhooks', { title: mode, url, events: ['tag.created', 'tag.updated', 'order.created'] })
    return request
  }
  const heard = (harness: WebhookHarness) =>
    harness.calls.map(({ url, body }) => `${new URL(url).pathname} ${body.type} ${body.testMode}`).sort()

  test('are separate: an event has the mode of its object', async () => {
    const harness = await createWebhookHarness()
    const [live, test] = [await inMode(harness, 'live'), await inMode(harness, 'test')]
    await test('POST', '/events', { type: 'order.created', data: {} })
    await harness.deliver()
    expect(heard(harness)).toEqual(['/test order.created true'])
    expect(await harness.deliveries()).toHaveLength(1)
    harness.clear()
    await live('POST', '/events', { type: 'order.created', data: {} })
    await harness.deliver()
    expect(heard(harness)).toEqual(['/live order.created false'])
  })

  test('of a tag event is that of the tag after the change', async () => {
    const harness = await createWebhookHarness()
    const [live, test] = [await inMode(harness, 'live'), await inMode(harness, 'test')]
    const { body: tag } = await live('POST', '/tags', { testMode: true })
    await harness.deliver()
    expect(heard(harness)).toEqual(['/test tag.created true'])
    harness.clear()
    await live('POST', `/tags/${tag.id}`, { testMode: false })
    await harness.deliver()
    expect(heard(harness)).toEqual(['/live tag.updated false'])
    expect(harness.calls[0]?.body).toMatchObject({
      data: { testMode: false },
      previous: { testMode: true },
      version: 2,
    })
    harness.clear()
    await live('POST', `/tags/${tag.id}`, { testMode: true })
    await harness.deliver()
    expect(heard(harness)).toEqual(['/test tag.updated true'])
    expect((await test('GET', '/events')).body.map(({ type }: { type: string }) => type)).toEqual([
      'webhook.created',
      'tag.created',
      'tag.updated',
    ])
  })
})

describe('the data that a key sees', () => {
  const listEvents = async (harness: WebhookHarness, scopes: readonly string[]) => {
    const { key } = await createKey(harness.venue.id, { mode: 'live', scopes })
    const { body } = await harness.request('GET', harness.path('/events?limit=100'), undefined, key)
    return body
  }

  test.each(samples)('of a $name requires the scope to read $collection', async ({ collection, body, change }) => {
    const harness = await createWebhookHarness()
    const { body: made } = await harness.post(`/${collection}`, body('Secret'))
    await harness.post(`/${collection}/${made.id}`, change)
    await harness.remove(`/${collection}/${made.id}`)
    const { body: order } = await harness.post('/events', { type: 'order.created', data: { note: 'x' } })
    const { body: all } = await harness.get('/events?limit=100')
    expect(all.map((event: object) => Object.keys(event).slice(7))).toEqual([
      ['data'],
      ['data', 'previous'],
      ['data'],
      ['data'],
    ])

    const heads = all.map(({ data, previous: _previous, ...head }: { id: string; data: object; previous?: object }) =>
      head.id === order.id ? { ...head, data } : head,
    )
    const others = samples.filter((other) => other.collection !== collection)
    const foreign = others.flatMap((other) => [`${other.collection}:read`, `${other.collection}:write`])
    for (const scopes of [[], ['events:write'], foreign]) {
      const events = await listEvents(harness, ['events:read', ...scopes])
      expect(events).toEqual(heads)
      expect(JSON.stringify(events)).not.toContain('Secret')
    }
    for (const scope of [`${collection}:read`, `${collection}:write`]) {
      expect(await listEvents(harness, ['events:read', scope])).toEqual(all)
    }
  })

  test('excludes stored payloads and test events', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    harness.endpoint = () => new Response(null, { status: 500 })
    await harness.post('/customers', { firstName: 'Ada', lastName: 'Secret' })
    await harness.post(`/webhooks/${webhook.id}/test`)
    await harness.deliver()
    expect((await harness.events()).filter(({ payload }) => payload !== null)).toHaveLength(2)
    const events = await listEvents(harness, ['events:read'])
    expect(events.map((event: object) => ['data' in event])).toEqual([[false], [false], [false]])
    const ofWebhooks = await listEvents(harness, ['events:read', 'webhooks:read'])
    expect(ofWebhooks.map((event: object) => ['data' in event])).toEqual([[true], [false], [true]])
  })

  test('is documented and not part of webhook payloads', async () => {
    const { body } = await send('/openapi.json')
    const { Event, ListedEvent } = body.components.schemas
    expect([Event.required.includes('data'), ListedEvent.required.includes('data')]).toEqual([true, false])
    expect(ListedEvent.properties.data.description).toMatch(/cannot read the resource/)
    const { listEvents } = Object.fromEntries(
      Object.values<{ get: { operationId: string } }>(body.paths).flatMap(({ get }) =>
        get ? [[get.operationId, get]] : [],
      ),
    )
    expect(JSON.stringify(listEvents)).toContain('schemas/ListedEvent')
    expect(JSON.stringify(body.webhooks)).not.toContain('schemas/ListedEvent')
  })
})
