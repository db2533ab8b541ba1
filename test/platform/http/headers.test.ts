import { describe, expect, test, vi } from 'vitest'
import { scopes } from '../../../src/platform/auth/api-keys.ts'
import { demoPictureNames } from '../../../src/platform/http/documentation.ts'
import { apiVersion, contentHeaders, defaultHeaders, hasApiVersion } from '../../../src/platform/http/headers.ts'
import { type ApiResponse, adminToken, createKey, createVenue, send } from '../../support/api.ts'
import { routes } from '../../support/routes.ts'
import { samples } from '../../support/samples.ts'
import { broken, createTestWorker } from '../../support/test-worker.ts'

const venue = await createVenue()
const owner = await createKey(venue.id, { mode: 'live', scopes: [...scopes] })
const { body: tag } = await venue.post('/tags', {})
const { body: deleted } = await venue.post('/tags', {})
await venue.remove(`/tags/${deleted.id}`)
const { body: webhook } = await venue.post('/webhooks', { title: 'A', url: 'https://hooks.example.com/' })
const picture = await send(`/t/${tag.id}/qr.png`)
const sheet = (await venue.post('/tags/sheet-link', {})).body
const toPath = (url: string) => new URL(url).pathname + new URL(url).search
const chip = new URL((await venue.post(`/tags/${tag.id}/nfc-link`, {})).body.url).pathname

const operator = { headers: { authorization: `Bearer ${adminToken}` } }
const asKey = (init: RequestInit = {}) => ({ ...init, headers: { authorization: `Bearer ${venue.key}` } })
const asOwner = { headers: { authorization: `Bearer ${owner.key}` } }
const json = { 'content-type': 'application/json' }

/** Public paths. `cached`: responses that caches may store. */
const open: [string, number, RequestInit?][] = [
  ['/health', 200],
  ['/', 200],
  ['/openapi.json', 200],
  ['/llms.txt', 200],
  ['/docs', 200],
  ['/docs/errors', 200],
  ['/event-types', 200],
  ['/docs/look.css', 200],
  ['/fonts/sans-latin-2.woff2', 200],
  ['/plate.png', 200],
  ['/icon-192.png', 200],
  ['/icon-512.png', 200],
  [`/m/${venue.id}/manifest.webmanifest`, 200],
  ['/fonts/nothing-at-1.woff2', 404],
  ['/docs/reference.js', 200],
  ['/docs/start.js', 200],
  ...['/docs/search.js', '/docs/sections.js'].map((path): [string, number] => [path, 200]),
  ['/robots.txt', 200],
  ['/console', 200],
  ['/console/products', 200],
  ['/console/products/prod_1', 200],
  ['/console/nothing.js', 404],
  ...demoPictureNames.map((name): [string, number] => [`/demo/${name}.svg`, 200]),
  ['/t', 200],
  ['/docs/try', 200],
  ['/docs/guides', 200],
  ['/docs/guides/webhooks', 200],
  [`/m/${venue.id}/allergens`, 200],
  [`/m/${venue.id}/allergens.pdf`, 200],
  ['/i/nothing', 404],
  ['/i/nothing/w176', 404],
  [`/.well-known/webhook-keys?merchant=${venue.id}&webhook=${webhook.id}`, 200],
  ['/.well-known/webhook-keys?merchant=mer_no&webhook=wh_no', 404],
  ['/nothing', 404],
  ['/%zz', 400],
  ['/health', 405, { method: 'POST' }],
  ['/health', 204, { method: 'OPTIONS' }],
  ['/health', 200, { method: 'HEAD' }],
  [`/t/${tag.id}`, 302],
  [`/T/${tag.alias[0]}`, 302],
  [new URL(tag.nfcUrl).pathname, 302],
  [`/t/${deleted.id}`, 410],
  ['/t/0000000000000000', 404],
  ['/t/%zz', 404],
  [`/t/${tag.id}/qr.png`, 200],
  [`/t/${tag.id}/qr.svg`, 200],
  [`/t/${tag.id}/qr.svg`, 304, { headers: { 'if-none-match': '*' } }],
  [`/t/${tag.id}/qr.svg?size=1`, 422],
  [`/t/${deleted.id}/qr.svg`, 410],
  [`/m/${venue.id}`, 200],
  [`/m/${venue.id}.json`, 200],
  [`/m/${venue.id}?at=x`, 422],
  ['/m/mer_nothing', 404],
  [chip, 200],
  [`${chip}x`, 404],
  [toPath(sheet.url), 200],
  [toPath(sheet.pdfUrl), 200],
  [`${toPath(sheet.url)}x`, 404],
]

