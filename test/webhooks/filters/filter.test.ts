import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { filterLimits } from '../../../src/webhooks/filters/filter-fields.ts'
import { watch } from '../../support/d1.ts'
import { createWebhookHarness, type WebhookHarness } from '../../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

async function createFiltered(filter: object, events: readonly string[] = ['*']) {
  const harness = await createWebhookHarness()
  const webhook = await harness.createWebhook({ events })
  await harness.deliver()
  const { status, body } = await harness.post(`/webhooks/${webhook.id}/filter`, filter)
  expect([status, body]).toEqual([200, filter])
  await harness.deliver()
  harness.clear()
  return { harness, webhook }
}

const typesOf = ({ calls }: WebhookHarness) => calls.map(({ body }) => body.type)
const countDeliveries = async () =>
  (await env.DB.prepare('select count(*) as n from deliveries').first<{ n: number }>())?.n

describe('a filter', () => {
  test('by changed fields makes no delivery, no message and no round trip for other changes', async () => {
    const { harness } = await createFiltered({ changed: { 'product.updated': ['price'] } }, ['product.updated'])
    const { body: made } = await harness.post('/products', { title: 'Tea', price: 4 })
    const before = await countDeliveries()
    harness.sends = 0
    const counts = new Set<number>()
    for (let i = 0; i < 50; i++) {
      const { database, trips } = watch(env.DB)
      const { status } = await harness.request(
        'POST',
        harness.path(`/products/${made.id}`),
        { calories: i },
        harness.venue.key,
        { DB: database },
      )
      expect(status).toBe(200)
      counts.add(trips.length)
    }
    expect([await countDeliveries(), harness.sends]).toEqual([before, 0])
    await harness.post(`/products/${made.id}`, { price: 5 })
    await harness.deliver()
    expect(typesOf(harness)).toEqual(['product.updated'])
    expect(harness.calls[0]?.body.previous).toEqual({ price: 4 })

    const plain = await createWebhookHarness()
    const { body: other } = await plain.post('/products', { title: 'Tea', price: 4 })
    const { database, trips } = watch(env.DB)
    await plain.request('POST', plain.path(`/products/${other.id}`), { calories: 1 }, plain.venue.key, { DB: database })
    expect([...counts]).toEqual([trips.length])
  })

  test('by changed fields concerns the types that it names', async () => {
    const { harness } = await createFiltered({ changed: { 'product.updated': ['price'] } })
    const { body: made } = await harness.post('/products', { title: 'Tea', price: 4 })
    await harness.post(`/products/${made.id}`, { title: 'Green tea' })
    const { body: menu } = await harness.post('/menus', { title: 'Drinks' })
    await harness.post(`/menus/${menu.id}`, { title: 'Hot drinks' })
    await harness.remove(`/products/${made.id}`)
    await harness.deliver()
    expect(typesOf(harness)).toEqual(['product.created', 'menu.created', 'menu.updated', 'product.deleted'])
  })

  test('sees a field that was or becomes absent, and the external id', async () => {
    const { harness } = await createFiltered({ changed: { 'product.updated': ['sku', 'externalId'] } }, [
      'product.updated',
    ])
    const { body: made } = await harness.post('/products', { title: 'Tea', price: 4 })
    await harness.post(`/products/${made.id}`, { sku: 'A' })
    await harness.post(`/products/${made.id}`, { price: 1 })
    await harness.post(`/products/${made.id}`, { sku: null })
    await harness.deliver()
    expect(harness.calls.map(({ body }) => body.previous)).toEqual([{ sku: null }, { sku: 'A' }])
  })

  test('by state passes what leaves or enters it, and side events of the object', async () => {
    const { harness } = await createFiltered({ where: { 'product.*': { visible: true } } })
    const { body: shown } = await harness.post('/products', { title: 'Tea', price: 4 })
    const { body: hidden } = await harness.post('/products', { title: 'Secret', price: 4, visible: false })
    await harness.post(`/products/${hidden.id}`, { price: 5 })
    await harness.post(`/products/${hidden.id}/details`, { allergens: [] })
    await harness.post(`/products/${shown.id}/details`, { allergens: [] })
    await harness.post(`/products/${shown.id}`, { visible: false })
    await harness.post(`/products/${shown.id}`, { price: 6 })
    await harness.post(`/products/${shown.id}`, { visible: true })
    await harness.remove(`/products/${hidden.id}`)
    await harness.post('/menus', { title: 'Hidden', visible: false })
    await harness.deliver()
    expect(harness.calls.map(({ body }) => [body.type, body.data.id === shown.id])).toEqual([
      ['product.created', true],
      ['product.details_updated', true],
      ['product.updated', true],
      ['product.updated', true],
      ['menu.created', false],
    ])
  })

  test('is judged for each event of a batch', async () => {
    const { harness } = await createFiltered({ where: { 'product.created': { visible: true } } }, ['product.created'])
    const operations = [true, false, true].map((visible, index) => ({
      op: 'create',
      resource: 'products',
      body: { title: `Tea ${index}`, price: 1, visible },
    }))
    expect((await harness.post('/batch', { operations })).status).toBe(200)
    await harness.deliver()
    expect(harness.calls.map(({ body }) => body.data.title).sort()).toEqual(['Tea 0', 'Tea 2'])
  })

  test('passes what it cannot judge, and test events', async () => {
    const { harness, webhook } = await createFiltered({
      changed: { 'product.updated': ['price'] },
      where: { 'product.*': { visible: false } },
    })
    const { body: made } = await harness.post('/products', { title: 'Tea', price: 4 })
    await harness.post('/stock/availability', { products: [{ id: made.id, soldOut: true }] })
    await harness.post('/events', { type: 'order.created', data: {} })
    await harness.post(`/webhooks/${webhook.id}/test`, {})
    await harness.deliver()
    expect(typesOf(harness)).toEqual(expect.arrayContaining(['order.created', 'webhook.test']))
    expect(typesOf(harness)).not.toContain('product.created')
  })
})

