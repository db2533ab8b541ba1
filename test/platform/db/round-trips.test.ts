import { SQL } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { resourceList, resources } from '../../../src/catalogue/resources/registry.ts'
import { clearKeyCache } from '../../../src/platform/auth/api-keys.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { createIsolate } from '../../support/isolate.ts'
import { samples } from '../../support/samples.ts'

const bodies = new Map(samples.map(({ collection, body }) => [collection, body]))
const create = async (venue: Venue, collection: string, fields: object = {}): Promise<string> =>
  (await venue.post(`/${collection}`, { ...bodies.get(collection)?.('x'), ...fields })).body.id

/** The calls of D1 for a request to a warm isolate, with the statements in each. */
async function cost(venue: Venue, method: string, path: string, status: number, json?: unknown) {
  const response = await observe(method, venue.path(path), { key: venue.key, ...(json === undefined ? {} : { json }) })
  expect([method, path, response.status]).toEqual([method, path, status])
  return response.trips.map(({ statements }) => statements.length)
}
const calls = async (...request: Parameters<typeof cost>) => (await cost(...request)).length

describe.each(samples)('the database is called for $collection', ({ collection, body, change }) => {
  test('once to list, retrieve, create and delete, twice to update', async () => {
    const venue = await createVenue()
    const id = await create(venue, collection)
    // Values that an isolate reads once, such as the secret of tags' addresses, have been read.
    await cost(venue, 'GET', `/${collection}/${id}`, 200)
    expect(await calls(venue, 'GET', `/${collection}`, 200)).toBe(1)
    expect(await calls(venue, 'GET', `/${collection}?limit=1&order=asc&q=x&updatedSince=0&ids=${id}`, 200)).toBe(1)
    expect(await calls(venue, 'GET', `/${collection}/${id}`, 200)).toBe(1)
    expect(await calls(venue, 'HEAD', `/${collection}/${id}`, 200)).toBe(1)
    expect(await calls(venue, 'POST', `/${collection}`, 201, body('y'))).toBe(1)
    expect(await calls(venue, 'POST', `/${collection}/${id}`, 200, change)).toBe(2)
    expect(await calls(venue, 'POST', `/${collection}/${id}`, 200, change)).toBeLessThanOrEqual(2)
    expect(await calls(venue, 'DELETE', `/${collection}/${id}`, 200)).toBe(1)
    // A replica may be stale: only the primary decides that the object does not exist.
    expect(await calls(venue, 'GET', `/${collection}/${id}`, 404)).toBe(2)
    expect(await calls(venue, 'DELETE', `/${collection}/${id}`, 404)).toBe(1)
  })

  test('never for an invalid request', async () => {
    const venue = await createVenue()
    await venue.get(`/${collection}`)
    expect(await calls(venue, 'GET', `/${collection}?limit=0`, 422)).toBe(0)
    expect(await calls(venue, 'GET', `/${collection}?cursor=0000000000000000x`, 422)).toBe(0)
    expect(await calls(venue, 'POST', `/${collection}`, 422, { colour: 'red' })).toBe(0)
    expect(await calls(venue, 'POST', `/${collection}`, 400, [])).toBe(0)
    expect(await calls(venue, 'PUT', `/${collection}`, 405)).toBe(0)
    expect(await calls(venue, 'OPTIONS', `/${collection}`, 204)).toBe(0)
    expect(await calls(venue, 'GET', `/${collection}/%ff`, 400)).toBe(0)
    expect(await calls(venue, 'GET', `/${collection}/a/b`, 404)).toBe(0)
  })
})

test('the database is called once more to update a tag with details: the copy in KV has them', async () => {
  const venue = await createVenue()
  const id = await create(venue, 'tags')
  await venue.post(`/tags/${id}/details`, { orderType: 'takeaway' })
  expect(await calls(venue, 'POST', `/tags/${id}`, 200, { nfc: true })).toBe(3)
})

