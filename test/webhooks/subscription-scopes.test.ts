import { afterEach, describe, expect, test, vi } from 'vitest'
import { eventNames } from '../../src/catalogue/events/event-types.ts'
import { resourcePaths } from '../../src/platform/names.ts'
import { type ApiResponse, createKey, createVenue } from '../support/api.ts'
import { createMember } from '../support/authenticator.ts'
import { jsonl, settle, toJsonLines, upload } from '../support/imports.ts'
import { createWebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

/** The lists that show what an event carries. */
function listsOf(type: string): readonly string[] {
  const [noun = '', verb = ''] = type.split('.')
  if (noun === 'order') return ['/events']
  if (noun === 'stock') return ['/stock']
  if (noun === 'service') return ['/service']
  if (type === 'tag.requested' || type === 'tag.request_done') return ['/requests']
  if (noun === 'option') return ['/modifiers']
  const isTill = noun === 'coupon' && !['created', 'updated', 'deleted'].includes(verb)
  return isTill ? ['/coupons', '/redemptions'] : [`/${noun}s`]
}
const everyList = [...new Set(eventNames.flatMap(listsOf))]
const listsOfAll = (types: readonly string[]) => types.flatMap((type) => (type === '*' ? everyList : listsOf(type)))

type Send = (method: string, path: string, json?: unknown) => Promise<ApiResponse>

/** The lists that a credential reads. */
async function findReadable(to: Send): Promise<ReadonlySet<string>> {
  const readable = new Set<string>()
  for (const path of everyList) if ((await to('GET', path)).status === 200) readable.add(path)
  return readable
}
const createBody = (events: readonly string[]) => ({ title: 'Till', url: 'https://hooks.example.com/a', events })

/** Tries to subscribe to each type. Returns those that were accepted though their data is not readable, or rejected though it is. */
async function findWrong(to: Send) {
  const readable = await findReadable(to)
  const wrong: string[] = []
  for (const type of ['*', ...eventNames]) {
    const { status, body } = await to('POST', '/webhooks', createBody([type]))
    const mayRead = listsOfAll([type]).every((path) => readable.has(path))
    if (status !== (mayRead ? 201 : 403)) wrong.push(`${type} ${status}`)
    if (status === 201) await to('DELETE', `/webhooks/${body.id}`)
  }
  return { wrong, readable: readable.size }
}

describe('a webhook can be made for events whose data the creator may list', () => {
  test.each(['owner', 'manager', 'developer'])('by the role %s', async (role) => {
    const { id } = await createVenue()
    const { to } = await createMember(id, role)
    expect(await findWrong(to)).toEqual({ wrong: [], readable: role === 'developer' ? 2 : everyList.length })
  })

  test.each([undefined, ...resourcePaths, 'redemptions', 'stock', 'events'])(
    'by a key that also reads %s',
    async (path) => {
      const { id } = await createVenue()
      const { request } = await createKey(id, {
        mode: 'live',
        scopes: ['webhooks:write', ...(path ? [`${path}:read`] : [])],
      })
      expect((await findWrong(request)).wrong).toEqual([])
    },
  )
})

/** A venue with a webhook for everything, and a key that may write webhooks and read products only. */
async function createWideWebhook() {
  const harness = await createWebhookHarness()
  const webhook = await harness.createWebhook({ url: `https://${harness.host}/wide` })
  await harness.post(`/webhooks/${webhook.id}/external-id`, { externalId: 'wide' })
  const scopes = ['webhooks:write', 'products:read', 'events:read']
  const narrow = await createKey(harness.venue.id, { mode: 'live', scopes })
  const to: Send = (method, path, json) => harness.request(method, harness.path(path), json, narrow.key)
  return { harness, webhook, narrow, to, stored: async () => (await harness.get(`/webhooks/${webhook.id}`)).body }
}
type Wide = Awaited<ReturnType<typeof createWideWebhook>>

/** Each way to change a webhook, or to make one. Returns the status of the change. */
const ways: Readonly<Record<string, (wide: Wide, fields: object) => Promise<number>>> = {
  update: async ({ to, webhook }, fields) => (await to('POST', `/webhooks/${webhook.id}`, fields)).status,
  upsert: async ({ to }, fields) =>
    (await to('PUT', '/webhooks/external/wide', { ...createBody([]), ...fields })).status,
  'first upsert': async ({ to }, fields) =>
    (await to('PUT', '/webhooks/external/new', { ...createBody([]), ...fields })).status,
  'update in a batch': async ({ to, webhook }, body) =>
    toStatus(
      await to('POST', '/batch', {
        mode: 'independent',
        operations: [{ op: 'update', resource: 'webhooks', id: webhook.id, body }],
      }),
    ),
  'upsert in a batch': async ({ to }, fields) =>
    toStatus(
      await to('POST', '/batch', {
        mode: 'independent',
        operations: [
          { op: 'upsert', resource: 'webhooks', externalId: 'wide', body: { ...createBody([]), ...fields } },
        ],
      }),
    ),
  'create in a batch': async ({ to }, fields) =>
    toStatus(
      await to('POST', '/batch', {
        mode: 'independent',
        operations: [{ op: 'create', resource: 'webhooks', body: { ...createBody([]), ...fields } }],
      }),
    ),
  import: async ({ narrow }, object) => {
    const { status, body } = await upload(
      narrow,
      'match=externalId&apply=true',
      toJsonLines([{ resource: 'webhooks', externalId: 'wide', object }]),
      jsonl,
    )
    if (status !== 202) return status
    return (await settle(narrow, body.id)).failed === 0 ? 200 : 403
  },
}
const toStatus = ({ status, body }: ApiResponse): number => (status === 200 ? body.results[0].status : body.status)

describe.each(Object.entries(ways))('a key that may not read customers, by %s', (way, change) => {
  test('neither widens a webhook nor sends its events to another address', async () => {
    const wide = await createWideWebhook()
    const { harness, webhook, stored } = wide
    expect(await change(wide, { events: ['customer.created'], url: `https://${harness.host}/else` })).toBe(403)
    if (way.includes('create') || way.includes('first')) return
    expect(await change(wide, { events: ['*'], url: `https://${harness.host}/else` })).toBe(403)
    expect(await stored()).toMatchObject({ url: webhook.url, events: ['*'] })
    await harness.post(`/webhooks/${webhook.id}`, { events: ['product.created'] })
    for (const events of [['*'], ['product.created', 'customer.updated'], ['coupon.redeemed'], ['stock.changed']])
      expect([events, await change(wide, { url: webhook.url, events })]).toEqual([events, 403])
    expect(await stored()).toMatchObject({ url: webhook.url, events: ['product.created'] })
    expect((await harness.events()).filter(({ type }) => type === 'webhook.updated').length).toBe(2)
  })
})

/** Ways to change a webhook that exists, without an import. */
const changes = Object.entries(ways).filter(([way]) => /^up(?!.*import)/.test(way))

describe.each(changes)('a key that may not read customers, by %s,', (_, change) => {
  test('changes all else, and narrows', async () => {
    const wide = await createWideWebhook()
    const { webhook, stored } = wide
    expect(await change(wide, { url: webhook.url, events: ['*'], title: 'Kitchen' })).toBeLessThan(300)
    expect(await stored()).toMatchObject({ title: 'Kitchen', events: ['*'] })
    for (const events of [
      ['customer.created', 'product.created'],
      ['product.created'],
      ['product.created', 'product.updated'],
    ])
      expect([events, await change(wide, { url: webhook.url, events })]).toEqual([events, expect.toBeOneOf([200, 201])])
    expect(await change(wide, { url: 'https://hooks.example.com/else', events: ['product.created'] })).toBe(200)
  })
})

test('a key that may not read customers neither activates a webhook for them nor widens its filter', async () => {
  const { harness, webhook, to } = await createWideWebhook()
  const path = `/webhooks/${webhook.id}`
  expect((await to('POST', path, { active: false })).status).toBe(200)
  expect((await to('POST', path, { active: true })).body.detail).toContain('customers:read')
  expect(
    (await to('PUT', '/webhooks/external/wide', { ...createBody(['*']), url: webhook.url, active: true })).status,
  ).toBe(403)
  const filter = async (send: Send, body: object) => (await send('POST', `${path}/filter`, body)).status
  const owner: Send = (method, relative, json) => harness.request(method, harness.path(relative), json)
  expect(await filter(owner, { fields: { 'customer.*': ['id'] }, thin: true })).toBe(200)
  for (const fields of [null, { 'customer.*': null }, { 'customer.created': ['firstName'] }])
    expect([fields, await filter(to, { fields })]).toEqual([fields, 403])
  expect(await filter(to, { changed: { 'customer.updated': ['firstName'] } })).toBe(403)
  expect(await filter(to, { thin: null })).toBe(403)
  expect(await filter(to, { changed: { 'product.updated': ['price'] }, order: 'object' })).toBe(200)
  expect((await owner('GET', `${path}/filter`)).body).toMatchObject({ fields: { 'customer.*': ['id'] }, thin: true })
  expect((await owner('POST', path, { active: true })).status).toBe(200)
})

test('deliveries of a webhook that was narrowed do not follow it to another address', async () => {
  const { harness, webhook, to } = await createWideWebhook()
  harness.endpoint = () => new Response(null, { status: 500 })
  await harness.post('/customers', { firstName: 'Zoë', lastName: 'Núñez' })
  await harness.post('/products', { title: 'Tea', price: 1 })
  await harness.deliver()
  const [customer] = (await harness.events()).filter(({ type }) => type === 'customer.created')
  harness.endpoint = () => new Response(null, { status: 204 })
  harness.calls.length = 0
  const url = `https://${harness.host}/else`
  expect((await to('POST', `/webhooks/${webhook.id}`, { events: ['product.created'] })).status).toBe(200)
  expect((await to('POST', `/webhooks/${webhook.id}`, { url })).status).toBe(200)
  await harness.advance(10)
  await harness.sweep()
  await harness.deliver()
  expect(harness.calls.map((call) => [call.url, call.body.type])).toEqual([[url, 'product.created']])

  const forbidden = [
    await to('POST', `/webhooks/${webhook.id}/deliveries/${customer?.['id']}/retry`),
    await to('POST', `/webhooks/${webhook.id}/recover`, { since: 1 + Math.floor(Date.now() / 1000) - 60 }),
  ]
  expect(forbidden.map(({ status, body }) => [status, body.detail])).toEqual([
    [403, 'The key lacks the scope customers:read.'],
    [403, 'The key lacks the scope customers:read.'],
  ])
  await harness.deliver()
  expect(harness.calls).toHaveLength(1)
  // The delivery of the customer, and that of the webhook's external id.
  expect(
    (await harness.post(`/webhooks/${webhook.id}/recover`, { since: Math.floor(Date.now() / 1000) - 60 })).body,
  ).toEqual({ recovered: 2 })
})

test('a webhook for all events is recovered by those who may read all', async () => {
  const { harness, webhook, to } = await createWideWebhook()
  const recover = { since: Math.floor(Date.now() / 1000) }
  expect((await to('POST', `/webhooks/${webhook.id}/recover`, recover)).status).toBe(403)
  expect((await harness.post(`/webhooks/${webhook.id}/recover`, recover)).status).toBe(202)
})

test('a member sees events of readable resources only in the log; a key sees all, with the data that it may read', async () => {
  const venue = await createVenue()
  const { to } = await createMember(venue.id, 'developer')
  const key = await createKey(venue.id, { mode: 'live', scopes: ['events:read', 'webhooks:read'] })
  await venue.post('/customers', { firstName: 'Zoë', lastName: 'Núñez' })
  await venue.post('/webhooks', createBody([]))
  await venue.post('/events', { type: 'order.created', data: { orderId: '1' } })
  const read = async (path: string) =>
    (await to('GET', path)).body.map(({ type, data }: { type: string; data?: object }) => [type, data !== undefined])
  const shown = [
    ['webhook.created', true],
    ['order.created', true],
  ]
  expect(await read('/events')).toEqual(shown)
  expect(await read('/events?order=desc')).toEqual(shown.toReversed())
  expect(await read('/events?types=customer.created,order.created')).toEqual([['order.created', true]])
  expect(await read('/events?types=customer.created')).toEqual([])
  const all = (await key.get('/events')).body.map(({ type, data }: { type: string; data?: object }) => [
    type,
    data !== undefined,
  ])
  expect(all).toEqual([['customer.created', false], ...shown])
  const owner = await createMember(venue.id)
  expect((await owner.to('GET', '/events')).body).toHaveLength(3)
})