describe('the shape of bodies', () => {
  test('has the named fields, and always the id', async () => {
    const { harness } = await createFiltered({ fields: { 'product.*': ['price'], 'product.deleted': ['title'] } })
    const { body: made } = await harness.post('/products', { title: 'Tea', price: 4 })
    await harness.post(`/products/${made.id}`, { title: 'Green tea', price: 5 })
    await harness.post(`/products/${made.id}/details`, { allergens: [] })
    await harness.remove(`/products/${made.id}`)
    await harness.deliver()
    expect(harness.calls.map(({ body }) => [body.type, body.data, body.previous])).toEqual([
      ['product.created', { id: made.id, price: 4 }, undefined],
      ['product.updated', { id: made.id, price: 5 }, { price: 4 }],
      ['product.details_updated', { id: made.id, details: { allergens: [] } }, undefined],
      ['product.deleted', { id: made.id, title: 'Green tea' }, undefined],
    ])
  })

  test('can be the id and the path of the object', async () => {
    const { harness } = await createFiltered({ thin: true })
    const { body: made } = await harness.post('/products', { title: 'Tea', price: 4 })
    await harness.post(`/products/${made.id}`, { price: 5 })
    await harness.deliver()
    const data = { id: made.id, href: harness.path(`/products/${made.id}`) }
    expect(harness.calls.map(({ body }) => [body.data, body.previous])).toEqual([
      [data, undefined],
      [data, undefined],
    ])
    expect((await harness.get(`/products/${made.id}`)).status).toBe(200)
  })

  test('of a stored delivery stays, with the same bytes, after the filter changed', async () => {
    const { harness, webhook } = await createFiltered({ fields: { 'product.*': ['price'] } }, ['product.created'])
    const path = `/webhooks/${webhook.id}/filter`
    const first = harness.endpoint
    harness.endpoint = () => new Response(null, { status: 500 })
    const { body: made } = await harness.post('/products', { title: 'Tea', price: 4 })
    await harness.deliver()
    await harness.post(path, { fields: { 'product.*': ['title'] } })
    await harness.post('/products', { title: 'Cake', price: 3 })
    await harness.post(path, { fields: null, thin: true })
    harness.endpoint = first
    await harness.post(`/webhooks/${webhook.id}/recover`, {})
    await harness.advance(60)
    await harness.deliver()
    const ofTea = harness.calls.filter(({ body }) => body.data.id === made.id)
    expect(ofTea.length).toBeGreaterThan(1)
    expect(new Set(ofTea.map(({ text }) => text)).size).toBe(1)
    expect(ofTea[0]?.body.data).toEqual({ id: made.id, price: 4 })
    expect(harness.calls.at(-1)?.body.data).toMatchObject({ title: 'Cake' })
    expect(harness.calls.at(-1)?.body.data).not.toHaveProperty('price')
    await harness.post(path, { thin: null })
    await harness.post('/products', { title: 'Bun', price: 2 })
    await harness.deliver()
    expect(harness.calls.at(-1)?.body.data).toMatchObject({ title: 'Bun', price: 2, visible: true })
  })
})

