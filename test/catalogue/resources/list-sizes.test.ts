import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { indexTerms } from '../../../src/platform/lib/search-terms.ts'
import { createVenue, toIssues } from '../../support/api.ts'
import { multiply } from '../../support/d1.ts'

const venue = await createVenue()
const times = <Value>(length: number, make: (index: number) => Value) =>
  Array.from({ length }, (_, index) => make(index))
const create = (path: string, body: object, length: number) =>
  Promise.all(times(length, async () => (await venue.post(path, body)).body.id as string))

/** Creates, reads back and updates: all must agree on how much is too much. */
async function fits(collection: string, body: Record<string, unknown>, field: string, kept: unknown) {
  const created = await venue.post(`/${collection}`, body)
  expect([created.status, created.body[field]]).toEqual([201, kept])
  expect((await venue.get(`/${collection}/${created.body.id}`)).body[field]).toEqual(kept)
  const updated = await venue.post(`/${collection}/${created.body.id}`, { title: 'Other' })
  expect([updated.status, updated.body[field]]).toEqual([200, kept])
  return created.body.id as string
}

/** Neither a create nor an update of `id` takes the body; each of its issues is named. */
async function overflows(collection: string, body: Record<string, unknown>, id: string, issues: string[]) {
  const { code, ...rest } = body
  const renamed = code === undefined ? body : { ...rest, code: crypto.randomUUID() }
  expect(toIssues(await venue.post(`/${collection}`, renamed))).toEqual(issues)
  expect(toIssues(await venue.post(`/${collection}/${id}`, rest))).toEqual(issues)
}

describe('a list has as many elements as the contract says, and not one more', () => {
  const elements: [string, string, number, object, (index: number) => object, (index: number) => object][] = [
    [
      'products',
      'images',
      20,
      { price: 1 },
      (n) => ({ url: `https://a.b/${n}` }),
      (n) => ({ url: `https://a.b/${n}` }),
    ],
    [
      'products',
      'metadata',
      50,
      { price: 1 },
      (n) => ({ key: 'k', value: `${n}` }),
      (n) => ({ key: 'k', value: `${n}` }),
    ],
    ['modifiers', 'options', 250, { instructions: '' }, (n) => ({ id: `o${n}` }), (n) => ({ id: `o${n}` })],
    [
      'menus',
      'sections',
      200,
      {},
      (n) => ({ title: `${n}` }),
      (n) => ({ id: expect.any(String), title: `${n}`, type: 'LIST', items: [] }),
    ],
  ]
  test.each(elements)('%s: %s', async (collection, field, most, rest, make, shown) => {
    const body = (length: number) => ({ title: 'Thing', ...rest, [field]: times(length, make) })
    const id = await fits(collection, body(most), field, times(most, shown))
    await overflows(collection, body(most + 1), id, [`/${field} too_many`])
  })

  test('tags: metadata', async () => {
    const metadata = times(51, (n) => ({ key: 'k', value: `${n}`, visible: n % 2 === 0 }))
    const created = await venue.post('/tags', { metadata: metadata.slice(0, 50) })
    expect(created).toMatchObject({ status: 201, body: { metadata: metadata.slice(0, 50) } })
    expect(toIssues(await venue.post('/tags', { metadata }))).toEqual(['/metadata too_many'])
    expect(toIssues(await venue.post(`/tags/${created.body.id}`, { metadata }))).toEqual(['/metadata too_many'])
  })

  test('products: modifiers', async () => {
    const modifiers = await create('/modifiers', { title: 'Milk', instructions: '' }, 51)
    const body = (length: number) => ({ title: 'Thing', price: 1, modifiers: modifiers.slice(0, length) })
    const id = await fits('products', body(50), 'modifiers', modifiers.slice(0, 50))
    await overflows('products', body(51), id, ['/modifiers too_many'])
  })

  test('webhooks: events, of which there are fewer than the limit', async () => {
    const verbs = ['created', 'updated', 'deleted']
    const resources = ['product', 'modifier', 'menu', 'coupon', 'customer', 'tag', 'webhook']
    const events = ['*', 'order.created', ...resources.flatMap((name) => verbs.map((verb) => `${name}.${verb}`))]
    const body = { title: 'All', url: 'https://hooks.example.com/', active: false, events }
    const id = await fits('webhooks', body, 'events', events)
    const issues = times(101, (index) => `/events/${index} invalid_value`)
    const unknown = { ...body, events: times(101, (index) => `nope.${index}`) }
    await overflows('webhooks', unknown, id, [...issues, '/events too_many'].sort())
  })
})

/** More products than a client could create in the time. */
async function createMany(count: number) {
  const [id = ''] = await create('/products', { title: 'Tea', price: 1 }, 1)
  await multiply('products', id, count - 1)
  return [id, ...times(count - 1, (n) => `prod_00${String(n + 1).padStart(24, '0')}`)]
}
const products = await createMany(5_001)

