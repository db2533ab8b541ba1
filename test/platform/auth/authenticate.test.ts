import { beforeAll, describe, expect, test } from 'vitest'
import { scopes } from '../../../src/platform/auth/api-keys.ts'
import { createKey, createVenue, type Venue } from '../../support/api.ts'
import { samples } from '../../support/samples.ts'

type Key = Pick<Venue, 'request'>

/** Every operation of a resource: the scope that it requires and its status with that scope. */
const operations: [method: string, needs: 'read' | 'write', onObject: boolean, status: number][] = [
  ['GET', 'read', false, 200],
  ['HEAD', 'read', false, 200],
  ['OPTIONS', 'read', false, 204],
  ['GET', 'read', true, 200],
  ['HEAD', 'read', true, 200],
  ['OPTIONS', 'read', true, 204],
  ['POST', 'write', false, 201],
  ['PUT', 'write', false, 405],
  ['POST', 'write', true, 200],
  ['PATCH', 'write', true, 405],
  ['DELETE', 'write', true, 200],
]

describe.each(['read', 'write'] as const)('a key with one scope, %s,', (verb) => {
  let venue: Venue
  const keys = new Map<string, Key>()
  beforeAll(async () => {
    venue = await createVenue()
    for (const { collection } of samples) {
      keys.set(collection, await createKey(venue.id, { mode: 'live', scopes: [`${collection}:${verb}`] }))
    }
  })

  test.each(samples)(
    '$collection: accesses this resource with this verb, and no other resource',
    async ({ collection: granted }) => {
      const key = keys.get(granted)
      for (const { collection, body, change } of samples) {
        const { id } = (await venue.post(`/${collection}`, body('x'))).body
        for (const [method, needs, onObject, status] of operations) {
          const json = method === 'POST' ? (onObject ? change : body('y')) : undefined
          const path = onObject ? `/${collection}/${id}` : `/${collection}`
          const response = await key?.request(method, path, json)
          const isAllowed = granted === collection && (verb === 'write' || needs === 'read')
          expect([method, path, response?.status]).toEqual([method, path, isAllowed ? status : 403])
          if (isAllowed || method === 'HEAD') continue
          expect(response?.body).toMatchObject({ status: 403, code: 'forbidden', detail: expect.any(String) })
          expect(response?.body.detail).toMatch(new RegExp(`\\b${collection}:${needs}\\b`))
        }
        const isGone = granted === collection && verb === 'write'
        expect((await venue.get(`/${collection}/${id}`)).status).toBe(isGone ? 404 : 200)
      }
    },
  )
})

test('a key with several scopes has all of them; a key without a list has every scope', async () => {
  const venue = await createVenue()
  const some = await createKey(venue.id, { mode: 'live', scopes: ['tags:read', 'menus:write', 'events:read'] })
  const all = await createKey(venue.id, { mode: 'live', scopes: [...scopes] })
  const statuses = async (key: Key) => [
    (await key.request('GET', '/tags')).status,
    (await key.request('POST', '/tags', {})).status,
    (await key.request('GET', '/menus')).status,
    (await key.request('POST', '/menus', { title: 'Lunch' })).status,
    (await key.request('GET', '/products')).status,
  ]
  expect(await statuses(some)).toEqual([200, 403, 200, 201, 403])
  expect(await statuses(all)).toEqual([200, 201, 200, 201, 200])
  expect(await statuses(venue)).toEqual([200, 201, 200, 201, 200])
})

test('an external id requires the scope of its resource, also if it is the name of a part', async () => {
  const { id } = await createVenue()
  const [stock, products] = [
    await createKey(id, { mode: 'live', scopes: ['stock:write'] }),
    await createKey(id, { mode: 'live', scopes: ['products:write'] }),
  ]
  for (const name of ['A-1', 'availability']) {
    const path = `/products/external/${name}`
    const put = async (key: Key) => (await key.request('PUT', path, { title: 'Tea', price: 1 })).status
    expect([name, await put(stock), await put(products)]).toEqual([name, 403, 201])
    expect([name, (await stock.request('DELETE', path)).status]).toEqual([name, 403])
    expect([name, (await products.request('DELETE', path)).status]).toEqual([name, 200])
  }
})

test.each(['events:read', 'events:write', 'audit:read'])('%s gives access to no resource', async (scope) => {
  const venue = await createVenue()
  const key = await createKey(venue.id, { mode: 'live', scopes: [scope] })
  for (const { collection, body } of samples) {
    expect((await key.get(`/${collection}`)).status).toBe(403)
    expect((await key.post(`/${collection}`, body('x'))).status).toBe(403)
  }
})

