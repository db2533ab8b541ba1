import { describe, expect, test } from 'vitest'
import { adminToken, createVenue, send } from '../../../support/api.ts'

const venue = await createVenue()
const { id } = (await venue.post('/products', { title: 'Tea', price: 2 })).body
const origin = 'https://shop.example'
const asKey = { headers: { authorization: `Bearer ${venue.key}`, origin } }

const preflight = (path: string, method: string) =>
  send(path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
  })

const namesOf = (list: string | null) => (list ?? '').toLowerCase().split(', ')

test.each([
  ['/products', 'POST'],
  [`/products/${id}`, 'DELETE'],
  ['/products/external/a', 'PUT'],
  ['/batch', 'POST'],
])('a preflight of %s needs no key', async (path, method) => {
  const { status, body, headers } = await preflight(venue.path(path), method)
  expect([status, body]).toEqual([204, ''])
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('access-control-allow-methods')).toContain(method)
  expect(namesOf(headers.get('access-control-allow-headers'))).toEqual([
    ...['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match', 'd1-bookmark', 'change-set'],
  ])
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  expect(headers.get('access-control-max-age')).toBe('86400')
})

test('OPTIONS without a requested method still needs a key and lists the methods of the path', async () => {
  expect((await send(venue.path('/products'), { method: 'OPTIONS' })).status).toBe(401)
  const { status, headers } = await send(venue.path('/products'), { method: 'OPTIONS', ...asKey })
  expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS'])
})

describe('a page of any origin may read', () => {
  test.each([
    ['a list', '/products', asKey, 200],
    ['an object', `/products/${id}`, asKey, 200],
    ['events', '/events', asKey, 200],
    ['an export', '/export', asKey, 200],
    ['a problem', '/products?limit=0', asKey, 422],
    ['a rejected key', '/products', { headers: { origin } }, 401],
    ['an unknown path', '/nothing', asKey, 404],
  ])('%s', async (_, path, init, status) => {
    const { headers, ...response } = await send(venue.path(path), init)
    expect(response.status).toBe(status)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(namesOf(headers.get('access-control-expose-headers'))).toEqual([
      ...[
        'link',
        'etag',
        'location',
        'request-id',
        'd1-bookmark',
        'retry-after',
        'external-id',
        'idempotent-replayed',
        'search-match',
        'tags-omitted',
        'api-version',
      ],
    ])
  })
})

test('a first and a repeated request with an Idempotency-Key have the same headers', async () => {
  const write = () =>
    send(venue.path('/products'), {
      method: 'POST',
      headers: { ...asKey.headers, 'content-type': 'application/json', 'idempotency-key': 'cors' },
      body: JSON.stringify({ title: 'Cake', price: 3 }),
    })
  for (const replayed of [null, 'true']) {
    const { status, headers } = await write()
    expect([status, headers.get('idempotent-replayed')]).toEqual([201, replayed])
    expect(headers.get('access-control-allow-origin')).toBe('*')
  }
})

test('a page of another origin may not sign in, act as the operator, or use what only pages of the service use', async () => {
  const operator = { headers: { authorization: `Bearer ${adminToken}`, origin } }
  for (const [path, init] of [
    ['/console', {}],
    ['/console/session', {}],
    ['/console/session', { headers: { origin, 'sec-fetch-site': 'cross-site' } }],
    ['/admin/merchants', operator],
    ['/health', {}],
  ] as const) {
    expect([path, (await send(path, init)).headers.get('access-control-allow-origin')]).toEqual([path, null])
  }
  for (const path of ['/console/session', '/admin/merchants']) {
    const { headers } = await preflight(path, 'POST')
    expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null])
    expect([path, headers.get('access-control-allow-methods')]).toEqual([path, null])
  }
})
