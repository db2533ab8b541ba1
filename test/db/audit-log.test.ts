import { env, exports } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { operations } from '../../console/texts/en/operations.ts'
import { auditRetentionDays } from '../../src/db/audit-log.ts'
import { merchantDatabase } from '../../src/db/home/connect.ts'
import { createIdAt } from '../../src/lib/ids.ts'
import { purgeBounds, purgeExpired } from '../../src/maintenance.ts'
import { deactivation } from '../../src/webhooks/deactivation.ts'
import { type Answer, adminToken, call, createKey, createVenue, toIssues, type Venue } from '../support/api.ts'
import { createAuthenticator, createMember, invite, signIn } from '../support/authenticator.ts'
import { observe, plansOf } from '../support/d1.ts'
import { routes } from '../support/routes.ts'
import { samples } from '../support/samples.ts'

interface Entry {
  id: string
  at: number
  key: string
  requestId?: string
  operation: string
  object: string
  testMode: boolean
}

const log = async ({ get }: Pick<Venue, 'get'>, search = ''): Promise<Entry[]> => (await get(`/audit${search}`)).body
const toEntries = (entries: readonly Entry[]) => entries.map(({ operation, object }) => `${operation} ${object}`)
const requestOf = ({ headers }: Answer) => headers.get('request-id')
const admin = (method: string, path: string, json?: unknown) =>
  call(method, `/admin/merchants${path}`, adminToken, json)
const count = async (where: string) =>
  (await env.DB.prepare(`select count(*) as n from audit where ${where}`).first<{ n: number }>())?.n

describe.each(samples)('the changes of a $name', ({ collection, body, change }) => {
  test('are recorded with their key, request, object and time, newest first', async () => {
    const venue = await createVenue()
    const other = await createKey(venue.id, { mode: 'live' })
    const before = Math.floor(Date.now() / 1000)
    const made = await venue.post(`/${collection}`, body('a'))
    const path = `/${collection}/${made.body.id}`
    const updated = await other.post(path, change)
    const removed = await venue.remove(path)
    const entries = await log(venue, `?object=${made.body.id}`)
    const entry = (verb: string, key: string, answer: Answer) => ({
      id: expect.stringMatching(/^aud_/),
      at: expect.any(Number),
      key,
      requestId: requestOf(answer),
      operation: `${collection}.${verb}`,
      object: made.body.id,
      testMode: false,
    })
    expect(entries).toEqual([
      entry('delete', venue.keyId, removed),
      entry('update', other.keyId, updated),
      entry('create', venue.keyId, made),
    ])
    for (const { at } of entries) expect(Math.abs(at - before)).toBeLessThan(30)
  })

  test('are not recorded if nothing changes', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post(`/${collection}`, body('a'))).body
    const path = `/${collection}/${id}`
    const before = await log(venue)
    await venue.get(path)
    expect((await venue.post(path, {})).status).toBe(200)
    expect((await venue.post(path, { colour: 'red' })).status).toBe(422)
    expect((await venue.post(`${path}x`, change)).status).toBe(404)
    expect((await venue.remove(`${path}x`)).status).toBe(404)
    expect((await venue.post(path, change, { 'if-match': '"0-X"' })).status).toBe(412)
    expect((await venue.remove(path, { 'if-match': '"0-X"' })).status).toBe(412)
    expect(await log(venue)).toEqual(before)
  })

  test('are recorded once for a repeated request', async () => {
    const venue = await createVenue()
    const [json, key] = [body('a'), { 'idempotency-key': 'a' }]
    const ask = () => venue.post(`/${collection}`, json, key)
    await Promise.all([ask(), ask(), ask()])
    await ask()
    const { id } = (await ask()).body
    expect(toEntries(await log(venue, `?object=${id}`))).toEqual([`${collection}.create ${id}`])
  })

  test('cost two rows each, and no call of the database', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post(`/${collection}`, body('a'))).body
    const cost = async (method: string, path: string, json?: unknown) => {
      const { trips } = await observe(method, venue.path(path), { key: venue.key, ...(json ? { json } : {}) })
      return [
        trips.length,
        trips.flatMap(({ statements }) => statements).filter((sql) => /into "audit"/.test(sql)).length,
      ]
    }
    expect(await cost('POST', `/${collection}`, body('b'))).toEqual([1, 1])
    expect(await cost('POST', `/${collection}/${id}`, change)).toEqual([2, 1])
    expect(await cost('DELETE', `/${collection}/${id}`)).toEqual([1, 1])
  })
})

