import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { allLimits } from '../../support/coupon-limit-samples.ts'
import { dump } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'
import { samples } from '../../support/samples.ts'
import { log } from './audit-entries.ts'

const titles = async (venue: Venue, object: string) =>
  (await log(venue, `?object=${object}&limit=100`)).map(({ operation, title }) => [
    operation.split('.').slice(1).join('.'),
    title,
  ])

/** The fields that an object is named by, with another text. */
const rename = (collection: string, text: string): object =>
  collection === 'customers'
    ? { firstName: text }
    : collection === 'tags'
      ? { metadata: [{ key: 'table', value: text }] }
      : { title: text }
const nameOf = (collection: string, text: string) => (collection === 'customers' ? `${text} Guest` : text)

describe.each(samples)('entries about a $name', ({ collection, body }) => {
  test.each(['d1', 'object'] as const)('keep the title that it had, in a home of the kind %s', async (home) => {
    const venue = await createVenue({ home, orderingUrl: 'https://order.example/' })
    const { id } = (await venue.post(`/${collection}`, body('First'))).body
    await venue.post(`/${collection}/${id}`, rename(collection, 'Second'))
    await venue.remove(`/${collection}/${id}`)
    const [first, second] = ['First', 'Second'].map((text) => nameOf(collection, text))
    const deleted = [
      ['delete', second],
      ['update', second],
      ['create', first],
    ]
    expect(await titles(venue, id)).toEqual(deleted)
    if (collection === 'webhooks') return
    expect((await venue.get(`/${collection}?deleted=true`)).body[0].title).toBe(second)
    await venue.post(`/${collection}/${id}/restore`, {})
    const details = await venue.post(`/${collection}/${id}/details`, {
      [collection === 'tags' ? 'orderType' : 'x']: null,
    })
    expect([200, 404, 422]).toContain(details.status)
    const operations = [{ op: 'update', resource: collection, id, body: rename(collection, 'Third') }]
    expect((await venue.post('/batch', { operations })).status).toBe(200)
    const remove = [{ op: 'delete', resource: collection, id }]
    expect((await venue.post('/batch', { operations: remove })).status).toBe(200)
    const third = nameOf(collection, 'Third')
    expect(await titles(venue, id)).toEqual([['delete', third], ['update', third], ['restore', second], ...deleted])
  })
})

test('changes beside an object have its title', async () => {
  const venue = await createVenue()
  const key = () => ({ 'idempotency-key': crypto.randomUUID() })
  const create = async (path: string, fields: object) => (await venue.post(path, fields)).body.id
  const coupon = await create('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })
  await venue.post(`/coupons/${coupon}/limits`, allLimits)
  await venue.post(`/coupons/${coupon}/codes`, { count: 1 }, key())
  const product = await create('/products', { title: 'Tea', price: 1 })
  await venue.post(`/products/${product}/details`, { ageLimit: 18 })
  await venue.post(`/products/${product}/availability`, { soldOut: true })
  const operations = [{ op: 'update', resource: 'products', id: product, details: { ageLimit: 16 } }]
  await venue.post('/batch', { operations })
  const modifier = await create('/modifiers', {
    title: 'Milk',
    instructions: '',
    options: [{ id: 'oat', label: 'Oat' }],
  })
  await venue.post(`/modifiers/${modifier}/availability`, { options: { oat: { soldOut: true } } })
  const webhook = await create('/webhooks', { title: 'Till', url: 'https://hooks.example.com/a' })
  await venue.post(`/webhooks/${webhook}/secret/rotate`, undefined, key())
  await venue.post(`/webhooks/${webhook}/token/rotate`, undefined, key())
  const named = { coupons: 'Ten', products: 'Tea', modifiers: 'Milk', webhooks: 'Till' }
  const entries = await log(venue, '?limit=100')
  const found = entries.map(({ operation, title }) => `${operation} ${title}`).toSorted()
  expect(found).toEqual(
    found.map((text) => `${text.split(' ')[0]} ${new Map(Object.entries(named)).get(text.split('.')[0] ?? '')}`),
  )
  expect(found).toHaveLength(13)
})

describe.each(['d1', 'object'] as const)('in a home of the kind %s, the audit log', (home) => {
  test('has no name of an erased customer, whether it exists, was deleted, or has no events left', async () => {
    const venue = await createVenue({ home })
    const create = async () => (await venue.post('/customers', { firstName: 'Qzmarker', lastName: 'Gone' })).body.id
    const ids = [await create(), await create(), await create()]
    const [, deleted, old] = ids
    await venue.remove(`/customers/${deleted}`)
    await venue.remove(`/customers/${old}`)
    await queryHome(venue.id, 'delete from events where object = ?', String(old))
    for (const id of ids) expect((await venue.post(`/customers/${id}/erase`, {})).status).toBe(200)
    // The log has titles of other objects too: none of them is a customer.
    const { id: product } = (await venue.post('/products', { title: 'Tea', price: 1 })).body
    expect((await venue.post(`/customers/${product}/erase`, {})).status).toBe(404)
    expect((await log(venue, `?object=${product}`))[0]).toMatchObject({ title: 'Tea' })
    await venue.remove(`/products/${product}`)
    const entries = await log(venue, '?limit=100')
    expect(entries.filter(({ title }) => title !== undefined && title !== 'Tea')).toEqual([])
    expect(entries.length).toBeGreaterThanOrEqual(8)
    if (home === 'd1') expect(await dump()).not.toContain('Qzmarker')
  })
})

test('entries of earlier releases have no title', async () => {
  const venue = await createVenue({ home: 'd1' })
  await env.DB.prepare(
    `insert into audit (merchant_id, test_mode, id, at, key, operation, object) values (?, 0, 'aud_0', 1, 'system', 'menus.delete', 'menu_1')`,
  )
    .bind(venue.id)
    .run()
  expect((await log(venue, '?object=menu_1'))[0]).not.toHaveProperty('title')
})