describe('the database is called no more often', () => {
  test('for objects that name others', async () => {
    const venue = await createVenue()
    const modifiers = [await create(venue, 'modifiers'), await create(venue, 'modifiers')]
    const products = []
    for (let n = 0; n < 5; n++) products.push(await create(venue, 'products', { modifiers }))
    const naming: Record<string, (ids: string[]) => object> = {
      products: (ids) => ({ modifiers: ids }),
      menus: (ids) => ({ sections: [{ items: ids }, { items: ids.slice(1) }] }),
      coupons: (ids) => ({ products: ids }),
    }
    for (const [collection, named] of Object.entries(naming)) {
      const ids = collection === 'products' ? modifiers : products
      const body = { ...bodies.get(collection)?.('y'), ...named(ids) }
      expect(await calls(venue, 'POST', `/${collection}`, 201, body)).toBe(1)
      const id = await create(venue, collection, named(ids))
      expect(await calls(venue, 'POST', `/${collection}/${id}`, 200, named(ids.slice(1)))).toBe(2)
      expect(await calls(venue, 'POST', `/${collection}/${id}`, 422, named(['nobody']))).toBeLessThanOrEqual(3)
      expect(await calls(venue, 'POST', `/${collection}`, 422, { ...body, ...named(['nobody']) })).toBeLessThanOrEqual(
        2,
      )
      expect(await calls(venue, 'DELETE', `/${collection}/${id}`, 200)).toBe(1)
    }
  })

  test('to delete what others name', async () => {
    const venue = await createVenue()
    const modifier = await create(venue, 'modifiers')
    const product = await create(venue, 'products', { modifiers: [modifier] })
    for (let n = 0; n < 20; n++) {
      await create(venue, 'menus', { sections: [{ items: [product] }] })
      await create(venue, 'coupons', { products: [product] })
    }
    expect(await calls(venue, 'DELETE', `/modifiers/${modifier}`, 200)).toBe(1)
    expect(await calls(venue, 'DELETE', `/products/${product}`, 200)).toBe(1)
    expect((await venue.get('/menus?limit=1')).body[0].sections[0].items).toEqual([])
  })

  test('for a key that is known; one call for one that is not', async () => {
    const venue = await createVenue()
    await venue.get('/products')
    const warm = await observe('GET', venue.path('/products'), { key: venue.key })
    clearKeyCache()
    const cold = await observe('GET', venue.path('/products'), { key: venue.key })
    expect([warm.trips.length, cold.trips.length]).toEqual([1, 2])
    // The list of platform webhooks is read along.
    expect(cold.trips[0]?.statements).toEqual([
      expect.stringMatching(/from "keys" .*where "keys"."hash" = \?$/),
      expect.stringMatching(/^select "value" from "settings" where/),
    ])
    // The key, and its merchant's state. There is no list.
    expect(cold.trips[0]?.rowsRead).toBe(2)
  })

  test('for the health of the service', async () => {
    expect((await observe('GET', '/health')).trips).toHaveLength(1)
  })
})

describe.each(samples)('an object of $collection', ({ collection, full, change }) => {
  afterEach(() => vi.restoreAllMocks())

  test('is checked by what was made of its schema once, and not by zod, when it is read and written', async () => {
    const resource = resourceList.find(({ name }) => `${name}s` === collection)
    if (!resource) throw new Error(`there are no ${collection}`)
    const venue = await createVenue()
    const named = { product: await create(venue, 'products'), modifier: await create(venue, 'modifiers') }
    const id = await create(venue, collection, full(named))
    const parse = vi.spyOn(resource.item, 'parse')
    expect((await venue.get(`/${collection}/${id}`)).status).toBe(200)
    expect((await venue.get(`/${collection}`)).status).toBe(200)
    const other = await create(venue, collection, full(named))
    expect((await venue.post(`/${collection}/${other}`, change)).status).toBe(200)
    expect(parse).not.toHaveBeenCalled()
  })

  test('is rendered as JSON once for the response to a change and its tag, and again only for what differs', async () => {
    const venue = await createVenue()
    const rendered = vi.spyOn(JSON, 'stringify')
    const countRendered = () => {
      const objects = rendered.mock.calls.filter(
        ([value]) => value && typeof value === 'object' && 'createdAt' in value,
      )
      rendered.mockClear()
      return objects.length
    }
    const id = await create(venue, collection)
    // A webhook shows its secret once.
    expect(countRendered()).toBe(collection === 'webhooks' ? 2 : 1)
    expect((await venue.post(`/${collection}/${id}`, change)).status).toBe(200)
    // Of tags, only a retrieve shows the addresses; of webhooks, no response shows the stored object itself.
    expect(countRendered()).toBe(['tags', 'webhooks'].includes(collection) ? 2 : 1)
  })
})

