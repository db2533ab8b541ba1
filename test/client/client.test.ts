import { describe, expect, test, vi } from 'vitest'
import { createClient, createOperator } from '../../packages/client/src/client.ts'
import collections from '../../packages/client/src/collections.ts?raw'
import eventData from '../../packages/client/src/event-data.ts?raw'
import models from '../../packages/client/src/models.ts?raw'
import { buildClientFiles } from '../../tools/openapi/build.ts'
import { adminToken, origin } from '../support/api.ts'
import { all, connect, service } from './new-client.ts'

test('the generated files match the document; `npm run models` writes them', () => {
  expect(buildClientFiles()).toEqual({
    'models.ts': models,
    'collections.ts': collections,
    'event-data.ts': eventData,
  })
})

describe('a resource', () => {
  test('is listed by external ids with commas and percent signs', async () => {
    const { client, merchantId, key } = await connect()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const path = `/merchants/${merchantId}/products/external/${encodeURIComponent('a,b%2C')}`
    const body = JSON.stringify({ title: 'Tea', price: 1 })
    await service(new URL(path, origin).href, { method: 'PUT', headers, body })
    const found = await all(client.products.list({ externalIds: ['a,b%2C', 'x'], include: ['externalId', 'version'] }))
    expect(found).toMatchObject([{ title: 'Tea', externalId: 'a,b%2C', version: 1 }])
  })

  test('is created, retrieved, updated, listed and deleted', async () => {
    const { client } = await connect()
    const tea = await client.products.create({ title: 'Tea', price: '2.50' })
    expect(await client.products.retrieve(tea.id)).toEqual(tea)
    expect(await client.products.update(tea.id, { price: 3 })).toMatchObject({ title: 'Tea', price: 3 })
    expect((await client.products.list({ q: 'tea' }).page()).items.map(({ id }) => id)).toEqual([tea.id])
    expect(await client.products.delete(tea.id)).toMatchObject({ id: tea.id, deleted: true, object: { price: 3 } })
    await expect(client.products.retrieve(tea.id)).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  test('is listed completely, page by page', async () => {
    const { client, sent } = await connect()
    const made: string[] = []
    for (let n = 0; n < 5; n++) made.push((await client.customers.create({ firstName: 'A', lastName: `${n}` })).id)
    sent.length = 0
    const listed = await all(client.customers.list({ limit: 2, order: 'asc' }))
    expect(listed.map(({ id }) => id)).toEqual(made)
    expect(sent).toHaveLength(3)
    const page = await client.customers.list({ limit: 2, ids: made.slice(1, 4) }).page()
    expect(page.items.map(({ id }) => id)).toEqual([made[3], made[2]])
    const rest = await client.customers.list({ limit: 2, ids: made.slice(1, 4), cursor: page.cursor }).page()
    expect(rest).toEqual({ items: [expect.objectContaining({ id: made[1] })], cursor: undefined })
  })

  test('is edited from its current state: ten concurrent edits all take effect', async () => {
    const { client } = await connect()
    const { id } = await client.products.create({ title: 'Tea', price: 1, stockQuantity: 0 })
    const take = () => client.products.edit(id, ({ stockQuantity = 0 }) => ({ stockQuantity: stockQuantity + 1 }))
    await Promise.all(Array.from({ length: 10 }, take))
    expect((await client.products.retrieve(id)).stockQuantity).toBe(10)
  })

  test('is updated only in the state of `ifMatch`', async () => {
    const { client } = await connect()
    const { id } = await client.menus.create({ title: 'Lunch' })
    await expect(client.menus.update(id, { title: 'x' }, { ifMatch: '"nope"' })).rejects.toMatchObject({ status: 412 })
    await expect(client.menus.delete(id, { ifMatch: '"nope"' })).rejects.toMatchObject({ status: 412 })
    expect((await client.menus.retrieve(id)).title).toBe('Lunch')
  })

  test('an id never leads to another path', async () => {
    const { client, sent } = await connect()
    for (const id of ['', '.', '..']) await expect(async () => client.products.delete(id)).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
    for (const id of ['../menus', 'a/b', '%2e%2e', '*', 'ä?x=1#y']) {
      await expect(client.products.retrieve(id)).rejects.toMatchObject({ status: 404 })
      expect(new URL(sent.at(-1)?.url ?? '').pathname).toMatch(/^\/merchants\/[^/]+\/products\/[^/]+$/)
    }
  })
})

test('works if a server framework replaces the global Response', async () => {
  const { client } = await connect()
  const Replaced = class extends Response {
    static override [Symbol.hasInstance]() {
      return false
    }
  }
  vi.stubGlobal('Response', Replaced)
  try {
    expect(await client.products.list().page()).toEqual({ items: [], cursor: undefined })
  } finally {
    vi.unstubAllGlobals()
  }
})

test('reads see earlier writes: requests send the newest bookmark', async () => {
  const { client, sent } = await connect()
  const { id } = await client.products.create({ title: 'Tea', price: 1 })
  await client.products.retrieve(id)
  expect(sent.map(({ headers }) => headers.has('d1-bookmark'))).toEqual([false, true])
})

test('tags, webhooks and events have their own operations', async () => {
  const { client } = await connect()
  const tag = await client.tags.create({ metadata: [{ key: 'table', value: '4' }] })
  expect(tag.nfcUrl).toContain('/n/')
  expect(await client.tags.scans(tag.id)).toEqual([])
  expect((await client.tags.nfcLink(tag.id)).url).toContain('/chip/')
  expect((await client.tags.sheet({ format: 'letter' })).headers.get('content-type')).toBe('application/pdf')

  const hook = await client.webhooks.create({ title: 'POS', url: 'http://127.0.0.1:9/', events: ['*'] })
  const { secret } = await client.webhooks.secret(hook.id)
  expect((await client.webhooks.rotateSecret(hook.id)).secret).not.toBe(secret)
  expect((await client.webhooks.rotateToken(hook.id)).bearerToken).not.toBe(hook.bearerToken)
  const { id } = await client.events.publish('order.created', { total: 12 })
  const types = (await all(client.events.list())).map((event) => event.type)
  expect(types).toEqual(expect.arrayContaining(['tag.created', 'webhook.created', 'order.created']))
  const deliveries = await all(client.webhooks.deliveries(hook.id))
  expect(deliveries.map(({ eventId }) => eventId)).toContain(id)
})

test('prices an order, with a coupon that is limited', async () => {
  const { client } = await connect()
  const { id: product } = await client.products.create({ title: 'Tea', price: 2.5 })
  const coupon = await client.coupons.create({ title: 'Half', code: 'HALF', type: 'PERCENTAGE', value: 50 })
  expect(await client.coupons.setLimits(coupon.id, { maxDiscount: 2 })).toEqual({ maxDiscount: 2 })
  expect(await client.coupons.limits(coupon.id)).toEqual({ maxDiscount: 2 })
  const quote = await client.quotes.create({ items: [{ product, quantity: 2 }], coupons: ['half'] })
  expect(quote).toMatchObject({ orderable: true, subtotal: 5, discountTotal: 2, total: 3, issues: [] })
  expect(quote.items[0]?.discounts).toEqual([{ coupon: coupon.id, amount: 2 }])
})

test('lists the audit log', async () => {
  const { client } = await connect()
  const { id } = await client.products.create({ title: 'Tea', price: 1 })
  await client.products.delete(id)
  const entries = await all(client.audit({ object: id }))
  expect(entries.map(({ operation }) => operation)).toEqual(['products.delete', 'products.create'])
})

test('an operator creates merchants and keys', async () => {
  const operator = createOperator({ origin, key: adminToken, fetch: service })
  const { id } = await operator.merchants.create({ name: 'Bar', timezone: 'Europe/Zurich' })
  expect(await operator.merchants.update(id, { currency: 'CHF' })).toMatchObject({ name: 'Bar', currency: 'CHF' })
  expect(await operator.merchants.move(id, { home: 'object' })).toMatchObject({ state: 'copying', home: 'object' })
  expect(await operator.merchants.retrieveMove(id)).toMatchObject({ state: 'copying', rows: 0 })
  const key = await operator.keys.create(id, { mode: 'test', scopes: ['products:read'] })
  const rolled = await operator.keys.roll(id, key.id, { overlap: 0 })
  expect(
    await createClient({ origin, merchantId: id, key: rolled.key, fetch: service }).products.list().page(),
  ).toEqual({ items: [], cursor: undefined })
  expect(await operator.keys.revoke(id, rolled.id)).toMatchObject({ id: rolled.id, deleted: true })
  expect((await all(operator.keys.list(id))).map((listed) => listed.id)).toEqual([key.id])
})

test('an operator backs up, restores, recovers and closes a merchant', async () => {
  const operator = createOperator({ origin, key: adminToken, fetch: service })
  const { id } = await operator.merchants.create({ name: 'Bar', home: 'd1' })
  await operator.merchants.suspend(id)
  const { takenAt } = await operator.backups.create(id)
  expect((await operator.backups.list(id)).map((backup) => backup.takenAt)).toEqual([takenAt])
  const started = await operator.restores.create(id, { takenAt, replace: true })
  expect(started).toMatchObject({ takenAt, state: 'saving', waitSeconds: expect.any(Number) })
  expect(await operator.restores.continue(id)).toMatchObject({ state: 'saving' })
  expect(await operator.restores.retrieve(id)).toMatchObject({ takenAt, state: 'saving' })
  const other = await operator.merchants.create({ name: 'Bar', home: 'd1' })
  const recovered = operator.merchants.recover(other.id, { at: Math.floor(Date.now() / 1000) })
  await expect(recovered).rejects.toMatchObject({ code: 'not_supported' })
  const closed = await operator.merchants.close(other.id, { graceDays: 2 })
  expect((closed.deletesAt ?? 0) - (closed.closedAt ?? 0)).toBe(2 * 86_400)
})
