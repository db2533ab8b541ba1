import { Validator } from '@cfworker/json-schema'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { eventNames } from '../../src/names.ts'
import { createKey, send } from '../support/api.ts'
import { samples } from '../support/samples.ts'
import { createWebhookHarness, type WebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const nextOf = ({ headers }: { headers: Headers }) =>
  /<(\/[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
const ids = (list: any[]) => list.map(({ id }) => id)

/** Raises the events of the till. */
async function useTill(stage: WebhookHarness) {
  const cake = { title: 'Cake', price: 3, manageStock: true, stockQuantity: 1 }
  const { id } = (await stage.post('/products', cake)).body
  const sale = { reference: 'A-1', reason: 'sale', changes: [{ product: id, delta: -1 }] }
  await stage.post('/stock', sale)
  await stage.post('/stock', { reference: 'A-2', reason: 'count', changes: [{ product: id, set: 2.5 }] })
  const coupon = (await stage.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 10 })).body
  await stage.post(`/coupons/${coupon.id}/limits`, { maxRedemptions: 1 })
  const { body } = await stage.post('/redemptions', { code: 'TEN', order: 'A-1', amount: 10 })
  await stage.post(`/redemptions/${body.id}/release`, {})
}

describe('the list of events', () => {
  test('is in commit order, with pages after the last known event', async () => {
    const stage = await createWebhookHarness()
    await stage.hook()
    for (let i = 0; i < 5; i++) await stage.post('/events', { type: 'order.created', data: { i } })
    await stage.post('/products', { title: 'Tea', price: 1 })
    await stage.deliver()
    const { body: all, headers } = await stage.get('/events')
    expect(headers.get('link')).toBeNull()
    expect(all.slice(1)).toEqual(stage.calls.map(({ body }) => body))

    const first = await stage.get('/events?limit=3')
    const second = await stage.request('GET', nextOf(first))
    const third = await stage.request('GET', nextOf(second))
    expect([first, second, third].map(({ body }) => body.length)).toEqual([3, 3, 1])
    expect([first, second, third].flatMap(({ body }) => body)).toEqual(all)
    expect(nextOf(third)).toBe('')

    const last = all.at(-1).id
    expect((await stage.get(`/events?after=${last}`)).body).toEqual([])
    const { body } = await stage.post('/events', { type: 'order.created', data: {} })
    expect(ids((await stage.get(`/events?after=${last}`)).body)).toEqual([body.id])
  })

  test('returns the bytes that were sent', async () => {
    const stage = await createWebhookHarness()
    await stage.hook({ events: ['product.created'] })
    await stage.post('/products', { title: 'Tee “grün”', price: 1 })
    await stage.deliver()
    const after = (await stage.get('/events?limit=1')).body[0].id
    const response = await send(stage.path(`/events?after=${after}`), {
      headers: { authorization: `Bearer ${stage.venue.key}`, accept: 'application/json' },
    })
    expect(JSON.stringify(response.body)).toBe(`[${stage.calls[0]?.text}]`)
  })

  test('contains no events of other merchants or modes', async () => {
    const stage = await createWebhookHarness()
    const { body } = await stage.post('/events', { type: 'order.created', data: {} })
    const other = await createWebhookHarness()
    const testKey = await createKey(stage.venue.id, { mode: 'test' })
    expect((await other.get('/events')).body).toEqual([])
    expect((await stage.request('GET', stage.path('/events'), undefined, testKey.key)).body).toEqual([])
    for (const search of [`?after=${body.id}`]) {
      expect((await other.get(`/events${search}`)).status).toBe(422)
      expect((await stage.request('GET', stage.path(`/events${search}`), undefined, testKey.key)).status).toBe(422)
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
    const stage = await createWebhookHarness()
    const { status, body } = await stage.get(`/events${search}`)
    expect([status, body.errors[0].parameter]).toEqual([422, /\?(\w+)/.exec(search)?.[1]])
  })
})

describe('modes', () => {
  const inMode = async (stage: WebhookHarness, mode: 'live' | 'test') => {
    const { key } = await createKey(stage.venue.id, { mode })
    const ask = (method: string, path: string, json?: unknown) => stage.request(method, stage.path(path), json, key)
    const url = `https://${stage.host}/${mode}`
    await ask('POST', '/webhooks', { title: mode, url, events: ['tag.created', 'tag.updated', 'order.created'] })
    return ask
  }
  const heard = (stage: WebhookHarness) =>
    stage.calls.map(({ url, body }) => `${new URL(url).pathname} ${body.type} ${body.testMode}`).sort()

  test('are separate: an event has the mode of its object', async () => {
    const stage = await createWebhookHarness()
    const [live, test] = [await inMode(stage, 'live'), await inMode(stage, 'test')]
    await test('POST', '/events', { type: 'order.created', data: {} })
    await stage.deliver()
    expect(heard(stage)).toEqual(['/test order.created true'])
    expect(await stage.deliveries()).toHaveLength(1)
    stage.forget()
    await live('POST', '/events', { type: 'order.created', data: {} })
    await stage.deliver()
    expect(heard(stage)).toEqual(['/live order.created false'])
  })

  test('of a tag event is that of the tag after the change', async () => {
    const stage = await createWebhookHarness()
    const [live, test] = [await inMode(stage, 'live'), await inMode(stage, 'test')]
    const { body: tag } = await live('POST', '/tags', { testMode: true })
    await stage.deliver()
    expect(heard(stage)).toEqual(['/test tag.created true'])
    stage.forget()
    await live('POST', `/tags/${tag.id}`, { testMode: false })
    await stage.deliver()
    expect(heard(stage)).toEqual(['/live tag.updated false'])
    expect(stage.calls[0]?.body).toMatchObject({ data: { testMode: false }, previous: { testMode: true }, version: 2 })
    stage.forget()
    await live('POST', `/tags/${tag.id}`, { testMode: true })
    await stage.deliver()
    expect(heard(stage)).toEqual(['/test tag.updated true'])
    expect((await test('GET', '/events')).body.map(({ type }: { type: string }) => type)).toEqual([
      'webhook.created',
      'tag.created',
      'tag.updated',
    ])
  })
})

describe('the data that a key sees', () => {
  const listEvents = async (stage: WebhookHarness, scopes: readonly string[]) => {
    const { key } = await createKey(stage.venue.id, { mode: 'live', scopes })
    const { body } = await stage.request('GET', stage.path('/events?limit=100'), undefined, key)
    return body
  }

  test.each(samples)('of a $name requires the scope to read $collection', async ({ collection, body, change }) => {
    const stage = await createWebhookHarness()
    const { body: made } = await stage.post(`/${collection}`, body('Secret'))
    await stage.post(`/${collection}/${made.id}`, change)
    await stage.remove(`/${collection}/${made.id}`)
    const { body: order } = await stage.post('/events', { type: 'order.created', data: { note: 'x' } })
    const { body: all } = await stage.get('/events?limit=100')
    expect(all.map((event: object) => Object.keys(event).slice(6))).toEqual([
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
      const events = await listEvents(stage, ['events:read', ...scopes])
      expect(events).toEqual(heads)
      expect(JSON.stringify(events)).not.toContain('Secret')
    }
    for (const scope of [`${collection}:read`, `${collection}:write`]) {
      expect(await listEvents(stage, ['events:read', scope])).toEqual(all)
    }
  })

  test('excludes stored payloads and test events', async () => {
    const stage = await createWebhookHarness()
    const webhook = await stage.hook()
    stage.endpoint = () => new Response(null, { status: 500 })
    await stage.post('/customers', { firstName: 'Ada', lastName: 'Secret' })
    await stage.post(`/webhooks/${webhook.id}/test`)
    await stage.deliver()
    expect((await stage.events()).filter(({ payload }) => payload !== null)).toHaveLength(2)
    const events = await listEvents(stage, ['events:read'])
    expect(events.map((event: object) => ['data' in event])).toEqual([[false], [false], [false]])
    const ofWebhooks = await listEvents(stage, ['events:read', 'webhooks:read'])
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

describe('the catalogue of events', () => {
  test('has each type once, with a sample that matches the schemas', async () => {
    const { status, body: catalogue } = await send('/event-types')
    expect([status, catalogue.map(({ type }: { type: string }) => type)]).toEqual([200, [...eventNames]])
    const stage = await createWebhookHarness()
    await stage.hook()
    const product = (await stage.post('/products', { title: 'Tea', price: 1 })).body.id
    const modifier = (await stage.post('/modifiers', { title: 'Milk', instructions: '' })).body.id
    const menu = (await stage.post('/menus', { title: 'Day', sections: [] })).body.id
    for (const path of [`products/${product}`, `modifiers/${modifier}`, `menus/${menu}`]) {
      await stage.post(`/${path}/details`, { translations: { de: { title: 'Neu' } } })
    }
    const customer = (await stage.post('/customers', { firstName: 'A', lastName: 'B' })).body.id
    await stage.post(`/customers/${customer}/erase`, {})
    for (const { collection, body, full, change } of samples) {
      const { testMode: _mode, ...fields } = full({ product, modifier })
      for (const json of [body('One'), fields]) {
        const { body: made } = await stage.post(`/${collection}`, json)
        await stage.post(`/${collection}/${made.id}`, change)
        await stage.post(`/${collection}/${made.id}`, { metadata: null, active: true, title: 'New', firstName: 'New' })
        await stage.remove(`/${collection}/${made.id}`)
      }
    }
    await stage.post('/events', { type: 'order.created', data: { orderId: '1234' } })
    await useTill(stage)
    await stage.deliver()
    for (const { type, schema, sample } of catalogue) {
      const validator = new Validator(schema, '2020-12', false)
      expect(validator.validate(sample), type).toMatchObject({ valid: true })
      const real = stage.calls.filter(({ body }) => body.type === type)
      expect(real.length, type).toBeGreaterThan(0)
      for (const { body } of real) {
        expect(validator.validate(body), JSON.stringify(body)).toMatchObject({ valid: true })
        expect(Object.keys(body)).toEqual(Object.keys(sample))
      }
      const { id: _id, ...unnamed } = sample
      for (const issue of [unnamed, { ...sample, type: 'x' }, { ...sample, data: 7 }]) {
        expect(validator.validate(issue).valid, type).toBe(false)
      }
      expect(JSON.stringify([schema, sample])).not.toMatch(/bearerToken|secret/)
    }
  })
})
