import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { samples } from '../support/samples.ts'
import { type Call, createWebhookHarness, type WebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

/** The calls of one webhook, its own creation left out. */
const findCalls = (stage: WebhookHarness, type: string): Call[] => stage.calls.filter(({ body }) => body.type === type)
/** An object as events contain it: as in its list. */
const shown = async (stage: WebhookHarness, collection: string, id: string) =>
  (await stage.get(`/${collection}?ids=${id}`)).body[0]

describe.each(samples)('a $name', ({ name, collection, body, change }) => {
  test('raises events with all fields on create, update and delete', async () => {
    const stage = await createWebhookHarness()
    await stage.hook()
    const { body: made } = await stage.post(`/${collection}`, body('One'))
    const created = await shown(stage, collection, made.id)
    await stage.deliver()
    const { body: updated } = await stage.post(`/${collection}/${made.id}`, change)
    await stage.deliver()
    const { body: removed } = await stage.remove(`/${collection}/${made.id}`)
    await stage.deliver()

    const common = { merchantId: stage.venue.id, testMode: false, id: expect.stringMatching(/^evt_[0-9a-z]{26}$/) }
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const former = Object.fromEntries(Object.keys(change).map((key) => [key, created[key] ?? null]))
    const mine = stage.calls.filter((call) => call.body.data.id === made.id)
    expect(mine.map((call) => call.body)).toEqual([
      { ...common, timestamp, type: `${name}.created`, version: 1, data: created },
      { ...common, timestamp, type: `${name}.updated`, version: 2, data: updated, previous: former },
      { ...common, timestamp, type: `${name}.deleted`, version: 3, data: removed.object },
    ])
  })

  test('raises no event if an update changes nothing', async () => {
    const stage = await createWebhookHarness()
    await stage.hook()
    const { body: made } = await stage.post(`/${collection}`, body('One'))
    await stage.post(`/${collection}/${made.id}`, change)
    const events = await stage.events()
    for (const same of [change, {}]) {
      expect((await stage.post(`/${collection}/${made.id}`, same)).status).toBe(200)
    }
    expect(await stage.events()).toEqual(events)
  })
})

describe('an event', () => {
  test('has null for previously absent fields and no unchanged fields', async () => {
    const stage = await createWebhookHarness()
    await stage.hook({ events: ['product.updated'] })
    const { body: made } = await stage.post('/products', { title: 'Tea', price: 4.5, sku: 'A' })
    await stage.post(`/products/${made.id}`, { description: 'Hot', sku: null, price: 4.5 })
    await stage.deliver()
    const [{ body } = { body: undefined }] = stage.calls
    expect(body.previous).toEqual({ description: null, sku: 'A' })
    expect(body.data).toEqual({ ...(await shown(stage, 'products', made.id)) })
    expect(body.data).not.toHaveProperty('sku')
  })

  test('has the time of the change and an increasing version', async () => {
    const stage = await createWebhookHarness()
    await stage.hook({ events: ['product.updated'] })
    const { body: made } = await stage.post('/products', { title: 'Tea', price: 1 })
    const times: string[] = []
    for (let price = 2; price < 6; price++) {
      await stage.pass(1)
      times.push(new Date().toISOString())
      await stage.post(`/products/${made.id}`, { price })
    }
    await stage.deliver()
    expect(stage.calls.map(({ body }) => body.version).sort()).toEqual([2, 3, 4, 5])
    expect(stage.calls.map(({ body }) => body.timestamp).sort()).toEqual(times)
    expect(new Set(stage.calls.map(({ body }) => body.id)).size).toBe(4)
  })

  test('has the state at the time of the change', async () => {
    const stage = await createWebhookHarness()
    await stage.hook()
    const { body: made } = await stage.post('/products', { title: 'Tea', price: 1 })
    await stage.post(`/products/${made.id}`, { title: 'Coffee' })
    await stage.remove(`/products/${made.id}`)
    await stage.deliver()
    expect(findCalls(stage, 'product.created')[0]?.body.data.title).toBe('Tea')
    expect(findCalls(stage, 'product.updated')[0]?.body.data.title).toBe('Coffee')
  })

  test('has the same bytes in every attempt', async () => {
    const stage = await createWebhookHarness()
    await stage.scene()
    stage.endpoint = () => new Response(null, { status: 500 })
    await stage.deliver()
    await env.DB.prepare(`update events set row = '{}', previous = '{}', version = 9, at = 0 where merchant_id = ?`)
      .bind(stage.venue.id)
      .run()
    await stage.pass(10)
    await stage.pass(400)
    expect(stage.calls).toHaveLength(3)
    expect(new Set(stage.calls.map(({ text }) => text)).size).toBe(1)
    expect(new Set(stage.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(stage.calls.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3)
  })

  test('follows Standard Webhooks and has the token', async () => {
    const stage = await createWebhookHarness()
    const { webhook } = await stage.scene()
    const { body: kept } = await stage.get(`/webhooks/${webhook.id}`)
    const { body: secret } = await stage.get(`/webhooks/${webhook.id}/secret`)
    await stage.deliver()
    const [call] = stage.calls
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
    const stage = await createWebhookHarness()
    await stage.hook({ events: ['tag.created'] })
    const { body: tag } = await stage.post('/tags', {})
    await stage.deliver()
    expect(stage.calls[0]?.body.data.url).toBe(tag.url)
    expect(tag.url).toMatch(/^https:\/\/menu\.example\/t\//)
  })
})

describe('a delete of a referenced object', () => {
  test('raises events for each owner and for itself, in one transaction', async () => {
    const stage = await createWebhookHarness()
    const { body: product } = await stage.post('/products', { title: 'Tea', price: 1 })
    const { body: kept } = await stage.post('/products', { title: 'Cake', price: 2 })
    const section = { title: 'Drinks', items: [product.id, kept.id] }
    const { body: menu } = await stage.post('/menus', { title: 'Day', sections: [section] })
    const { body: menu2 } = await stage.post('/menus', { title: 'Night', sections: [section] })
    const { body: coupon } = await stage.post('/coupons', {
      title: 'T',
      code: 'T',
      type: 'FIXED',
      value: 1,
      products: [product.id],
    })
    await stage.hook()
    await stage.pass(5)
    const before = (await stage.events()).length
    expect((await stage.remove(`/products/${product.id}`)).status).toBe(200)
    await stage.deliver()

    const events = (await stage.events()).slice(before)
    expect(events.map(({ type }) => type).sort()).toEqual([
      'coupon.updated',
      'menu.updated',
      'menu.updated',
      'product.deleted',
    ])
    expect(new Set(events.map(({ at }) => at)).size).toBe(1)
    const bodies = stage.calls.map(({ body }) => body)
    expect(bodies).toHaveLength(4)
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(4)
    for (const { id } of [menu, menu2]) {
      const update = bodies.find(({ data }) => data.id === id)
      expect(update).toMatchObject({ type: 'menu.updated', version: 2 })
      expect(update.data).toEqual(await shown(stage, 'menus', id))
      expect(update.data.sections[0].items).toEqual([kept.id])
      expect(Object.keys(update.previous)).toEqual(['sections'])
      expect(update.previous.sections[0].items).toEqual([product.id, kept.id])
    }
    const update = bodies.find(({ data }) => data.id === coupon.id)
    expect(update).toMatchObject({ type: 'coupon.updated', version: 2, previous: { products: [product.id] } })
    expect(update.data).toEqual(await shown(stage, 'coupons', coupon.id))
    expect(update.data).toMatchObject({ products: [], applyToAllProducts: false })
  })

  test('raises events for the products of a deleted modifier', async () => {
    const stage = await createWebhookHarness()
    const { body: modifier } = await stage.post('/modifiers', { title: 'Milk', instructions: '' })
    const { body: product } = await stage.post('/products', { title: 'Tea', price: 1, modifiers: [modifier.id] })
    await stage.hook()
    await stage.remove(`/modifiers/${modifier.id}`)
    await stage.deliver()
    expect(stage.calls.map(({ body }) => body.type).sort()).toEqual(['modifier.deleted', 'product.updated'])
    const [update] = findCalls(stage, 'product.updated')
    expect(update?.body).toMatchObject({
      version: 2,
      data: { id: product.id, modifiers: [] },
      previous: { modifiers: [modifier.id] },
    })
  })
})
