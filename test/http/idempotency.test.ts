import { createExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { clearKeyCache } from '../../src/auth/api-keys.ts'
import { replaySeconds } from '../../src/db/idempotency-keys.ts'
import type { Bindings } from '../../src/env.ts'
import { maxKeyLength } from '../../src/http/idempotency.ts'
import { purgeExpired } from '../../src/maintenance.ts'
import { adminToken, createKey, createVenue, origin, type Venue } from '../support/api.ts'
import { dump, observe } from '../support/d1.ts'
import { routes } from '../support/routes.ts'
import { samples } from '../support/samples.ts'

let venue: Venue
let keys = 0
const newKey = () => `key-${++keys}-${crypto.randomUUID()}`
beforeAll(async () => {
  venue = await createVenue()
})
afterEach(() => {
  vi.useRealTimers()
})

interface Plain {
  status: number
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  body: any
  isReplayed: boolean
}

async function read(response: Response): Promise<Plain> {
  const { 'request-id': _, 'd1-bookmark': __, ...headers } = Object.fromEntries(response.headers)
  const text = await response.text()
  const isReplayed = headers['idempotent-replayed'] === 'true'
  return { status: response.status, headers, text, body: text === '' ? undefined : JSON.parse(text), isReplayed }
}

/** What is told to whoever asks first, and to whoever asks again. */
const told = ({ status, text, headers: { 'idempotent-replayed': _, ...headers } }: Plain) => ({ status, text, headers })

/** A POST with an `Idempotency-Key`, and what came of it to the byte. */
async function post(path: string, json: unknown, key?: string, token = venue.key, more: Record<string, string> = {}) {
  const request = new Request(new URL(path, origin), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...more,
    },
    ...(json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }),
  })
  return read(await exports.default.fetch(request))
}
const ours = (relative: string, json: unknown, key?: string, more?: Record<string, string>) =>
  post(venue.path(relative), json, key, venue.key, more)

const count = async (table: string, where = '1') =>
  (await env.DB.prepare(`select count(*) as n from ${table} where ${where}`).first<{ n: number }>())?.n
const eventsOf = (id: string) => count('events', `row ->> 'id' = '${id}'`)
const keptKeys = () => count('idempotency_keys')

const webhookOf = async (fields: object = {}) =>
  (await ours('/webhooks', { title: 'Till', url: 'https://hooks.example.com/a', events: ['order.created'], ...fields }))
    .body

/** Every operation that takes a POST: its path, a body, and another one; some with a token of their own. */
interface Operation {
  name: string
  status: number
  prepare(): Promise<{ path: string; json?: unknown; other?: unknown; token?: string }>
}

const ofResources = samples.flatMap(({ name, collection, body, change }): Operation[] => [
  {
    name: `the creation of a ${name}`,
    status: 201,
    prepare: async () => ({ path: venue.path(`/${collection}`), json: body('a'), other: body('b') }),
  },
  {
    name: `the update of a ${name}`,
    status: 200,
    async prepare() {
      const { id } = (await ours(`/${collection}`, body('a'))).body
      return { path: venue.path(`/${collection}/${id}`), json: change, other: {} }
    },
  },
  {
    name: `the external id of a ${name}`,
    status: 200,
    async prepare() {
      const { id } = (await ours(`/${collection}`, body('a'))).body
      const path = venue.path(`/${collection}/${id}/external-id`)
      return { path, json: { externalId: `A ${id}` }, other: { externalId: `B ${id}` } }
    },
  },
  {
    name: `an update that changes nothing of a ${name}`,
    status: 200,
    async prepare() {
      const { id } = (await ours(`/${collection}`, body('a'))).body
      return { path: venue.path(`/${collection}/${id}`), json: {}, other: change }
    },
  },
])

