import { exports } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import {
  ApiError,
  type ClientOptions,
  ConnectionError,
  createClient,
  createOperator,
  verifyWebhook,
  WebhookVerificationError,
} from '../../packages/client/src/client.ts'
import collections from '../../packages/client/src/collections.ts?raw'
import models from '../../packages/client/src/models.ts?raw'
import { resourcePaths } from '../../src/names.ts'
import { buildClientFiles } from '../../src/openapi/build.ts'
import { sign } from '../../src/webhooks/sign.ts'
import { adminToken, createVenue, origin } from '../support/api.ts'
import { samples } from '../support/samples.ts'

type Fetch = NonNullable<ClientOptions['fetch']>
const service: Fetch = (url, init) => exports.default.fetch(new Request(url, init))

/** A client with its own venue, and every request that it sends. */
async function connect(fetch: Fetch = service, options: Partial<ClientOptions> = {}) {
  const { id: merchantId, key } = await createVenue()
  const sent: Request[] = []
  const spied: Fetch = (url, init) => {
    sent.push(new Request(url, init))
    return fetch(url, init)
  }
  return { client: createClient({ origin, merchantId, key, fetch: spied, ...options }), sent, merchantId, key }
}

/** Returns the given responses first, one for each request, then forwards requests. */
const instead = (...answers: readonly (() => Response | Promise<Response>)[]): Fetch => {
  const waiting = [...answers]
  return async (url, init) => (await waiting.shift()?.()) ?? service(url, init)
}
const busy =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    new Response('no', { status, headers })
const lost = () => Promise.reject(new TypeError('connection lost'))