describe('a change', () => {
  afterEach(() => vi.restoreAllMocks())

  test('reads the parts of a product for rules and the search without zod', async () => {
    const venue = await createVenue()
    const id = await create(venue, 'products')
    const fields: Readonly<Record<string, z.core.$ZodType>> = resources.products.item.shape
    const runs = Object.values(fields).map(({ _zod }) => vi.spyOn(_zod, 'run'))
    const count = () => runs.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    expect((await venue.post(`/products/${id}`, { title: 'Latte', price: 5 })).status).toBe(200)
    await create(venue, 'products')
    expect(count()).toBe(0)
    resources.products.item.parse((await venue.get(`/products/${id}`)).body)
    expect(count()).toBeGreaterThan(0)
  })

  test('gets all headers of its response in one object', async () => {
    const venue = await createVenue()
    const id = await create(venue, 'products')
    const set = vi.spyOn(Headers.prototype, 'set')
    expect((await venue.post('/products', bodies.get('products')?.('x') ?? {})).status).toBe(201)
    expect((await venue.post(`/products/${id}`, { price: 5 })).status).toBe(200)
    expect((await venue.post('/events', { type: 'order.created', data: {} })).status).toBe(202)
    expect((await venue.remove(`/products/${id}`)).status).toBe(200)
    // The client of D1 sets one of its own requests.
    const names = new Set(set.mock.calls.map(([name]) => name))
    expect([...names]).toEqual(['x-cf-d1-session-commit-token'])
  })
})

describe('what does not change between requests is built once', () => {
  afterEach(() => vi.restoreAllMocks())
  /** How often drizzle made text of a statement, and zod made a schema, while something was done. */
  async function built(work: () => Promise<unknown>) {
    const statements = vi.spyOn(SQL.prototype, 'toQuery')
    const definitions = vi.spyOn(Object, 'defineProperty')
    await work()
    const schemas = definitions.mock.calls.filter(([, name]) => name === '_zod')
    const counts = { statements: statements.mock.calls.length, schemas: schemas.length }
    vi.restoreAllMocks()
    return counts
  }

  test('if not, the counts say so', async () => {
    const venue = await createVenue()
    // Earlier files may have built the statement in the isolate that they share with this one.
    const isolate = await createIsolate()
    const list = (query: string) => isolate('GET', venue.path(`/products?${query}`), venue.key, undefined)
    // Builds the statements of every request.
    await list('upc=1&ids=y')
    const anew = () => list('visible=true&upc=1&q=x&ids=y&updatedSince=1&order=asc')
    expect(await built(async () => z.object({ a: z.string() }))).toEqual({ statements: 0, schemas: 2 })
    expect([(await built(anew)).statements, (await built(anew)).statements]).toEqual([1, 0])
  })

  test.each(samples)('for $collection', async ({ collection, body, change }) => {
    const venue = await createVenue()
    const product = await create(venue, 'products')
    const modifier = await create(venue, 'modifiers')
    const round = async () => {
      const naming = {
        products: { modifiers: [modifier] },
        coupons: { products: [product] },
        menus: { sections: [{ items: [product] }] },
      }
      const named = Object.entries(naming).find(([name]) => name === collection)?.[1] ?? {}
      const { id } = (await venue.post(`/${collection}`, { ...body('x'), ...named })).body
      await venue.get(`/${collection}/${id}`)
      const lists = ['', '?limit=1', '?q=x', `?ids=${id}`, '?updatedSince=0&order=asc']
      for (const query of lists) expect((await venue.get(`/${collection}${query}`)).status).toBe(200)
      expect((await venue.post(`/${collection}/${id}`, { ...change, ...body('y') })).status).toBe(200)
      expect((await venue.remove(`/${collection}/${id}`)).status).toBe(200)
    }
    await round()
    expect(await built(round)).toEqual({ statements: 0, schemas: 0 })
  })
})