const ofWebhooks = (
  [
    ['secret/rotate', 200],
    ['token/rotate', 200],
    ['test', 202],
    ['recover', 202, { since: Math.floor(Date.now() / 1000) - 60 }],
    ['deliveries/EVENT/retry', 202],
  ] as const
).map(
  ([rest, status, json]): Operation => ({
    name: `POST /webhooks/…/${rest}`,
    status,
    async prepare() {
      const { id } = await webhookOf()
      const { body: event } = await ours('/events', { type: 'order.created', data: {} })
      await env.DB.prepare(`update deliveries set state = 'failed' where event = ?`).bind(event.id).run()
      const path = venue.path(`/webhooks/${id}/${rest.replace('EVENT', event.id)}`)
      return { path, json, other: json ? { since: json.since + 1 } : { other: true } }
    },
  }),
)

const admin = '/admin/merchants'
const ofOperator = (
  [
    ['a merchant', 201, '', { name: 'A' }, { name: 'B' }],
    ['the update of a merchant', 200, '/MERCHANT', { name: 'C' }, { name: 'D' }],
    ['the update of nothing of a merchant', 200, '/MERCHANT', {}, { name: 'D' }],
    ['a key', 201, '/MERCHANT/keys', { mode: 'live' }, { mode: 'test' }],
    ['an invitation', 201, '/MERCHANT/invitations', { role: 'owner' }, { role: 'staff' }],
    ['a key that is rolled', 201, '/MERCHANT/keys/KEY/roll', { overlap: 1 }, { overlap: 2 }],
    ['a tag of an earlier system', 201, '/MERCHANT/tags', { alias: ['T-4'] }, {}],
  ] as const
).map(
  ([name, status, path, json, other]): Operation => ({
    name: `the operator's ${name}`,
    status,
    async prepare() {
      const { id, keyId } = await createVenue()
      const alias = 'alias' in json ? { alias: [`T-${++keys}`] } : {}
      return {
        path: `${admin}${path.replace('MERCHANT', id).replace('KEY', keyId)}`,
        json: { ...json, ...alias },
        other,
        token: adminToken,
      }
    },
  }),
)

/** A coupon that is redeemed, or held, for an order. */
async function redeemed(hold?: number) {
  const code = `C${++keys}`
  await ours('/coupons', { title: 'Ten', code, type: 'FIXED', value: 10 })
  return (await ours('/redemptions', { code, order: 'A-1', ...(hold && { hold }) })).body
}

const ofTheTill: readonly Operation[] = [
  {
    name: 'a redemption',
    status: 201,
    async prepare() {
      const { code } = await redeemed()
      return {
        path: venue.path('/redemptions'),
        json: { code, order: 'A-2' },
        other: { code, order: 'A-3' },
      }
    },
  },
  {
    name: 'the limits of a coupon',
    status: 200,
    async prepare() {
      const fields = { title: 'Ten', code: crypto.randomUUID(), type: 'FIXED', value: 1 }
      const { id } = (await ours('/coupons', fields)).body
      return { path: venue.path(`/coupons/${id}/limits`), json: { maxRedemptions: 5 }, other: { maxRedemptions: 6 } }
    },
  },
  {
    name: 'the confirmation of a redemption',
    status: 200,
    prepare: async () => ({
      path: venue.path(`/redemptions/${(await redeemed(60)).id}/confirm`),
      other: { other: true },
    }),
  },
  {
    name: 'the release of a redemption',
    status: 200,
    prepare: async () => ({
      path: venue.path(`/redemptions/${(await redeemed()).id}/release`),
      other: { other: true },
    }),
  },
  {
    name: 'a product that is sold out',
    status: 200,
    async prepare() {
      const { id } = (await ours('/products', { title: 'Cake', price: 3 })).body
      return { path: venue.path(`/products/${id}/availability`), json: { soldOut: true }, other: { soldOut: false } }
    },
  },
  {
    name: 'a stock adjustment',
    status: 200,
    async prepare() {
      const { id } = (await ours('/products', { title: 'Cake', price: 3, manageStock: true, stockQuantity: 9 })).body
      const sale = { reference: id, reason: 'sale', changes: [{ product: id, delta: -1 }] }
      return { path: venue.path('/stock'), json: sale, other: { ...sale, reference: `${id}-2` } }
    },
  },
]