async function all<Item>(list: AsyncIterable<Item>) {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

test('the generated files match the document; `npm run models` writes them', async () => {
  expect(await buildClientFiles()).toEqual({ 'models.ts': models, 'collections.ts': collections })
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

describe('errors', () => {
  test('contain every issue', async () => {
    const { client } = await connect()
    const error = await client.coupons.create({ title: '', code: 'a', type: 'FIXED', value: -1 }).catch((e) => e)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 422, code: 'invalid_request', requestId: expect.stringMatching(/^req_/) })
    expect(error.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/title', '/value'])
    expect(error.message).toContain('/title must have at least 1 character.')
  })

  test('are thrown for responses of other servers', async () => {
    const page = () => new Response('<h1>Forbidden</h1>', { status: 403 })
    const { client, sent } = await connect(instead(page))
    await expect(client.products.list().page()).rejects.toMatchObject({ status: 403, code: 'unknown' })
    expect(sent).toHaveLength(1)
  })

  test('redirects are not followed, because they would receive the key', async () => {
    const { client, sent } = await connect(instead(() => Response.redirect('https://elsewhere.example/')))
    await expect(client.products.list().page()).rejects.toMatchObject({ status: 302 })
    expect(sent).toHaveLength(1)
  })
})

describe('a temporary failure', () => {
  test('is retried as the same request and creates one object', async () => {
    const { client, sent } = await connect(instead(busy(503), lost, busy(502)))
    const { id } = await client.products.create({ title: 'Tea', price: 1 })
    expect((await client.products.list().page()).items.map((product) => product.id)).toEqual([id])
    expect(sent).toHaveLength(5)
    expect(new Set(sent.slice(0, 4).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    expect(new Set(await Promise.all(sent.slice(0, 4).map((request) => request.text()))).size).toBe(1)
  })

  test('takes effect once even if only the response was lost', async () => {
    let isLost = true
    const { client } = await connect(async (url, init) => {
      const response = await service(url, init)
      if (!isLost) return response
      isLost = false
      throw new TypeError('connection lost')
    })
    const { id } = await client.products.create({ title: 'Tea', price: 1 })
    expect((await client.products.list().page()).items.map((product) => product.id)).toEqual([id])
  })

  test('is thrown after the configured number of retries', async () => {
    const { client, sent } = await connect(instead(lost, lost, lost), { retries: 1 })
    await expect(client.products.list().page()).rejects.toThrow(ConnectionError)
    expect(sent).toHaveLength(2)
  })

  test('is retried after Retry-After', async () => {
    const { client, sent } = await connect(instead(busy(429, { 'retry-after': '2' })))
    const set = globalThis.setTimeout
    const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation((callback: () => void) => set(callback, 0))
    await client.products.list().page()
    expect(sent).toHaveLength(2)
    expect(timers.mock.calls.map(([, delay]) => delay)).toContain(2_000)
    timers.mockRestore()
  })

  test('is thrown at once if Retry-After is too long', async () => {
    const { client, sent } = await connect(instead(busy(429, { 'retry-after': '61' })))
    await expect(client.products.list().page()).rejects.toMatchObject({ status: 429 })
    expect(sent).toHaveLength(1)
  })

  test('is aborted by a signal, also between attempts', async () => {
    const controller = new AbortController()
    const { client, sent } = await connect(instead(busy(503, { 'retry-after': '30' })))
    const listed = client.products.list({}, { signal: controller.signal }).page()
    setTimeout(() => controller.abort(new Error('enough')), 100)
    await expect(listed).rejects.toThrow('enough')
    expect(sent).toHaveLength(1)
  })

  test('times out', async () => {
    const hang: Fetch = (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    const { client } = await connect(hang, { timeoutMs: 50, retries: 0 })
    await expect(client.products.list().page()).rejects.toThrow(ConnectionError)
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

describe('a list of more than one page', () => {
  /** More than two pages of the default size. */
  const rows = 130
  /** A merchant can have few webhooks: more than one page of the default size. */
  const rowsOf = (collection: string) => (collection === 'webhooks' ? 60 : rows)
  const times = <Result>(count: number, make: (n: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, n) => make(n)))

  /** The ids of a complete list; each occurs once. */
  async function idsOf(list: AsyncIterable<{ id: string }>) {
    const ids = (await all(list)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    return ids
  }

  test.each(resourcePaths)('%s', async (path) => {
    const sample = samples.find(({ collection }) => collection === path)
    const { id: merchantId, key, post } = await createVenue()
    const made = await times(rowsOf(path), async (n) => (await post(`/${path}`, sample?.body(`Thing ${n}`))).body.id)
    const client = createClient({ origin, merchantId, key, fetch: service })
    expect((await idsOf(client[path].list())).toSorted()).toEqual(made.toSorted())
  })

  test('events, deliveries and audit entries', async () => {
    const { client, sent } = await connect()
    const hook = await client.webhooks.create({ title: 'POS', url: 'http://127.0.0.1:9/', events: ['order.created'] })
    const made = await times(rows, async (n) => (await client.events.publish('order.created', { n })).id)

    sent.length = 0
    const events = await idsOf(client.events.list())
    expect(events).toHaveLength(rows + 1)
    expect(events).toEqual(expect.arrayContaining(made))
    expect(sent).toHaveLength(3)
    const page = await client.events.list({ limit: 100 }).page()
    const rest = await client.events.list({ limit: 100, after: page.cursor }).page()
    expect([...page.items, ...rest.items].map(({ id }) => id)).toEqual(events)
    expect(rest.cursor).toBeUndefined()

    const deliveries = await all(client.webhooks.deliveries(hook.id))
    expect(deliveries.map(({ eventId }) => eventId).toSorted()).toEqual(made.toSorted())

    const products = await times(rows, async (n) => (await client.products.create({ title: `${n}`, price: 1 })).id)
    const entries = await all(client.audit({ operation: 'products.create' }))
    expect(entries.map(({ object }) => object).toSorted()).toEqual(products.toSorted())
  })

  test('keys and merchants', async () => {
    const operator = createOperator({ origin, key: adminToken, fetch: service })
    const merchants = await times(rows, async (n) => (await operator.merchants.create({ name: `Bar ${n}` })).id)
    expect(await idsOf(operator.merchants.list())).toEqual(expect.arrayContaining(merchants))
    const [id = ''] = merchants
    const keys = await times(rows, async () => (await operator.keys.create(id, { mode: 'live' })).id)
    expect((await idsOf(operator.keys.list(id))).toSorted()).toEqual(keys.toSorted())
  })

  test.each([
    ['of this host', `<${origin}/merchants/m/products?limit=1&cursor=b>; rel="next"`],
    ['of another host', '<https://elsewhere.example/x?limit=1&cursor=b>; rel="next"'],
    ['relative to the host', '</merchants/m/products?limit=1&cursor=b>; rel="next"'],
    ['relative to the path', '<?limit=1&cursor=b>; title="more"; rel=next'],
    ['behind others', '<?limit=1&cursor=x>; rel="first", <?limit=1&cursor=b>; rel="next"'],
  ])('continues from a link %s, on the same host and path', async (_, link) => {
    const page = (title: string, headers = {}) => Response.json([{ id: title }], { headers })
    const { client, sent, merchantId } = await connect(
      instead(
        () => page('a', { link }),
        () => page('b'),
      ),
    )
    expect(await idsOf(client.products.list({ limit: 1 }))).toEqual(['a', 'b'])
    const path = `${origin}/merchants/${merchantId}/products`
    expect(sent.map(({ url }) => url)).toEqual([`${path}?limit=1`, `${path}?limit=1&cursor=b`])
  })

  test('keeps every parameter of the link, including repeated ones', async () => {
    const link = '<?limit=2&ids=a&ids=b&position=7>; rel="next"'
    const { client, sent } = await connect(
      instead(
        () => Response.json([], { headers: { link } }),
        () => Response.json([]),
      ),
    )
    expect(await idsOf(client.products.list())).toEqual([])
    expect(new URL(sent.at(-1)?.url ?? '').search).toBe('?limit=2&ids=a&ids=b&position=7')
  })
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

describe('a notification', () => {
  const [secret, other] = ['whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz', 'whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4']
  const body = JSON.stringify({ id: 'evt_1', type: 'product.created', data: { title: 'Käse' } })
  const now = () => Math.floor(Date.now() / 1000)
  async function headersOf(at: number, signers: readonly string[]) {
    const signature = await sign(signers, 'evt_1', at, body)
    return { 'webhook-id': 'evt_1', 'webhook-timestamp': String(at), 'webhook-signature': signature }
  }

  test('of the service is verified', async () => {
    const headers = await headersOf(now(), [secret])
    expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(body))
    expect(await verifyWebhook(body, new Headers(headers), secret)).toEqual(JSON.parse(body))
    expect(await verifyWebhook(body, await headersOf(now(), [other, secret]), secret)).toEqual(JSON.parse(body))
    expect(await verifyWebhook(body, await headersOf(now() - 290, [secret]), secret)).toEqual(JSON.parse(body))
  })

  test.each([
    ['of another body', async () => [`${body} `, await headersOf(now(), [secret])]],
    ['signed with another secret', async () => [body, await headersOf(now(), [other])]],
    [
      'of another time',
      async () => [body, { ...(await headersOf(now(), [secret])), 'webhook-timestamp': `${now() - 1}` }],
    ],
    ['of another event', async () => [body, { ...(await headersOf(now(), [secret])), 'webhook-id': 'evt_2' }]],
    ['that is too old', async () => [body, await headersOf(now() - 310, [secret])]],
    ['from the future', async () => [body, await headersOf(now() + 310, [secret])]],
    ['without a signature', async () => [body, { 'webhook-id': 'evt_1', 'webhook-timestamp': `${now()}` }]],
    [
      'with nonsense for one',
      async () => [body, { ...(await headersOf(now(), [secret])), 'webhook-signature': 'v1,%% v1, v0,AA== x' }],
    ],
    ['without headers', async () => [body, {}]],
  ] as const)('%s is refused', async (_, make) => {
    const [content = '', headers] = await make()
    await expect(verifyWebhook(String(content), new Headers(headers), secret)).rejects.toThrow(WebhookVerificationError)
  })

  test('cannot be verified with an invalid secret', async () => {
    const headers = await headersOf(now(), [secret])
    for (const bad of ['', 'whsec_', 'not base64!'])
      await expect(verifyWebhook(body, headers, bad)).rejects.toThrow(TypeError)
  })
})
