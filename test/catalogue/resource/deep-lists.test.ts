import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCursor } from '../../../src/platform/http/pagination.ts'
import { indexTerms } from '../../../src/platform/lib/search-terms.ts'
import { adminToken, createVenue, type Venue } from '../../support/api.ts'
import { multiply, observe, rowsRead } from '../../support/d1.ts'

const rows = 10_600
let venue: Venue
let product: string
let coupon: string
let customer: string
let tag: string

/** Rows that D1 read for a request to a warm isolate. */
async function reads(path: string, length: number) {
  const { trips, status, body, headers } = await observe('GET', venue.path(path), { key: venue.key })
  expect([path, status, Array.isArray(body) ? body.length : 1]).toEqual([path, 200, length])
  return { read: rowsRead(trips), body, link: headers.get('link') }
}
const read = async (path: string, length: number) => (await reads(path, length)).read

const post = async (path: string, json: object): Promise<string> => (await venue.post(path, json)).body.id

beforeAll(async () => {
  venue = await createVenue()
  product = await post('/products', { title: 'Needle', price: 1 })
  coupon = await post('/coupons', { title: 'Off', code: 'OFF', type: 'FIXED', value: 1 })
  customer = await post('/customers', { firstName: 'Ada', lastName: 'L' })
  tag = await post('/tags', { nfc: true })
  // Half of the products have changed a second later, and one in a hundred has a word of its own.
  await multiply('products', product, rows, {
    sku: "'S' || n",
    upc: "'U' || n",
    title: "'Hay ' || n",
    updated_at: 'created_at + n % 2',
  })
  await multiply('coupons', coupon, rows)
  await multiply('customers', customer, rows, { email: "n || '@example.com'", phone: "'+' || n" })
  await multiply('tags', tag, rows)
  const terms = (text: string) => indexTerms(venue.id, 'l', { names: [text] })
  await env.DB.prepare(
    `insert into products_search (rowid, terms) select seq, case when seq % 100 = 0 then ? else ? end from products where merchant_id = ? and id <> ?`,
  )
    .bind(terms('hay special'), terms('hay'), venue.id, product)
    .run()
  await venue.get('/products')
})