const operations: readonly Operation[] = [
  ...ofTheTill,
  ...ofResources,
  ...ofWebhooks,
  ...ofOperator,
  {
    name: 'an event that is published',
    status: 202,
    prepare: async () => ({
      path: venue.path('/events'),
      json: { type: 'order.created', data: { total: 1 } },
      other: { type: 'order.created', data: { total: 2 } },
    }),
  },
  {
    name: 'a batch',
    status: 200,
    prepare: async () => ({
      path: venue.path('/batch'),
      json: { operations: [{ op: 'create', resource: 'customers', body: { firstName: 'A', lastName: 'B' } }] },
      other: { operations: [{ op: 'create', resource: 'customers', body: { firstName: 'A', lastName: 'C' } }] },
    }),
  },
  {
    name: 'a batch of the tags that are rebuilt',
    status: 200,
    prepare: async () => ({ path: '/admin/rebuild-tags', other: { other: true }, token: adminToken }),
  },
  ...['products', 'modifiers', 'menus'].map(
    (collection): Operation => ({
      name: `the details of one of the ${collection}`,
      status: 200,
      async prepare() {
        const fields = { products: { price: 1 }, modifiers: { instructions: '' }, menus: { sections: [] } }[collection]
        const { id } = (await ours(`/${collection}`, { title: 'A', ...fields })).body
        const [json, other] = ['B', 'C'].map((title) => ({ translations: { de: { title } } }))
        return { path: venue.path(`/${collection}/${id}/details`), json, other }
      },
    }),
  ),
  {
    name: 'the start of a restore',
    status: 200,
    async prepare() {
      const { id } = await createVenue()
      const { takenAt } = (await post(`${admin}/${id}/backups`, undefined, newKey(), adminToken)).body
      const json = { takenAt, replace: true }
      return { path: `${admin}/${id}/restore`, json, other: { ...json, takenAt: takenAt + 1 }, token: adminToken }
    },
  },
  {
    name: 'an erasure',
    status: 200,
    async prepare() {
      const { id } = (await ours('/customers', { firstName: 'A', lastName: 'B' })).body
      return { path: venue.path(`/customers/${id}/erase`), other: { other: true } }
    },
  },
  ...['suspend', 'resume', 'close', 'reopen'].map(
    (change): Operation => ({
      name: `a merchant to ${change}`,
      status: 200,
      async prepare() {
        const { id } = (await post(admin, { name: 'Venue' }, newKey(), adminToken)).body
        if (change === 'resume') await post(`${admin}/${id}/suspend`, undefined, newKey(), adminToken)
        if (change === 'reopen') await post(`${admin}/${id}/close`, {}, newKey(), adminToken)
        const bodies =
          change === 'close' ? { json: { graceDays: 1 }, other: { graceDays: 2 } } : { other: { other: 1 } }
        return { path: `${admin}/${id}/${change}`, token: adminToken, ...bodies }
      },
    }),
  ),
  {
    name: 'a move',
    status: 202,
    async prepare() {
      const { id } = (await post(admin, { name: 'Venue', home: 'd1' }, newKey(), adminToken)).body
      const bodies = { json: { home: 'object' }, other: { home: 'object', location: 'weur' } }
      return { path: `${admin}/${id}/move`, token: adminToken, ...bodies }
    },
  },
  {
    name: 'a link to write a chip',
    status: 201,
    async prepare() {
      const { id } = (await ours('/tags', {})).body
      return { path: venue.path(`/tags/${id}/nfc-link`), other: { other: true } }
    },
  },
]

