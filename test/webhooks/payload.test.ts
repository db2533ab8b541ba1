import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { maxValueBytes } from '../../src/platform/lib/encoding/value-size.ts'
import { samples } from '../support/samples.ts'
import { type Call, createWebhookHarness, type WebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

/** The calls of one webhook, its own creation left out. */
const findCalls = (harness: WebhookHarness, type: string): Call[] =>
  harness.calls.filter(({ body }) => body.type === type)
/** An object as events contain it: as in its list. */
const shown = async (harness: WebhookHarness, collection: string, id: string) =>
  (await harness.get(`/${collection}?ids=${id}`)).body[0]

describe.each(samples)('a $name', ({ name, collection, body, change }) => {
  test('raises events with all fields on create, update and delete', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    const { body: made } = await harness.post(`/${collection}`, body('One'))
    const created = await shown(harness, collection, made.id)
    await harness.deliver()
    const { body: updated } = await harness.post(`/${collection}/${made.id}`, change)
    await harness.deliver()
    const { body: removed } = await harness.remove(`/${collection}/${made.id}`)
    await harness.deliver()

    const common = {
      merchantId: harness.venue.id,
      testMode: false,
      sequence: expect.any(Number),
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
    }
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const former = Object.fromEntries(Object.keys(change).map((key) => [key, created[key] ?? null]))
    const mine = harness.calls.filter((call) => call.body.data.id === made.id)
    expect(mine.map((call) => call.body)).toEqual([
      { ...common, timestamp, type: `${name}.created`, version: 1, data: created },
      { ...common, timestamp, type: `${name}.updated`, version: 2, data: updated, previous: former },
      { ...common, timestamp, type: `${name}.deleted`, version: 3, data: removed.object },
    ])
  })

  test('raises no event if an update changes nothing', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    const { body: made } = await harness.post(`/${collection}`, body('One'))
    await harness.post(`/${collection}/${made.id}`, change)
    const events = await harness.events()
    for (const same of [change, {}]) {
      expect((await harness.post(`/${collection}/${made.id}`, same)).status).toBe(200)
    }
    expect(await harness.events()).toEqual(events)
  })
})

describe('an event', () => {
  test('has null for previously absent fields and no unchanged fields', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook({ events: ['product.updated'] })
    const { body: made } = await harness.post('/products', { title: 'Tea', price: 4.5, sku: 'A' })
    await harness.post(`/products/${made.id}`, { description: 'Hot', sku: null, price: 4.5 })
    await harness.deliver()
    const [{ body } = { body: undefined }] = harness.calls
    expect(body.previous).toEqual({ description: null, sku: 'A' })
    expect(body.data).toEqual({ ...(await shown(harness, 'products', made.id)) })
    expect(body.data).not.toHaveProperty('sku')
  })

  test('has the time of the change and an increasing version', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook({ events: ['product.updated'] })
    const { body: made } = await harness.post('/products', { title: 'Tea', price: 1 })
    const times: string[] = []
    for (let price = 2; price < 6; price++) {
      await harness.advance(1)
      times.push(new Date().toISOString())
      await harness.post(`/products/${made.id}`, { price })
    }
    await harness.deliver()
    expect(harness.calls.map(({ body }) => body.version).sort()).toEqual([2, 3, 4, 5])
    expect(harness.calls.map(({ body }) => body.timestamp).sort()).toEqual(times)
    expect(new Set(harness.calls.map(({ body }) => body.id)).size).toBe(4)
  })

  test('has the state at the time of the change', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    const { body: made } = await harness.post('/products', { title: 'Tea', price: 1 })
    await harness.post(`/products/${made.id}`, { title: 'Coffee' })
    await harness.remove(`/products/${made.id}`)
    await harness.deliver()
    expect(findCalls(harness, 'product.created')[0]?.body.data.title).toBe('Tea')
    expect(findCalls(harness, 'product.updated')[0]?.body.data.title).toBe('Coffee')
  })

  test('has the same bytes in every attempt', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    harness.endpoint = () => new Response(null, { status: 500 })
    await harness.deliver()
    await env.DB.prepare(`update events set row = '{}', previous = '{}', version = 9, at = 0 where merchant_id = ?`)
      .bind(harness.venue.id)
      .run()
    await harness.advance(10)
    await harness.advance(400)
    expect(harness.calls).toHaveLength(3)
    expect(new Set(harness.calls.map(({ text }) => text)).size).toBe(1)
    expect(new Set(harness.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(harness.calls.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3)
  })

  test.each([
    ['stored where it fits', 470_000, true],
    ['rendered for each attempt where it does not fit', 480_000, false],
  ])('has a body that is %s in the row of the event', async (_what, bytes, isStored) => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    const lengthen = `update events set row = json_set(row, '$.description', hex(zeroblob(?))) where merchant_id = ?`
    await harness.query(lengthen, bytes, harness.venue.id)
    harness.endpoint = () => new Response(null, { status: 500 })
    await harness.deliver()
    const [event] = await harness.query(
      `select payload is not null as stored, octet_length(row) + coalesce(octet_length(payload), 0) as bytes from events
       where merchant_id = ? and type = 'product.created'`,
      harness.venue.id,
    )
    expect([event?.['stored'], Number(event?.['bytes']) <= maxValueBytes]).toEqual([Number(isStored), true])
    await harness.advance(10)
    expect(harness.calls).toHaveLength(2)
    expect(new Set(harness.calls.map(({ text }) => text)).size).toBe(1)
    expect(harness.calls[0]?.body.data.description).toHaveLength(2 * bytes)
  })

  test('follows Standard Webhooks and has the token', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    const { body: kept } = await harness.get(`/webhooks/${webhook.id}`)
    const { body: secret } = await harness.get(`/webhooks/${webhook.id}/secret`)
    await harness.deliver()
    const [call] = harness.calls
    if (!call) throw new Error('no call was made')
    expect(call.init).toMatchObject({ method: 'POST', redirect: 'manual' })
    expect(call.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': call.body.id,
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      authorization: `Bearer ${kept.bearerToken}`,
    })
    expect(new Webhook(secret.secret).verify(call.text, call.headers)).toEqual(call.body)
  })

  test('has the addresses at the time of the change', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook({ events: ['tag.created'] })
    const { body: tag } = await harness.post('/tags', {})
    await harness.deliver()
    expect(harness.calls[0]?.body.data.url).toBe(tag.url)
    expect(tag.url).toMatch(/^https:\/\/menu\.example\/t\//)
  })
})