test('coupons name up to 1,000 products', async () => {
  const body = (length: number) => ({
    title: 'All of them',
    code: crypto.randomUUID(),
    type: 'FIXED',
    value: 1,
    products: products.slice(0, length),
  })
  const id = await fits('coupons', body(1_000), 'products', products.slice(0, 1_000))
  await overflows('coupons', body(1_001), id, ['/products too_many'])
})

test('a menu has up to 5,000 items in up to 200 sections', async () => {
  const [extra = '', ...items] = await create('/products', { title: 'Tea', price: 1 }, 26)
  const section = (title: number) => ({ title: `${title}`, items })
  const body = { title: 'Everything', sections: times(200, section) }
  expect(items).toHaveLength(25)
  const sections = body.sections.map((each) => ({ id: expect.stringMatching(/^sec_/), type: 'LIST', ...each }))
  const id = await fits('menus', body, 'sections', sections)

  const oneMore = times(200, (index) => (index === 100 ? { title: '100', items: [...items, extra] } : section(index)))
  await overflows('menus', { title: 'Too much', sections: oneMore }, id, ['/sections too_many'])

  const { body: menu } = await venue.get(`/menus/${id}`)
  expect((await venue.remove(`/products/${items[7]}`)).status).toBe(200)
  const { body: pruned } = await venue.get(`/menus/${id}`)
  const without = menu.sections.map((each: { items: string[] }) => ({
    ...each,
    items: each.items.filter((item) => item !== items[7]),
  }))
  expect(pruned).toEqual({ ...menu, sections: without, updatedAt: pruned.updatedAt })
  expect(pruned.updatedAt).toBeGreaterThan(menu.updatedAt)
})

test('one section of a menu may have all of its 5,000 items', async () => {
  const body = (length: number) => ({ title: 'Everything', sections: [{ items: products.slice(0, length) }] })
  const section = { id: expect.stringMatching(/^sec_/), type: 'LIST', items: products.slice(0, 5_000) }
  const id = await fits('menus', body(5_000), 'sections', [section])
  await overflows('menus', body(5_001), id, ['/sections/0/items too_many'])
})

describe('the same id twice in one list is an issue at the second place', () => {
  test('in the modifiers of a product', async () => {
    const [a, b] = await create('/modifiers', { title: 'Milk', instructions: '' }, 2)
    const body = { title: 'Tea', price: 1, modifiers: [a, b, { id: a }, b] }
    expect(toIssues(await venue.post('/products', body))).toEqual(['/modifiers/2 duplicate', '/modifiers/3 duplicate'])
  })

  test('in the products of a coupon', async () => {
    const [a] = await create('/products', { title: 'Tea', price: 1 }, 1)
    const body = { title: 'a', code: 'twice', type: 'FIXED', value: 1, products: [a, a] }
    expect(toIssues(await venue.post('/coupons', body))).toEqual(['/products/1 duplicate'])
  })

  test('in the events of a webhook', async () => {
    const body = { title: 'a', url: 'https://hooks.example.com/', events: ['*', 'tag.created', '*'] }
    expect(toIssues(await venue.post('/webhooks', body))).toEqual(['/events/2 duplicate'])
  })

  test('in one section of a menu, but not across its sections', async () => {
    const [a, b] = await create('/products', { title: 'Tea', price: 1 }, 2)
    const across = await venue.post('/menus', { title: 'a', sections: [{ items: [a, b] }, { items: [b, a] }] })
    expect(across.status).toBe(201)
    const within = { sections: [{ items: [a, b] }, { items: [b, a, b] }] }
    expect(toIssues(await venue.post('/menus', { title: 'a', ...within }))).toEqual(['/sections/1/items/2 duplicate'])
    expect(toIssues(await venue.post(`/menus/${across.body.id}`, within))).toEqual(['/sections/1/items/2 duplicate'])
  })
})

describe('what is stored of a request stays below the 2 MB of a row', () => {
  test('for published numbers, which are stored as they came', async () => {
    const data = `{"a":[${Array(11_000).fill('1e20').join()}]}`
    const published = await venue.raw('/events', `{"type":"order.created","data":${data}}`)
    expect(published.status).toBe(202)
    const { results } = await env.DB.prepare('select octet_length(row) as bytes from events where id = ?')
      .bind(published.body.id)
      .all()
    expect(results).toEqual([{ bytes: data.length }])
  })

  test('for the words of a search, which are kept in pairs behind a prefix', async () => {
    const letters = Array.from({ length: 300 }, (_, n) => String.fromCodePoint(0x4e00 + n))
    const pairs = letters.flatMap((first, n) => letters.slice(n + 1).map((second) => first + second))
    const sections = times(17, (n) => ({ description: pairs.slice(n * 2_450, (n + 1) * 2_450).join('') }))
    // The guard of D1 measures the words that are bound.
    expect((await venue.post('/menus', { title: 'Words', sections })).status).toBe(201)
    const terms = indexTerms(venue.id, 'l', { names: [], others: sections.map(({ description }) => description) })
    expect(new TextEncoder().encode(terms).byteLength).toBeGreaterThan(1_000_000)
  })
})