test('this file covers every path with POST', async () => {
  const tried = await Promise.all(operations.map(async ({ prepare }) => (await prepare()).path))
  // Quotes and links to sheets store nothing. A backup changes no row, and only one is made in a second. Pictures:
  // test/media/picture-routes.test.ts. Imports: test/import/uploads.test.ts. Merchant and keys: the operator's routes are the same; see
  // test/account/account-routes.test.ts. Members: test/account/members/member-routes.test.ts. Sessions: test/account/session-routes.test.ts.
  // Restores are continued by one request at a time: test/backup/restore.test.ts. workerd cannot recover objects.
  const forms = routes
    .filter(
      ({ method, path }) =>
        method === 'POST' &&
        !/\/quotes$|\/sheet-link$|\/backups$|\/imports|\/restore\/continue$|\/admin\/.*\/recover$|\/(?:images|banner|icon|logo)$|^\/merchants\/[^/]+(?:\/(?:keys|members|invitations).*)?$|^\/console/.test(
          path,
        ),
    )
    .map(({ path }) => [path, new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)] as const)
  expect(forms.length).toBeGreaterThan(20)
  const untried = forms.filter(([, form]) => !tried.some((path) => form.test(path))).map(([path]) => path)
  expect(untried).toEqual([])
})

describe.each(operations)('$name', ({ status, prepare }) => {
  test('a repeated request gets the first response and takes effect once', async () => {
    const { path, json, other, token } = await prepare()
    const key = newKey()
    const ask = (body: unknown = json, used = key) => post(path, body, used, token)
    const first = await ask()
    expect([first.status, first.isReplayed]).toEqual([status, false])
    const after = (await dump()).length
    for (const again of [await ask(), await ask(json, `"${key}"`), await ask()]) {
      expect(again.isReplayed).toBe(true)
      expect(told(again)).toEqual(told(first))
    }
    const another = await ask(other)
    expect([another.status, another.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect(another.headers).not.toHaveProperty('etag')
    expect(another.headers).not.toHaveProperty('location')
    // Not a row is another, but for when keys were last used.
    expect((await dump()).length).toBe(after)
    const fresh = await ask(json, newKey())
    // A redemption is made once for its order, whatever the key.
    expect([[status, 200, 409].includes(fresh.status), fresh.isReplayed]).toEqual([true, false])
  })

  test('concurrent requests with one key take effect once', async () => {
    const { path, json, token } = await prepare()
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(path, json, key, token)))
    const winners = answers.filter(({ isReplayed, status }) => !isReplayed && status < 300)
    expect(winners).toHaveLength(1)
    const [winner] = winners
    for (const answer of answers) {
      if (answer.status === 409) expect(answer.body.code).toBe('idempotency_key_in_use')
      else expect(told(answer)).toEqual(winner && told(winner))
    }
    expect(told(await post(path, json, key, token))).toEqual(winner && told(winner))
  })

  test('a request whose response was lost took effect', async () => {
    const { path, json, token } = await prepare()
    const [key, before] = [newKey(), await keptKeys()]
    const lost = await crash(path, json, key, token)
    expect([lost.status, lost.body.code]).toEqual([503, 'unavailable'])
    expect(await keptKeys()).toBe(Number(before) + 1)
    const again = await post(path, json, key, token)
    expect([again.status, again.isReplayed]).toEqual([status, true])
    expect(told(await post(path, json, key, token))).toEqual(told(again))
    expect(await keptKeys()).toBe(Number(before) + 1)
  })
})

/** A request to a Worker that loses its connection to D1 as soon as it has had the key's row written. */
async function crash(path: string, json: unknown, key: string, token = venue.key) {
  const texts = new WeakMap<D1PreparedStatement, string>()
  const isKeeping = (sql = '') => /insert into "idempotency_keys"/.test(sql)
  const DB: D1Database = Object.assign(Object.create(null), {
    withSession(asked?: string) {
      const session = env.DB.withSession(asked)
      return {
        prepare(sql: string) {
          const real = session.prepare(sql)
          const bind = real.bind.bind(real)
          return Object.assign(real, {
            bind(...values: unknown[]) {
              const bound = bind(...values)
              texts.set(bound, sql)
              return bound
            },
          })
        },
        async batch(all: D1PreparedStatement[]) {
          const results = await session.batch(all)
          if (all.some((statement) => isKeeping(texts.get(statement)))) throw new Error('D1_ERROR: connection lost')
          return results
        },
        getBookmark: () => session.getBookmark(),
      }
    },
  })
  vi.spyOn(console, 'error').mockReturnValue()
  const bindings: Bindings = { ...env, DB }
  const request = new Request(new URL(path, origin), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const answer = await read(await app.fetch(request, bindings, createExecutionContext()))
  vi.restoreAllMocks()
  return answer
}

test('fifty concurrent requests with one key: one row, one event, one delivery', async () => {
  const hook = await webhookOf({ events: ['customer.created'] })
  const key = newKey()
  const guest = { firstName: 'Fifty', lastName: key }
  const answers = await Promise.all(Array.from({ length: 50 }, () => ours('/customers', guest, key)))
  expect(answers.filter(({ status, isReplayed }) => status === 201 && !isReplayed)).toHaveLength(1)
  expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
  const [id, ...more] = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id))
  expect(more).toEqual([])
  expect(await count('customers', `last_name = '${key}'`)).toBe(1)
  expect(await eventsOf(id)).toBe(1)
  const log = (await venue.get(`/webhooks/${hook.id}/deliveries`)).body
  expect(log).toHaveLength(1)
  await venue.remove(`/webhooks/${hook.id}`)
})