test('an entry is two rows written, its index included', async () => {
  const before = (await count('1')) ?? 0
  const result = await env.DB.prepare(
    `insert into audit select merchant_id, test_mode, 'aud_x' || id, at, key, request_id, operation, object from audit limit 1`,
  ).run()
  console.log(`figure: D1 rows written for an entry of the audit log, ${result.meta.rows_written}`)
  expect(result.meta.rows_written).toBe(2)
  expect(await count('1')).toBe(before + 1)
  await env.DB.prepare(`delete from audit where id like 'aud_x%'`).run()
})

test('a deletion has one entry, also if it removes references', async () => {
  const venue = await createVenue()
  const product = (await venue.post('/products', { title: 'Tea', price: 1 })).body.id
  const menu = (await venue.post('/menus', { title: 'Day', sections: [{ items: [product] }] })).body.id
  await venue.remove(`/products/${product}`)
  expect(toEntries(await log(venue, '?limit=2'))).toEqual([`products.delete ${product}`, `menus.create ${menu}`])
})

test('changes of secrets and deliveries are recorded, without secrets', async () => {
  const venue = await createVenue()
  const hook = (
    await venue.post('/webhooks', { title: 'x', url: 'https://hooks.example.com/a', events: ['order.created'] })
  ).body
  const path = `/webhooks/${hook.id}`
  const event = (await venue.post('/events', { type: 'order.created', data: {} })).body.id
  const { body: token } = await venue.post(`${path}/token/rotate`, {})
  const { body: secret } = await venue.post(`${path}/secret/rotate`, {})
  await venue.post(`${path}/test`, {})
  await venue.post(`${path}/deliveries/${event}/retry`, {})
  await env.DB.prepare(`update deliveries set state = 'failed' where event = ?`).bind(event).run()
  await venue.post(`${path}/recover`, { since: Math.floor(Date.now() / 1000) - 60 })
  for (const rest of ['token/rotate', 'secret/rotate', 'test', `deliveries/${event}/retry`]) {
    expect((await venue.post(`/webhooks/none/${rest}`, {})).status).toBe(404)
  }
  const entries = await log(venue)
  expect(entries.map(({ operation }) => operation)).toEqual(
    [
      'webhooks.recover',
      'webhooks.retry',
      'webhooks.test',
      'webhooks.secret.rotate',
      'webhooks.token.rotate',
      'webhooks.create',
    ].concat(entries.slice(6).map(({ operation }) => operation)),
  )
  expect(new Set(entries.slice(0, 6).map(({ object }) => object))).toEqual(new Set([hook.id]))
  for (const text of [hook.bearerToken, token.bearerToken, secret.secret]) {
    expect(JSON.stringify(entries)).not.toContain(text)
  }
})

test('operations of the operator are recorded, also on keys', async () => {
  const made = await admin('POST', '', { name: 'A' })
  const { id } = made.body
  const reader = await createKey(id, { mode: 'live', scopes: ['audit:read'] })
  const tester = await createKey(id, { mode: 'test' })
  await admin('POST', `/${id}`, { name: 'B' })
  await admin('POST', `/${id}`, { name: 'B' })
  const rolled = (await admin('POST', `/${id}/keys/${tester.keyId}/roll`, {})).body.id
  await admin('DELETE', `/${id}/keys/${tester.keyId}`)
  expect((await admin('DELETE', `/${id}/keys/${tester.keyId}`)).status).toBe(404)
  const tag = (await admin('POST', `/${id}/tags`, { testMode: true })).body.id
  expect((await admin('POST', `/${id}/move`, { home: 'object' })).status).toBe(202)
  const entries = await log(reader)
  expect(toEntries(entries)).toEqual([
    `merchants.move ${id}`,
    `tags.create ${tag}`,
    `keys.delete ${tester.keyId}`,
    `keys.roll ${tester.keyId}`,
    `keys.create ${rolled}`,
    `merchants.update ${id}`,
    `keys.create ${tester.keyId}`,
    `keys.create ${reader.keyId}`,
    `merchants.create ${id}`,
  ])
  expect(new Set(entries.map(({ key }) => key))).toEqual(new Set(['operator']))
  expect(entries.at(-1)?.requestId).toBe(requestOf(made))
  expect(entries[3]?.requestId).toBe(entries[4]?.requestId)
  expect((await tester.get('/audit')).status).toBe(401)
})

