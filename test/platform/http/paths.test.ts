import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ApiResponse, call, createVenue, send } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { rotate } from '../../support/rounds.ts'
import { samples } from '../../support/samples.ts'

/** Expects a problem with its fields and no others. `what` identifies the request in the message of a failure. */
function expectProblem({ status, headers, body }: ApiResponse, expected: number, code: string, what: unknown = '') {
  expect([what, status, headers.get('content-type')]).toEqual([what, expected, 'application/problem+json'])
  const { errors, ...problem } = body
  expect(problem).toEqual({
    type: expect.stringMatching(new RegExp(`^(https?:/)?/[^#]*#${code}$`)),
    title: expect.stringMatching(/^[A-Z]/),
    status: expected,
    detail: expect.stringMatching(/\S/),
    code,
    requestId: headers.get('request-id'),
  })
  expect(headers.get('request-id')).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(JSON.stringify(body)).not.toMatch(/sqlite|D1_|select |insert |constraint|\bat \/|\.ts\b|node_modules|stack/i)
  return errors
}

const byMethod = (paths: Record<string, Record<string, number>>) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, status]) => [method, path, status] as const),
  )

/** Paths that no object has, made from the id of one. */
const impossibleIds = (id: string, collection: string) => [
  'x',
  '0',
  id.slice(0, -1),
  `${id}0`,
  id.toUpperCase(),
  `${id}%00`,
  `%00${id}`,
  `${id}%20`,
  `%2F${id}`,
  `..%2F${collection}%2F${id}`,
  "'%20or%201=1--",
  '%25',
  '*',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '%F0%9F%8D%95',
  '%E2%80%AE',
  '%EF%BF%BF',
  'x'.repeat(10_000),
  '%E2%82%AC'.repeat(2_000),
]

describe.each(samples.map((sample, index) => ({ ...sample, index })))('the paths of $collection', (sample) => {
  const { collection, body, index } = sample
  const onCollection = 'GET, HEAD, POST, OPTIONS'
  const onObject = 'GET, HEAD, POST, DELETE, OPTIONS'

  test('return 405 with Allow for other methods', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post(`/${collection}`, body('x'))).body
    const object = `/${collection}/${id}`
    for (const [method, path, status] of byMethod({
      [`/${collection}`]: { GET: 200, HEAD: 200, OPTIONS: 204, PUT: 405, PATCH: 405, DELETE: 405, PROPFIND: 405 },
      [object]: { GET: 200, HEAD: 200, OPTIONS: 204, PUT: 405, PATCH: 405, LOCK: 405 },
      [`/${collection}/nobody`]: { GET: 404, HEAD: 404, OPTIONS: 204, PUT: 405, PATCH: 405 },
    })) {
      const response = await venue.request(method, path)
      const allow = status === 204 || status === 405 ? (path === `/${collection}` ? onCollection : onObject) : null
      expect([method, path, response.status, response.headers.get('allow')]).toEqual([method, path, status, allow])
      if (status === 405) expectProblem(response, 405, 'method_not_allowed')
      if (method === 'HEAD' || status === 204) expect(response.body).toBe('')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('request-id')).toMatch(/^req_/)
    }
  })

  test('return the headers of GET for HEAD', async () => {
    const venue = await createVenue()
    for (let n = 0; n < 2; n++) await venue.post(`/${collection}`, body('x'))
    const [get, head] = [
      await venue.get(`/${collection}?limit=1`),
      await venue.request('HEAD', `/${collection}?limit=1`),
    ]
    for (const name of ['content-type', 'link', 'cache-control'])
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    expect(get.headers.get('link')).toContain('rel="next"')
    expect((await venue.request('HEAD', `/${collection}?limit=0`)).status).toBe(422)
  })

  test('return 404 for impossible ids', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post(`/${collection}`, body('x'))).body
    // All collections share their routes: outside CI each tries a third of the ids, together they try all.
    for (const other of rotate(impossibleIds(id, collection), 3, index)) {
      for (const [method, json] of [['GET'], ['POST', {}], ['DELETE']] as const) {
        expectProblem(await venue.request(method, `/${collection}/${other}`, json), 404, 'not_found', [method, other])
      }
    }
    expect((await venue.get(`/${collection}/${id}`)).status).toBe(200)
    // The same id, its first character encoded.
    expect((await venue.get(`/${collection}/%${id.charCodeAt(0).toString(16)}${id.slice(1)}`)).status).toBe(200)
  })

  test('return 400 for invalid percent-encoding', async () => {
    const venue = await createVenue()
    for (const part of rotate(['%', '%zz', '%ff', '%c3%28', '%ed%a0%80', 'a%2', '%80'], 3, index)) {
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'OPTIONS']) {
        const response = await venue.request(method, `/${collection}/${part}`, method === 'POST' ? {} : undefined)
        if (method === 'HEAD') expect(response.status).toBe(400)
        else expectProblem(response, 400, 'malformed_path', [method, part])
      }
      expectProblem(await venue.get(`/${part}/${collection}`), 400, 'malformed_path', part)
    }
  })
})