describe('in a venue with ten thousand objects of each resource', () => {
  test('a retrieve reads one or two rows', async () => {
    for (const path of [`/products/${product}`, `/coupons/${coupon}`, `/customers/${customer}`, `/tags/${tag}`]) {
      expect(await read(path, 1)).toBeLessThanOrEqual(2)
    }
  })

  test.each(['desc', 'asc'] as const)(
    'a page at depth ten thousand costs what the first one costs, %s',
    async (order) => {
      for (const collection of ['products', 'coupons', 'customers', 'tags']) {
        const first = await reads(`/${collection}?order=${order}&limit=50`, 50)
        const { results } = await env.DB.prepare(
          `select id from ${collection} where merchant_id = ? order by id ${order} limit 1 offset 10000`,
        )
          .bind(venue.id)
          .all<{ id: string }>()
        const cursor = createCursor(
          collection,
          { merchantId: venue.id, testMode: false },
          { order },
          results[0]?.id ?? '',
        )
        for (const limit of [50, 100]) {
          const deep = await reads(`/${collection}?order=${order}&limit=${limit}&cursor=${cursor}`, limit)
          expect([first.read, deep.read]).toEqual([51, limit + 1])
          expect(deep.link).toContain('rel="next"')
          expect(first.body.some(({ id }: { id: string }) => id === deep.body[0].id)).toBe(false)
        }
      }
    },
  )

  test.each([
    ['/products?sku=S5000', 1],
    ['/products?upc=U5000', 1],
    ['/products?visible=true&sku=S5000&upc=U5000', 1],
    ['/products?visible=true&upc=U5000&updatedSince=0', 1],
    ['/products?visible=false', 0],
    ['/coupons?code=off', 1],
    ['/coupons?active=true&code=off&updatedSince=0', 1],
    ['/customers?email=5000@example.com', 1],
    ['/customers?phone=%2B5000', 1],
    ['/customers?phone=%2B5000&email=5000@example.com', 1],
    ['/tags?testMode=true', 0],
    ['/tags?nfc=false&testMode=false', 0],
    ['/products?q=needle', 1],
    ['/products?q=nowhere', 0],
    ['/products?updatedSince=99999999999', 0],
  ])('%s reads a handful of rows', async (path, length) => {
    expect(await read(path, length)).toBeLessThanOrEqual(4 * length + 2)
  })

  test.each([
    '/products?visible=true',
    '/coupons?active=1',
    '/tags?nfc=true',
    '/tags?nfc=true&testMode=false',
    '/tags?testMode=0',
  ])('%s reads a page', async (path) => expect(await read(path, 50)).toBeLessThanOrEqual(100))

  test('a change reads only the rows that it changes', async () => {
    const created = await observe('POST', venue.path('/products'), { key: venue.key, json: { title: 'New', price: 1 } })
    const path = venue.path(`/products/${created.body.id}`)
    const updated = await observe('POST', path, { key: venue.key, json: { title: 'Newer' } })
    const deleted = await observe('DELETE', path, { key: venue.key })
    const merchant = await observe('POST', `/admin/merchants/${venue.id}`, { key: adminToken, json: { name: 'Other' } })
    for (const [{ status, trips }, most] of [
      [created, 30],
      [updated, 30],
      // Each statement reads the list of ids to delete, which has one element here.
      [deleted, 50],
      [merchant, 30],
    ] as const) {
      expect(status).toBeLessThan(300)
      // Includes the event, its sequence number and its subscriptions.
      expect(rowsRead(trips)).toBeLessThanOrEqual(most)
    }
  })

  test('a hundred ids read a few rows each, with other filters too', async () => {
    const ids = (await venue.get('/products?limit=100')).body.map(({ id }: { id: string }) => id)
    for (const rest of ['', '&order=asc', '&visible=true', '&updatedSince=0', '&updatedSince=0&visible=1']) {
      expect(await read(`/products?ids=${ids}${rest}`, 100)).toBeLessThanOrEqual(4 * ids.length)
    }
  })

  test('a search and updatedSince read the rows of a page', async () => {
    const half = (await venue.get(`/products/${product}`)).body.createdAt + 1
    for (const [path, matches, each] of [
      ['/products?q=special', 106, 4],
      ['/products?q=special+hay', 106, 4],
      ['/products?q=special+hay&visible=true', 106, 4],
      ['/products?q=hay', 50, 6],
      ['/products?q=hay&visible=true', 450, 4],
      ['/products?updatedSince=0', 50, 3],
      [`/products?updatedSince=${half}`, 50, 3],
      ['/products?updatedSince=0&visible=true', 450, 4],
    ] as const) {
      const count = await read(path, 50)
      expect([path, count, count <= each * matches + 2]).toEqual([path, count, true])
    }
  })

  test('row counts are the same with a thousand other merchants', async () => {
    const other = await createVenue()
    await multiply('merchants', other.id, 1000)
    const foreign = await other.post('/products', { title: 'Needle', price: 1, sku: 'S5000' })
    const [id, merchant] = ["'prod_01' || printf('%024d', n)", "printf('mer_00%024d', 1 + n % 1000)"]
    await multiply('products', foreign.body.id, 10_000, { id, merchant_id: merchant })
    for (const [path, length, most] of [
      ['/products?limit=50', 50, 51],
      ['/products?limit=50&order=asc', 50, 51],
      ['/products?sku=S5000', 1, 2],
      ['/products?q=needle', 1, 4],
      ['/products?updatedSince=99999999999', 0, 2],
      [`/products/${product}`, 1, 1],
    ] as const) {
      const count = await read(path, length)
      expect([path, count, count <= most]).toEqual([path, count, true])
    }
  })
})