test('changes by the service itself have the service as actor', async () => {
  const venue = await createVenue()
  const { body: tag } = await venue.post('/tags', {})
  const { body: hook } = await venue.post('/webhooks', { title: 'x', url: 'https://hooks.example.com/a' })
  const tap = await observe('GET', new URL(tag.nfcUrl).pathname)
  await tap.settled()
  expect(tap.status).toBe(302)
  const event = { merchantId: venue.id, testMode: false, webhookId: hook.id, baseUrl: null }
  await deactivation.deactivate(env, merchantDatabase(env, { merchantId: venue.id, home: 'd1' }), event, 'gone')
  const [disabled, tapped] = await log(venue)
  expect(disabled).toMatchObject({ key: 'system', operation: 'webhooks.update', object: hook.id })
  expect(disabled).not.toHaveProperty('requestId')
  expect(tapped).toMatchObject({ key: 'system', operation: 'tags.update', object: tag.id, requestId: requestOf(tap) })
})
describe('the list', () => {
  test('contains one merchant and mode', async () => {
    const venue = await createVenue()
    const [tester, stranger] = [await createKey(venue.id, { mode: 'test' }), await createVenue()]
    const live = (await venue.post('/tags', { testMode: true })).body.id
    const own = (await tester.post('/tags', {})).body.id
    expect(toEntries(await log(tester))).toEqual([`tags.create ${own}`])
    expect((await log(tester)).every(({ testMode }) => testMode)).toBe(true)
    expect(toEntries(await log(venue, '?operation=tags.create'))).toEqual([`tags.create ${live}`])
    expect(toEntries(await log(stranger, `?object=${live}`))).toEqual([])
    expect((await stranger.ask('GET', '/audit')).status).toBe(200)
    expect((await call('GET', stranger.path('/audit'), venue.key)).status).toBe(403)
  })

  test('needs its scope, and is read only', async () => {
    const venue = await createVenue()
    const writer = await createKey(venue.id, { mode: 'live', scopes: ['products:write', 'events:write'] })
    const refused = await writer.get('/audit')
    expect([refused.status, refused.body.detail]).toEqual([403, 'The key lacks the scope audit:read.'])
    const reader = await createKey(venue.id, { mode: 'live', scopes: ['audit:read'] })
    expect((await reader.get('/audit')).status).toBe(200)
    expect((await venue.post('/audit', {})).status).toBe(405)
    expect((await venue.remove('/audit')).status).toBe(405)
  })

  test('is paged, ordered and filtered as lists are', async () => {
    const venue = await createVenue()
    const second = await createKey(venue.id, { mode: 'live' })
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      const { body } = await (n % 2 ? second : venue).post('/customers', { firstName: 'A', lastName: `${n}` })
      ids.push(body.id)
    }
    const walk = async (search: string) => {
      const seen: string[] = []
      let pages = 0
      for (let next: string | undefined = `/audit?limit=2&${search}`; next && pages < 10; pages++) {
        const { status, headers, body } = await venue.get(next)
        expect(status).toBe(200)
        seen.push(...body.map(({ object }: Entry) => object))
        next = /<.*(\/audit\?.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      }
      return { seen, pages }
    }
    const made = 'operation=customers.create'
    expect(await walk(`${made}&order=asc`)).toEqual({ seen: ids, pages: 3 })
    expect(await walk(made)).toEqual({ seen: ids.toReversed(), pages: 3 })
    expect((await walk(`key=${second.keyId}`)).seen).toEqual([ids[3], ids[1]])
    expect((await walk(`key=${second.keyId}&${made}&object=${ids[1]}`)).seen).toEqual([ids[1]])
    expect((await walk(`key=operator&object=${ids[1]}`)).seen).toEqual([])
    expect((await walk('key=operator')).seen).toEqual([second.keyId, venue.keyId, venue.id])
    expect((await walk('operation=nonsense')).seen).toEqual([])

    const issues = async (search: string) => toIssues(await venue.get(`/audit?${search}`))
    expect(await issues('limit=101&q=x&order=up&ids=a&object=a&object=b')).toEqual([
      'ids unknown_parameter',
      'limit too_large',
      'object invalid_type',
      'order invalid_value',
      'q unknown_parameter',
    ])
    const { headers } = await venue.get(`/audit?limit=1&${made}`)
    const cursor = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1]
    expect(await issues(`cursor=${cursor}`)).toEqual(['cursor invalid_value'])
    expect((await venue.get(`/audit?${made}&cursor=${cursor}`)).status).toBe(200)
    const tester = await createKey(venue.id, { mode: 'test' })
    expect(toIssues(await tester.get(`/audit?${made}&cursor=${cursor}`))).toEqual(['cursor invalid_value'])
  })

  test('costs one call, and is read by an index', async () => {
    const venue = await createVenue()
    for (const [search, index] of [
      ['', /PRIMARY KEY \(merchant_id=\? AND test_mode=\? AND id<\?\)/],
      ['?order=asc', /PRIMARY KEY \(merchant_id=\? AND test_mode=\? AND id>\?\)/],
      ['?object=x', /audit_object \(merchant_id=\? AND test_mode=\? AND object=\? AND id<\?\)/],
    ] as const) {
      const { trips } = await observe('GET', venue.path(`/audit${search}`), { key: venue.key })
      const statements = trips.flatMap(({ statements }) => statements).filter((sql) => /audit/.test(sql))
      expect(statements).toHaveLength(1)
      expect(trips.filter(({ statements }) => /audit/.test(`${statements}`))).toHaveLength(1)
      const [plan = []] = await plansOf(statements)
      expect(plan).toHaveLength(1)
      expect(plan[0]).toMatch(index)
    }
  })
})