test('an unknown path returns 404 for every method', async () => {
  const venue = await createVenue()
  for (const path of [
    '/products/',
    '/products/a/b',
    '/products/a/',
    '/product',
    '/Products',
    '/orders',
    '/products//',
    '//products',
    '/',
  ]) {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PURGE']) {
      expectProblem(await venue.request(method, path, method === 'POST' ? {} : undefined), 404, 'not_found', [
        method,
        path,
      ])
    }
  }
  for (const path of [
    '/merchants',
    '/merchants/',
    '/products',
    '/v1/products',
    '/favicon.ico',
    '/health/',
    '/HEALTH',
  ]) {
    for (const method of ['GET', 'POST', 'OPTIONS']) expectProblem(await send(path, { method }), 404, 'not_found', path)
  }
  for (const path of ['/%', '/%ff', '/health/%zz']) expectProblem(await send(path), 400, 'malformed_path', path)
})

test('every response has a unique request id', async () => {
  const venue = await createVenue()
  const ids = new Set<string | null>()
  const paths = ['/products', '/products/x', '/nothing', '/products?limit=0', '/products/%ff']
  for (const path of paths) {
    for (const response of [await venue.get(path), await call('GET', venue.path(path), undefined)]) {
      ids.add(response.headers.get('request-id'))
    }
  }
  for (const path of ['/health', '/', '/admin/merchants']) ids.add((await send(path)).headers.get('request-id'))
  expect([ids.size, ids.has(null)]).toEqual([13, false])
})

describe('while the database fails', () => {
  afterEach(() => vi.restoreAllMocks())
  const failures = {
    'D1_ERROR: D1 DB is overloaded. Requests queued for too long.': 503,
    'D1_ERROR: Network connection lost.': 503,
    'D1_ERROR: internal error; reference = 7x': 503,
    'D1_ERROR: D1 DB reset because its code was updated.': 503,
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.': 503,
    'D1_ERROR: Replica disconnected from primary.': 503,
    'D1_ERROR: database or disk is full: SQLITE_FULL': 503,
    'Network connection lost.': 503,
    'D1_ERROR: no such table: secrets: SQLITE_ERROR': 503,
    'D1_ERROR: no such column: secret: SQLITE_ERROR': 503,
    'D1_ERROR: table keys has no column named secret: SQLITE_ERROR': 503,
    'D1_ERROR: near "secret": syntax error: SQLITE_ERROR': 500,
    "D1_TYPE_ERROR: Type 'undefined' not supported for value 'secret'": 500,
  }

  test.each(Object.entries(failures).map(([message, status], index) => [message, status, index] as const))(
    'with %s, every operation returns %i and nothing else',
    async (message, status, index) => {
      const venue = await createVenue()
      const code = status === 503 ? 'unavailable' : 'internal'
      const before = () => {
        throw new Error(message)
      }
      const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      // Once, so that the key is known.
      await venue.get('/products')
      // Outside CI each failure meets a third of the resources.
      for (const { collection, body, change } of rotate(samples, 3, index)) {
        const { id } = (await venue.post(`/${collection}`, body('x'))).body
        for (const [method, path, json] of [
          ['GET', `/${collection}`, undefined],
          ['GET', `/${collection}/${id}`, undefined],
          ['POST', `/${collection}`, body('y')],
          ['POST', `/${collection}/${id}`, change],
          ['DELETE', `/${collection}/${id}`, undefined],
        ] as const) {
          const response = await observe(method, venue.path(path), {
            key: venue.key,
            before,
            ...(json ? { json } : {}),
          })
          expectProblem(response, status, code, [method, path])
          expect(log.mock.lastCall?.[0]).toContain(response.body.requestId)
          expect(response.headers.get('retry-after')).toBe(status === 503 ? '1' : null)
          expect(JSON.stringify(response.body)).not.toMatch(/secret|overloaded|reference|connection/i)
        }
        expect((await venue.get(`/${collection}`)).body).toHaveLength(1)
      }
      const stranger = await createVenue()
      expectProblem(await observe('GET', stranger.path('/tags'), { key: stranger.key, before }), status, code)
      const operator = { key: env.ADMIN_TOKEN ?? '', before }
      expectProblem(await observe('GET', '/admin/merchants', operator), status, code)
      expectProblem(await observe('POST', '/admin/merchants', { ...operator, json: { name: 'x' } }), status, code)
    },
  )

  test('/health returns 503', async () => {
    const { status, body, headers } = await send('/health')
    expect([status, body, headers.get('request-id')]).toEqual([200, { status: 'ok' }, expect.stringMatching(/^req_/)])
    for (const message of Object.keys(failures)) {
      const before = () => {
        throw new Error(message)
      }
      expectProblem(await observe('GET', '/health', { before }), 503, 'unavailable')
    }
    const [head, post] = [await send('/health', { method: 'HEAD' }), await send('/health', { method: 'POST' })]
    expect([head.status, head.body]).toEqual([200, ''])
    expectProblem(post, 405, 'method_not_allowed')
    expect(post.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
})