test('fifty concurrent requests with different keys: fifty rows', async () => {
  const lastName = newKey()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => ours('/customers', { firstName: 'A', lastName }, newKey())),
  )
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(50)
  expect(await count('customers', `last_name = '${lastName}'`)).toBe(50)
})

describe('a repeated request', () => {
  test('gets the first response, even if the object has changed', async () => {
    const [create, update, rotate] = [newKey(), newKey(), newKey()]
    const json = { title: 'Till', url: 'https://hooks.example.com/a' }
    const made = await ours('/webhooks', json, create)
    const path = `/webhooks/${made.body.id}`
    const changed = await ours(path, { title: 'Bar' }, update, { 'if-match': made.headers['etag'] ?? '' })
    const rotated = await ours(`${path}/token/rotate`, undefined, rotate)
    expect(rotated.body.bearerToken).not.toBe(made.body.bearerToken)
    expect((await ours(path, { active: false, title: 'Off' })).status).toBe(200)
    const replay = async () => [
      await ours('/webhooks', json, create),
      // The condition does not hold any longer, and did when it counted.
      await ours(path, { title: 'Bar' }, update, { 'if-match': made.headers['etag'] ?? '' }),
      await ours(path, { title: 'Bar' }, update),
      await ours(`${path}/token/rotate`, undefined, rotate),
    ]
    const expected = [made, changed, changed, rotated].map(told)
    expect((await replay()).map(told)).toEqual(expected)
    expect((await venue.get(path)).body.title).toBe('Off')
    await venue.remove(path)
    expect((await replay()).map(told)).toEqual(expected)
    expect((await venue.get(path)).status).toBe(404)
  })

  test('does not conflict with itself', async () => {
    const [json, key] = [{ title: 'x', code: newKey().slice(0, 40), type: 'FIXED', value: 1 }, newKey()]
    const answers = await Promise.all(Array.from({ length: 20 }, () => ours('/coupons', json, key)))
    for (const { status, body } of answers) if (status === 409) expect(body.code).toBe('idempotency_key_in_use')
    expect(answers.filter(({ isReplayed, status }) => status === 201 && !isReplayed)).toHaveLength(1)
    expect((await ours('/coupons', json, key)).isReplayed).toBe(true)
    expect((await ours('/coupons', json)).body.code).toBe('conflict')
  })

  test('returns the count of the first request', async () => {
    const hook = await webhookOf()
    for (let n = 0; n < 3; n++) await ours('/events', { type: 'order.created', data: {} })
    await env.DB.prepare(
      `update deliveries set state = 'failed' where webhook = (select seq from webhooks where id = ?)`,
    )
      .bind(hook.id)
      .run()
    const [key, json] = [newKey(), { since: Math.floor(Date.now() / 1000) - 60 }]
    const recover = () => ours(`/webhooks/${hook.id}/recover`, json, key)
    const [first, again] = [await recover(), await recover()]
    expect(first.body).toEqual({ recovered: 3 })
    expect(told(again)).toEqual(told(first))
    expect((await ours(`/webhooks/${hook.id}/recover`, json, newKey())).body).toEqual({ recovered: 0 })
  })

  test('can have the maximum size of a body', async () => {
    // Quotation marks are what grows most on its way into the table.
    const metadata = Array.from({ length: 25 }, (_, n) => ({ key: `${n}`, value: '"'.repeat(5_000) }))
    const [json, key] = [{ title: 'Large', price: 1, metadata }, newKey()]
    expect(JSON.stringify(json).length).toBeGreaterThan(250_000)
    const [first, again] = [await ours('/products', json, key), await ours('/products', json, key)]
    expect([first.status, again.isReplayed]).toEqual([201, true])
    expect(told(again)).toEqual(told(first))
    const size = await env.DB.prepare('select max(length(answer)) as size from idempotency_keys').first('size')
    // A row may have 2,000,000 bytes.
    expect(size).toBeLessThan(1_000_000)
  })

  test('can use another API key of the same merchant and mode', async () => {
    const rolled = await createKey(venue.id, { mode: 'live' })
    const [key, guest] = [newKey(), { firstName: 'A', lastName: 'B' }]
    const first = await ours('/customers', guest, key)
    const again = await post(venue.path('/customers'), guest, key, rolled.key)
    expect([again.isReplayed, again.body]).toEqual([true, first.body])
  })

  test('is independent in another merchant, mode or path', async () => {
    const [stranger, tester] = [await createVenue(), await createKey(venue.id, { mode: 'test' })]
    const key = newKey()
    const [guest, product] = [
      { firstName: 'A', lastName: 'B' },
      { title: 'A', price: 1 },
    ]
    const answers = [
      await ours('/customers', guest, key),
      await post(stranger.path('/customers'), guest, key, stranger.key),
      await post(venue.path('/customers'), guest, key, tester.key),
      await ours('/products', product, key),
      await post(admin, { name: 'A' }, key, adminToken),
    ]
    expect(answers.map(({ status, isReplayed }) => [status, isReplayed])).toEqual(answers.map(() => [201, false]))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(5)
    const { body: merchant } = await post(admin, { name: 'A' }, key, adminToken)
    expect(merchant).toEqual(answers[4]?.body)
  })

  test('is rejected without a valid key or scope', async () => {
    const [key, guest] = [newKey(), { firstName: 'A', lastName: 'B' }]
    await ours('/customers', guest, key)
    const reader = await createKey(venue.id, { mode: 'live', scopes: ['customers:read'] })
    expect((await post(venue.path('/customers'), guest, key, 'nonsense')).status).toBe(401)
    expect((await post(venue.path('/customers'), guest, key, reader.key)).status).toBe(403)
    expect((await ours('/customers', guest, key)).isReplayed).toBe(true)
  })

  test('is a new request after a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const [key, guest] = [newKey(), { firstName: 'A', lastName: 'B' }]
    const first = await ours('/customers', guest, key)
    const start = Date.now()
    vi.setSystemTime(start + (replaySeconds - 1) * 1000)
    clearKeyCache()
    expect((await ours('/customers', guest, key)).body).toEqual(first.body)
    vi.setSystemTime(start + (replaySeconds + 1) * 1000)
    const second = await ours('/customers', { ...guest, lastName: 'C' }, key)
    expect([second.status, second.isReplayed, second.body.id === first.body.id]).toEqual([201, false, false])
    expect((await ours('/customers', { ...guest, lastName: 'C' }, key)).body).toEqual(second.body)
  })
})