test('changes at the till and imports are recorded', async () => {
  const venue = await createVenue()
  const product = (await venue.post('/products', { title: 'Tea', price: 1, manageStock: true, stockQuantity: 5 })).body
    .id
  const coupon = (await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })).body.id
  const before = (await log(venue)).length
  await venue.post(`/coupons/${coupon}/limits`, { maxRedemptions: 5 })
  const redemption = (await venue.post('/redemptions', { code: 'TEN', order: 'order-1', hold: 60 })).body.id
  await venue.post(`/redemptions/${redemption}/confirm`, {})
  await venue.post(`/redemptions/${redemption}/release`, {})
  await venue.post(`/products/${product}/availability`, { soldOut: true })
  await venue.post('/stock', { reference: 'order-1', reason: 'sale', changes: [{ product, delta: -1 }] })
  const uploaded = await exports.default.fetch(
    new Request(new URL(venue.path('/imports?resource=products'), 'https://api.test'), {
      method: 'POST',
      headers: { authorization: `Bearer ${venue.key}`, 'content-type': 'application/jsonl' },
      body: '{"title": "Cake", "price": 3}',
    }),
  )
  const { id } = await uploaded.json<{ id: string }>()
  expect((await venue.post(`/imports/${id}/cancel`, {})).status).toBe(200)
  const entries = await log(venue)
  expect(toEntries(entries.slice(0, entries.length - before)).toReversed()).toEqual([
    `coupons.limits.update ${coupon}`,
    `redemptions.create ${redemption}`,
    `redemptions.confirm ${redemption}`,
    `redemptions.release ${redemption}`,
    `products.availability.update ${product}`,
    'stock.adjust order-1',
    `imports.create ${id}`,
    `imports.cancel ${id}`,
  ])
})

test('details, erasures, sessions and states of a merchant are recorded', async () => {
  const venue = await createVenue()
  const product = (await venue.post('/products', { title: 'Tea', price: 1 })).body.id
  const modifier = (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id
  const menu = (await venue.post('/menus', { title: 'Day', sections: [] })).body.id
  const customer = (await venue.post('/customers', { firstName: 'A', lastName: 'B' })).body.id
  const before = (await log(venue)).length
  const objects = { products: product, modifiers: modifier, menus: menu }
  for (const [path, id] of Object.entries(objects)) {
    await venue.post(`/${path}/${id}/details`, { translations: { de: { title: 'Neu' } } })
  }
  await venue.post(`/customers/${customer}/erase`, {})
  const signedIn = await exports.default.fetch(
    new Request('https://menu.example/console/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ key: venue.key }),
    }),
  )
  expect(signedIn.status).toBe(201)
  const session = (await venue.get('/sessions')).body[0].id
  const ended = await venue.remove(`/sessions/${session}`)
  expect(ended.status).toBe(200)
  const states = ['suspend', 'resume', 'close', 'reopen']
  for (const state of states) expect((await admin('POST', `/${venue.id}/${state}`, {})).status).toBe(200)
  const entries = toEntries(await log(venue))
    .toReversed()
    .slice(before)
  expect(entries.filter((entry) => !entry.startsWith('keys.'))).toEqual([
    ...Object.entries(objects).map(([path, id]) => `${path}.details.update ${id}`),
    `customers.erase ${customer}`,
    `sessions.create ${session}`,
    `sessions.delete ${session}`,
    ...states.map((state) => `merchants.${state} ${venue.id}`),
  ])
})

test('the start of a restore is recorded', async () => {
  const venue = await createVenue()
  const { takenAt } = (await admin('POST', `/${venue.id}/backups`)).body
  expect((await admin('POST', `/${venue.id}/restore`, { takenAt, replace: true })).status).toBe(200)
  expect(await count(`operation = 'merchants.restore' and object = '${venue.id}'`)).toBe(1)
})