const { key: settingsKey } = await createKey(venue.id, { mode: 'live', scopes: ['merchant:read'] })
/** Paths for the owner of a key or for the operator, and the responses to others. */
const closed: [string, number, RequestInit?][] = [
  ...samples.map(({ collection }): [string, number, RequestInit] => [venue.path(`/${collection}`), 200, asKey()]),
  ...[
    ...['/redemptions', '/stock', '/imports', '/export', '/requests'],
    ...['/service', '/releases', '/changes', '/imports/template?resource=products&language=en'],
  ].map((path): [string, number, RequestInit] => [venue.path(path), 200, asKey()]),
  [venue.path('/products'), 401],
  ['/merchants/mer_other/products', 403, asKey()],
  [venue.path('/products/prod_no'), 404, asKey()],
  [venue.path('/nothing'), 404, asKey()],
  [venue.path('/products'), 405, asKey({ method: 'PUT' })],
  [venue.path('/products'), 204, asKey({ method: 'OPTIONS' })],
  [venue.path('/products?limit=0'), 422, asKey()],
  [venue.path('/products'), 415, asKey({ method: 'POST', body: 'x' })],
  [
    venue.path('/products'),
    413,
    { method: 'POST', body: ' '.repeat(262_145), headers: { authorization: `Bearer ${venue.key}`, ...json } },
  ],
  [venue.path(`/tags/${tag.id}`), 200, asKey()],
  [venue.path('/tags/sheet'), 200, asKey()],
  [venue.path('/tags/sheet.pdf'), 200, asKey()],
  [venue.path('/events'), 200, asKey()],
  [venue.path('/audit'), 200, asKey()],
  [venue.path('/failed-requests'), 200, asKey()],
  [venue.path('/scans'), 200, asKey()],
  [venue.path('/pulse'), 200, asKey()],
  [venue.path('/preview'), 200, asKey({ method: 'POST', body: new Blob(['{}'], { type: 'application/json' }) })],
  [venue.path('/sessions'), 200, asKey()],
  [venue.path('/members'), 403, asKey()],
  [venue.path('/members/usr_1'), 403, asKey()],
  [venue.path('/invitations'), 403, asKey()],
  [`/admin/merchants/${venue.id}/invitations`, 200, operator],
  [`/admin/merchants/${venue.id}/code-clashes`, 200, operator],
  [venue.path('/test-data'), 404, { headers: { authorization: `Bearer ${settingsKey}` } }],
  [venue.path('/charges'), 200, { headers: { authorization: `Bearer ${settingsKey}` } }],
  ['/console/passkeys', 403],
  ['/console/memberships', 403],
  [venue.path(''), 200, asOwner],
  [venue.path('/keys'), 200, asOwner],
  ['/console/session', 403],
  ['/console/session', 401, { headers: { 'sec-fetch-site': 'same-origin' } }],
  ...['sessions', 'operators', 'keys', 'webhooks', 'maintenance', 'metrics', 'failing-webhooks'].map(
    (name): [string, number, RequestInit] => [`/admin/${name}`, 200, operator],
  ),
  ['/admin/operators/opr_no', 404, operator],
  ...['', '/filter', '/deliveries', '/secret'].map((part): [string, number, RequestInit] => [
    `/admin/webhooks/pwh_no${part}`,
    404,
    operator,
  ]),
  ['/admin/merchants', 401],
  ['/admin/merchants', 200, operator],
  [`/admin/merchants/${venue.id}/keys`, 200, operator],
  ['/admin/merchants/mer_no', 404, operator],
  [`/admin/merchants/${venue.id}/damaged`, 200, operator],
  [`/admin/merchants/${venue.id}/backups`, 200, operator],
  [`/admin/merchants/${venue.id}/backups/1`, 404, operator],
  [`/admin/merchants/${venue.id}/restore`, 404, operator],
  [`/admin/merchants/${venue.id}/usage`, 200, operator],
  [`/admin/merchants/${venue.id}/move`, 404, operator],
]

/** The program of the reference creates styles at runtime; it may not create scripts. */
const drawn = "style-src 'self' 'unsafe-inline'"