test('an error response is not stored', async () => {
  const key = newKey()
  expect((await ours('/customers', { firstName: 'A' }, key)).status).toBe(422)
  expect((await ours('/customers', {}, key, { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await ours('/customers', '[', key)).status).toBe(400)
  expect((await ours('/customers', { firstName: 'A', lastName: 'B' }, key)).status).toBe(201)

  const { id } = await webhookOf({ active: false })
  const again = newKey()
  const ask = () => ours(`/webhooks/${id}/test`, undefined, again)
  const kept = await keptKeys()
  expect((await ask()).status).toBe(409)
  for (const [path, json] of [
    ['test'],
    ['token/rotate'],
    ['secret/rotate'],
    ['deliveries/evt_1/retry'],
    ['recover', { since: Math.floor(Date.now() / 1000) }],
    ['', { title: 'A' }],
  ] as const) {
    expect([path, (await ours(`/webhooks/none${path && `/${path}`}`, json, newKey())).status]).toEqual([path, 404])
  }
  expect(await keptKeys()).toBe(kept)
  await ours(`/webhooks/${id}`, { active: true })
  const [first, second] = [await ask(), await ask()]
  expect([first.status, first.isReplayed, second.status, second.isReplayed]).toEqual([202, false, 202, true])
})

describe('the Idempotency-Key header', () => {
  const guest = { firstName: 'A', lastName: 'B' }
  const isFault = async (key: string, code: string) => {
    const { status, body } = await ours('/customers', guest, key)
    expect([status, body.code, body.errors?.[0]?.parameter, body.errors?.[0]?.code]).toEqual([
      422,
      'invalid_request',
      'Idempotency-Key',
      code,
    ])
  }

  test('has 1 to 255 characters without its quotes', async () => {
    expect(maxKeyLength).toBe(255)
    const before = await keptKeys()
    for (const empty of ['""', '"  "']) await isFault(empty, 'too_short')
    for (const long of ['x'.repeat(256), `"${'x'.repeat(256)}"`, 'x'.repeat(8_000)]) await isFault(long, 'too_long')
    expect(await keptKeys()).toBe(before)
    for (const fine of ['a'.repeat(255), `"${'b'.repeat(255)}"`, '0', '"', "';--", '"a\\"b"', 'a b', '%00']) {
      const first = await ours('/customers', guest, fine)
      expect([fine, first.status, first.isReplayed]).toEqual([fine, 201, false])
      expect((await ours('/customers', guest, fine)).isReplayed).toBe(true)
    }
    expect((await ours('/customers', guest, 'a"b')).isReplayed).toBe(true)
  })

  test('is checked after the path, the method and the body', async () => {
    const long = 'x'.repeat(256)
    expect((await ours('/nothing', guest, long)).status).toBe(404)
    expect((await ours('/tags/sheet/x/y', guest, long)).status).toBe(404)
    expect((await ours('/customers', guest, long, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await ours('/customers', '[', long)).status).toBe(400)
    expect((await ours('/customers', 'x'.repeat(262_145), long)).status).toBe(413)
    expect((await ours('/customers/none', guest, long)).status).toBe(422)
    expect((await ours('/webhooks/none/test', undefined, long)).status).toBe(422)
  })

  test('is ignored by other methods', async () => {
    const { body } = await ours('/customers', guest)
    const key = { 'idempotency-key': 'x'.repeat(256) }
    expect((await venue.get(`/customers/${body.id}`, key)).status).toBe(200)
    expect((await venue.remove(`/customers/${body.id}`, key)).status).toBe(200)
  })
})

describe('a stored response', () => {
  test('contains no readable secret, key or name', async () => {
    const [merchant, operatorKey, hookKey] = [await createVenue(), newKey(), newKey()]
    const asked = { mode: 'live', title: 'Till 77' }
    const keysOf = `${admin}/${merchant.id}/keys`
    const { body: made } = await post(keysOf, asked, operatorKey, adminToken)
    const { body: rolled } = await post(`${keysOf}/${made.id}/roll`, {}, operatorKey, adminToken)
    const { body: hook } = await ours('/webhooks', { title: 'x', url: 'https://hooks.example.com/a' }, hookKey)
    const path = `/webhooks/${hook.id}`
    const { body: token } = await ours(`${path}/token/rotate`, undefined, hookKey)
    const { body: secret } = await ours(`${path}/secret/rotate`, undefined, hookKey)
    const { body: guest } = await ours(
      '/customers',
      { firstName: 'Noor', lastName: 'Q', email: 'noor@q.example' },
      hookKey,
    )
    await venue.remove(path)
    await venue.remove(`/customers/${guest.id}`)
    // Events are told for 30 days; this is about what is kept for keys.
    await env.DB.prepare('delete from events').run()

    const everything = await dump()
    expect(everything).toContain('idempotency_keys')
    for (const text of [made.key, rolled.key, hook.bearerToken, token.bearerToken, secret.secret]) {
      expect(text.length).toBeGreaterThan(20)
      for (const part of [text, text.slice(8), btoa(text).slice(0, 20)]) expect(everything).not.toContain(part)
    }
    for (const text of [operatorKey, hookKey, 'noor@q.example', 'Noor']) expect(everything).not.toContain(text)
    // And yet it is told again to who asks again.
    expect((await post(keysOf, asked, operatorKey, adminToken)).body).toEqual(made)
    expect((await ours(`${path}/secret/rotate`, undefined, hookKey)).body).toEqual(secret)
  })

  test('of the operator can only be decrypted with the same ADMIN_TOKEN', async () => {
    const [key, json] = [newKey(), { mode: 'live' }]
    const path = `${admin}/${venue.id}/keys`
    const first = await post(path, json, key, adminToken)
    const { status, body } = await observe('POST', path, {
      key: 'another-admin-token',
      json,
      headers: { 'idempotency-key': key },
      bindings: { ADMIN_TOKEN: 'another-admin-token' },
    })
    expect([first.status, status, body.code]).toEqual([201, 422, 'idempotency_key_reused'])
  })

  test('costs two rows in the round trip of the change', async () => {
    const guest = { firstName: 'A', lastName: 'B' }
    const cost = async (path: string, json: unknown, key?: string) => {
      const headers = key === undefined ? {} : { 'idempotency-key': key }
      const { status, trips } = await observe('POST', venue.path(path), { key: venue.key, json, headers })
      return { status, calls: trips.length, rows: trips.reduce((sum, trip) => sum + trip.rowsWritten, 0), trips }
    }
    await cost('/customers', guest)
    const [without, key] = [await cost('/customers', guest), newKey()]
    const [fresh, again] = [await cost('/customers', guest, key), await cost('/customers', guest, key)]
    expect([without.calls, fresh.calls, again.calls]).toEqual([1, 1, 2])
    expect(JSON.stringify(without.trips)).not.toContain('idempotency')
    console.log(`figure: D1 rows written for an Idempotency-Key, ${fresh.rows - without.rows}`)
    expect(fresh.rows - without.rows).toBe(3)
    // A response with a customer has an entry in one index more.
    const tea = { title: 'Tea', price: 1 }
    const [plain, keyed] = [await cost('/products', tea), await cost('/products', tea, newKey())]
    expect(keyed.rows - plain.rows).toBe(2)
    const { id } = (await ours('/customers', guest)).body
    expect((await cost(`/customers/${id}`, { phone: '1' }, newKey())).calls).toBe(2)
    expect((await cost(`/customers/${id}`, { phone: '1' }, newKey())).calls).toBe(3)
    expect((await cost(`/customers/${id}`, { phone: null })).calls).toBe(2)
    expect((await cost('/customers', {}, newKey())).calls).toBe(1)
    expect((await cost('/customers', {})).calls).toBe(0)
  })
})

describe('the purge', () => {
  beforeEach(() => env.DB.prepare('delete from idempotency_keys').run())

  test('deletes rows older than a day in batches, and no others', async () => {
    const now = Math.floor(Date.now() / 1000)
    const insert = (prefix: string, rows: number, at: number) =>
      env.DB.prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
         insert into idempotency_keys (id, at, answer, count) select ? || i, ?, '', 1 from n`,
      )
        .bind(rows, prefix, at)
        .run()
    await insert('old', 2_500, now - replaySeconds)
    await insert('young', 1_500, now - replaySeconds + 60)
    await purgeExpired(env, now * 1000)
    expect(await keptKeys()).toBe(1_500)
    expect(await count('idempotency_keys', `id like 'old%'`)).toBe(0)
    await purgeExpired(env, (now + 61) * 1000)
    expect(await keptKeys()).toBe(0)
  })
})