describe('a delete of a referenced object', () => {
  test('raises events for each owner and for itself, in one transaction', async () => {
    const harness = await createWebhookHarness()
    const { body: product } = await harness.post('/products', { title: 'Tea', price: 1 })
    const { body: kept } = await harness.post('/products', { title: 'Cake', price: 2 })
    const section = { title: 'Drinks', items: [product.id, kept.id] }
    const { body: menu } = await harness.post('/menus', { title: 'Day', sections: [section] })
    const { body: menu2 } = await harness.post('/menus', { title: 'Night', sections: [section] })
    const { body: coupon } = await harness.post('/coupons', {
      title: 'T',
      code: 'T',
      type: 'FIXED',
      value: 1,
      products: [product.id],
    })
    await harness.createWebhook()
    await harness.advance(5)
    const before = (await harness.events()).length
    expect((await harness.remove(`/products/${product.id}`)).status).toBe(200)
    await harness.deliver()

    const events = (await harness.events()).slice(before)
    expect(events.map(({ type }) => type).sort()).toEqual([
      'coupon.updated',
      'menu.updated',
      'menu.updated',
      'product.deleted',
    ])
    expect(new Set(events.map(({ at }) => at)).size).toBe(1)
    const bodies = harness.calls.map(({ body }) => body)
    expect(bodies).toHaveLength(4)
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(4)
    for (const { id } of [menu, menu2]) {
      const update = bodies.find(({ data }) => data.id === id)
      expect(update).toMatchObject({ type: 'menu.updated', version: 2 })
      expect(update.data).toEqual(await shown(harness, 'menus', id))
      expect(update.data.sections[0].items).toEqual([kept.id])
      expect(Object.keys(update.previous)).toEqual(['sections'])
      expect(update.previous.sections[0].items).toEqual([product.id, kept.id])
    }
    const update = bodies.find(({ data }) => data.id === coupon.id)
    expect(update).toMatchObject({ type: 'coupon.updated', version: 2, previous: { products: [product.id] } })
    expect(update.data).toEqual(await shown(harness, 'coupons', coupon.id))
    expect(update.data).toMatchObject({ products: [], applyToAllProducts: false })
  })

  test('raises events for the products of a deleted modifier', async () => {
    const harness = await createWebhookHarness()
    const { body: modifier } = await harness.post('/modifiers', { title: 'Milk', instructions: '' })
    const { body: product } = await harness.post('/products', { title: 'Tea', price: 1, modifiers: [modifier.id] })
    await harness.createWebhook()
    await harness.remove(`/modifiers/${modifier.id}`)
    await harness.deliver()
    expect(harness.calls.map(({ body }) => body.type).sort()).toEqual(['modifier.deleted', 'product.updated'])
    const [update] = findCalls(harness, 'product.updated')
    expect(update?.body).toMatchObject({
      version: 2,
      data: { id: product.id, modifiers: [] },
      previous: { modifiers: [modifier.id] },
    })
  })
})