function expectHeaders({ status, headers, body }: ApiResponse, path = '') {
  expect(headers.get('referrer-policy')).toBe(defaultHeaders['referrer-policy'])
  expect(headers.get('request-id')).toMatch(/^req_/)
  if (status === 302) {
    // These responses have no content to frame or to sniff.
    expect(body).toBe('')
    for (const name of Object.keys(contentHeaders)) expect([name, headers.get(name)]).toEqual([name, null])
    return
  }
  expect(headers.get('x-content-type-options')).toBe(contentHeaders['x-content-type-options'])
  const policy = headers.get('content-security-policy')
  // The console shows the hosted menu in a frame. A page with a script or a form is in none.
  const isForGuests = policy?.includes("img-src 'self' https: data:; connect-src") === true
  expect(policy).toContain(isForGuests ? "frame-ancestors 'self'" : "frame-ancestors 'none'")
  if (!headers.get('content-type')?.startsWith('text/html')) return
  // A page runs no script and loads no resource that its policy does not name by its hash.
  const hasForm = path.startsWith('/console') || path === '/t' || policy?.includes('manifest-src') === true
  const formAction = hasForm ? "form-action 'self'" : "form-action 'none'"
  for (const rule of ["default-src 'none'", "base-uri 'none'", formAction]) expect(policy).toContain(rule)
  expect(path === '/docs/try' ? policy?.replace(drawn, '') : policy).not.toContain('unsafe')
  if (body !== '') expect(body).toMatch(/^<!doctype html>/i)
}

describe.each([['open to anyone', open] as const, ['private', closed] as const])(
  'a response that is %s',
  (kind, all) => {
    test.each(all.map(([path, status, init]) => [init?.method ?? 'GET', path, status, init] as const))(
      'says what browsers need: %s %s, %i',
      async (_, path, status, init) => {
        const response = await send(path, init)
        expect(response.status).toBe(status)
        expectHeaders(response, path)
        expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
        expect(response.headers.get('api-version')).toBe(hasApiVersion(`https://a.b${path}`) ? apiVersion : null)
        const kept = response.headers.get('cache-control')
        if (kind === 'private' || status >= 400) expect(kept).toBe('no-store')
        else expect(kept).toMatch(/^no-store$|^no-cache$|^public, max-age=\d+/)
      },
    )
  },
)

test('pictures and menus are cacheable', async () => {
  expect(picture.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect((await send(`/m/${venue.id}`)).headers.get('cache-control')).toMatch(/^public, max-age=\d+$/)
})

test('only responses over HTTPS have HSTS', async () => {
  for (const path of ['/health', `/m/${venue.id}`, '/nothing']) {
    const { headers } = await send(`http://api.test${path}`)
    expect(headers.get('strict-transport-security')).toBeNull()
  }
})

test('errors have the same headers', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const worker = createTestWorker()
  Object.assign(worker.failures, { database: broken, read: broken })
  for (const path of ['/health', `/m/${venue.id}`, '/t/0000000000007777', '/t/0000000000007777/qr.png']) {
    const response = await worker.fetch(path)
    expect([path, response.status]).toEqual([path, 503])
    expectHeaders(response)
    expect(response.headers.get('cache-control')).toBe('no-store')
  }
  log.mockRestore()
})

test('this file requests every path that is not one of a resource', () => {
  const forms = [...open, ...closed].map(([path]) => new URL(path, 'https://a.b').pathname)
  const missing = routes
    .filter(({ method, path }) => method === 'GET' && !/\/:(?:id|externalId|eventId|keyId)\b/.test(path))
    .map(({ path }) => path)
    .filter((path) => {
      const form = new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`, 'i')
      return !forms.some((asked) => form.test(asked))
    })
  expect(missing).toEqual([])
})

test.each(samples)('a read of $collection sets no header one by one', async ({ collection, body }) => {
  const made = await venue.post(`/${collection}`, body('Headers'))
  const spy = vi.spyOn(Headers.prototype, 'set')
  // The D1 binding sets a `cf-*` header itself.
  const getNames = () => spy.mock.calls.map(([name]) => name).filter((name) => !name.startsWith('x-cf-d1'))
  try {
    expect((await venue.get(`/${collection}/${made.body.id}`)).status).toBe(200)
    expect((await venue.get(`/${collection}?limit=1`)).status).toBe(200)
    expect(getNames()).toEqual([])
    // Proves that the spy sees headers.
    expect((await venue.get(`/${collection}/nobody`)).status).toBe(404)
    expect(getNames()).toContain('request-id')
  } finally {
    spy.mockRestore()
  }
})