test('changes of members, invitations and passkeys are recorded', async () => {
  const [venue, other] = [await createVenue(), await createVenue()]
  const [owner, zoe] = [await createMember(venue.id), await createMember(other.id)]
  const joined = await signIn(zoe.authenticator, {}, { token: await invite(venue.id, 'staff') })
  const path = '/console/passkeys'
  const { body: options } = await owner.ask('POST', `${path}/registration`, {})
  const second = await createAuthenticator()
  await owner.ask('POST', path, { credential: await second.register(options) })
  await owner.ask('POST', `${path}/${second.id}`, { title: 'Phone' })
  await owner.ask('DELETE', `${path}/${second.id}`)
  const { body: invitation } = await owner.to('POST', '/invitations', { role: 'staff' })
  await owner.to('DELETE', `/invitations/${invitation.id}`)
  await owner.to('POST', `/members/${joined.body.user.id}`, { role: 'manager' })
  await owner.to('DELETE', `/members/${joined.body.user.id}`)
  expect(toEntries(await log(venue, '?limit=9')).map((entry) => entry.split(' ')[0])).toEqual([
    'members.delete',
    'members.update',
    'invitations.delete',
    'invitations.create',
    'passkeys.delete',
    'passkeys.update',
    'passkeys.create',
    'sessions.create',
    'members.create',
  ])
})

test('every operation that changes something is recorded', async () => {
  const writing = routes.filter(({ method }) => /^(?:POST|DELETE)$/.test(method))
  const changing = new Set(writing.map(({ method, path }) => `${method} ${path}`))
  // Quotes, published events, backups, and links to chips and sheets change nothing. Only the start of a restore is recorded. workerd cannot recover objects. Tags that an operator imports, batches, requests by
  // external id, pictures, and what a merchant's own keys change of the merchant and its keys are recorded as the single operations are;
  // the copies of tags in KV belong to no merchant. Sign-out ends a session, as its DELETE does. Sessions of the operator belong to no merchant. The operator's invitations are as the merchant's. Applied imports: test/import.
  const others = [...changing].filter((route) =>
    [
      /\/(?:events|quotes|nfc-link|sheet-link|backups|restore\/continue|rebuild-tags|batch|external-id|images|banner|icon|logo)$|\/external\//,
      /^POST \/admin.*\/(?:tags|recover)$|\/imports\/:id\/apply$|^DELETE \/console\/session$|\/console\/operator$|\/admin\/sessions\/:/,
      /^\w+ \/merchants\/:merchantId(?:\/(?:keys|invitations).*)?$/,
      /^POST \/console\/(?:invitation|passkeys\/(?:options|registration))$/,
    ].some((pattern) => pattern.test(route)),
  )
  expect(others).toHaveLength(27 + 2 * samples.length)
  const { results } = await env.DB.prepare('select distinct operation from audit').all()
  expect(results).toHaveLength(changing.size - others.length)
  // The console says each in words.
  const { resources, verbs } = operations
  const wordless = results
    .map(({ operation }) => String(operation))
    .filter((operation) => {
      const [resource = '', ...action] = operation.split('.')
      return !(resource in resources && (operation in verbs || action.join('.') in verbs))
    })
  expect(wordless).toEqual([])
})

describe('the purge', () => {
  test('deletes rows older than 90 days in batches, and no others', async () => {
    const venue = await createVenue()
    const now = Date.now()
    const insert = (prefix: string, rows: number, atMs: number) =>
      env.DB.prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
         insert into audit select ?, i & 1, substr(?, 1, 20) || printf('%010d', i), 1800000000, 'key_' || printf('%026d', i), 'req_' || printf('%026d', i), ?,
           'prod_' || printf('%026d', i) from n`,
      )
        .bind(rows, venue.id, createIdAt('aud', atMs), prefix)
        .run()
    const old = 2 * purgeBounds.rows + 500
    const bytes = async () => (await env.DB.prepare('select 1').run()).meta.size_after
    const size = await bytes()
    await insert('old', old, now - auditRetentionDays * 86_400_000 - 60_000)
    console.log(`figure: bytes in D1 for an entry of the audit log, ${Math.ceil(((await bytes()) - size) / old)}`)
    await insert('young', 10, now - auditRetentionDays * 86_400_000 + 60_000)
    const before = await count(`operation not in ('old', 'young')`)
    expect(await count(`operation = 'old'`)).toBe(old)
    await purgeExpired(env, now)
    expect([await count(`operation = 'old'`), await count(`operation = 'young'`)]).toEqual([0, 10])
    expect(await count(`operation not in ('old', 'young')`)).toBe(before)
  })
})