test('a missing scope is reported before the path, query and body are validated', async () => {
  const venue = await createVenue()
  const key = await createKey(venue.id, { mode: 'live', scopes: ['tags:read'] })
  for (const [method, path, json, headers] of [
    ['GET', '/products/nobody', undefined, {}],
    ['GET', '/products/%ff', undefined, {}],
    ['GET', '/products/a/b/c', undefined, {}],
    ['GET', '/products?limit=0', undefined, {}],
    ['POST', '/products', { title: '' }, {}],
    ['POST', '/tags', {}, { 'content-type': 'text/plain' }],
    ['GET', '/products', undefined, { 'd1-bookmark': 'nonsense' }],
  ] as const) {
    expect([method, path, (await key.request(method, path, json, headers)).status]).toEqual([method, path, 403])
  }
  for (const path of ['/nothing', '/', '/Products', '/products2']) {
    expect([path, (await key.get(path)).status]).toEqual([path, 404])
  }
})

test('another spelling of the path does not bypass the scope', async () => {
  const venue = await createVenue()
  await venue.post('/products', { title: 'Tea', price: 1 })
  const key = await createKey(venue.id, { mode: 'live', scopes: ['tags:read'] })
  for (const path of [
    '/%70roducts',
    '/%2570roducts',
    '//products',
    '/tags/../products',
    '/tags/%2e%2e/products',
    '/tags%2f..%2fproducts',
    '/./products',
    '/products/',
    '/products%2f',
    '/products%00',
    '/PRODUCTS',
    '/products;tags',
    '\\products',
  ]) {
    const { status, body } = await key.get(path)
    expect([path, [403, 404].includes(status), JSON.stringify(body).includes('Tea')]).toEqual([path, true, false])
  }
})

describe('the mode of a key', () => {
  test.each(samples)('is the mode of the $collection that the key creates and sees', async ({ collection, body }) => {
    const live = await createVenue()
    const tester = await createKey(live.id, { mode: 'test' })
    for (const [key, testMode] of [
      [live, false],
      [tester, true],
    ] as const) {
      const made = await key.post(`/${collection}`, body('x'))
      expect([made.status, made.body.testMode]).toEqual([201, testMode])
      expect((await key.get(`/${collection}/${made.body.id}`)).body.testMode).toBe(testMode)
    }
  })

  test('is wider for tags: a live key accesses live and test tags, a test key only test tags', async () => {
    const live = await createVenue()
    const tester = await createKey(live.id, { mode: 'test' })
    const [a, b, c] = [
      (await live.post('/tags', {})).body.id,
      (await live.post('/tags', { testMode: true })).body.id,
      (await tester.post('/tags', { testMode: 1 })).body.id,
    ]
    const idsOf = async (key: Pick<Venue, 'get'>, query = '') =>
      (await key.get(`/tags?order=asc${query}`)).body.map(({ id }: { id: string }) => id)
    expect(await idsOf(live)).toEqual([a, b, c])
    expect(await idsOf(live, '&testMode=true')).toEqual([b, c])
    expect(await idsOf(live, '&testMode=false')).toEqual([a])
    expect(await idsOf(tester)).toEqual([b, c])
    expect(await idsOf(tester, '&testMode=true')).toEqual([b, c])
    expect((await live.post(`/tags/${c}`, { nfc: true })).body).toMatchObject({ id: c, testMode: true, nfc: true })
    expect((await tester.get(`/tags/${a}`)).status).toBe(404)
    expect((await tester.post('/tags', { testMode: false })).status).toBe(403)
    expect((await tester.post(`/tags/${b}`, { testMode: false })).status).toBe(403)
    expect((await tester.post(`/tags/${a}`, { testMode: true })).status).toBe(404)
    expect((await live.post(`/tags/${b}`, { testMode: false })).body.testMode).toBe(false)
    expect(await idsOf(tester)).toEqual([c])
    expect((await live.remove(`/tags/${c}`)).status).toBe(200)
    expect(await idsOf(tester)).toEqual([])
    expect((await live.get('/tags')).body).toHaveLength(2)
  })

  test('is not bypassed by a filter: a test key gets no live tags', async () => {
    const live = await createVenue()
    const tester = await createKey(live.id, { mode: 'test' })
    await live.post('/tags', { nfc: true, metadata: [{ key: 'table', value: 'secret' }] })
    for (const query of ['', '&nfc=true', '&q=secret', '&updatedSince=0', '&order=asc', '&limit=1']) {
      const { status, body } = await tester.get(`/tags?testMode=false${query}`)
      expect([query, status, body]).toEqual([query, 200, []])
    }
  })
})