describe('a change of a filter', () => {
  test('merges, clears, has an ETag and raises its event without secrets', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook({ events: ['webhook.filter_updated'] })
    const path = `/webhooks/${webhook.id}/filter`
    expect((await harness.get(path)).body).toEqual({})
    const changed = { 'product.updated': ['price'] }
    await harness.post(path, { changed, thin: true })
    const { body, headers } = await harness.post(path, { changed: { 'menu.updated': ['title'] }, thin: null })
    expect(body).toEqual({ changed: { ...changed, 'menu.updated': ['title'] } })
    const read = await harness.get(path)
    expect([read.body, read.headers.get('etag')]).toEqual([body, headers.get('etag')])
    await harness.deliver()
    expect(harness.calls.map((call) => call.body.data)).toEqual([
      { id: webhook.id, filter: { changed, thin: true } },
      { id: webhook.id, filter: body },
    ])
    expect(harness.calls.map(({ text }) => text).join()).not.toMatch(/whsec_|whtok_/)
    expect((await harness.get('/webhooks')).body[0]).not.toHaveProperty('filter')
  })

  test.each([
    [{ changed: { 'product.created': ['price'] } }, '/changed/product.created'],
    [{ changed: { 'product.*': ['price'] } }, '/changed/product.*'],
    [{ changed: { 'order.updated': ['price'] } }, '/changed/order.updated'],
    [{ changed: { 'product.updated': ['cost'] } }, '/changed/product.updated/0'],
    [{ changed: { 'webhook.updated': ['title', 'secrets'] } }, '/changed/webhook.updated/1'],
    [{ where: { 'product.sold_out': { visible: true } } }, '/where/product.sold_out'],
    [{ where: { 'customer.*': { visible: true } } }, '/where/customer.*'],
    [{ where: { 'product.*': { price: 1 } } }, '/where/product.*/price'],
    [{ fields: { 'order.created': ['id'] } }, '/fields/order.created'],
    [{ fields: { 'order.*': ['id'] } }, '/fields/order.*'],
    [{ fields: { 'product.details_updated': ['id'] } }, '/fields/product.details_updated'],
    [{ fields: { 'webhook.*': ['bearerToken'] } }, '/fields/webhook.*/0'],
  ])('rejects what no event has: %j', async (filter, pointer) => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    const { status, body } = await harness.post(`/webhooks/${webhook.id}/filter`, filter)
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer, code: 'unknown_field' })]])
  })

  test('has limits', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    const path = `/webhooks/${webhook.id}/filter`
    const many = Object.fromEntries(
      Array.from({ length: filterLimits.types + 1 }, (_, index) => [`a${index}.updated`, ['price']]),
    )
    const { body } = await harness.post(path, { changed: many })
    expect(body.errors).toContainEqual(expect.objectContaining({ pointer: '/changed', code: 'too_long' }))
    expect((await harness.post(path, { fields: { 'product.*': [] } })).status).toBe(422)
    let last = 0
    for (let index = 0; index <= 51 && last !== 409; index++) {
      const price = ['price']
      const sku = ['sku', 'calories', 'visible', 'description', 'createdAt', 'title'].filter(
        (_, bit) => (index >> bit) & 1,
      )
      const { status } = await harness.post(path, { fields: { 'product.*': [...price, ...sku] } })
      if (status !== 200) last = index
      if (status !== 200) break
    }
    expect(last).toBe(50)
  })
})
