import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { operations } from '../../../console/texts/en/operations.ts'
import { merchantDatabase } from '../../../src/platform/db/home/merchant-connection.ts'
import { deactivation } from '../../../src/webhooks/deactivation.ts'
import { type ApiResponse, adminToken, call, createKey, createVenue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { routes } from '../../support/routes.ts'
import { samples } from '../../support/samples.ts'
import { count, log, toEntries } from './audit-entries.ts'
import {
  createDetailedObjects,
  createTillObjects,
  makeMemberChanges,
  makeMerchantChanges,
  makeTillChanges,
  unrecorded,
} from './audited-changes.ts'

const requestOf = ({ headers }: ApiResponse) => headers.get('request-id')
const admin = (method: string, path: string, json?: unknown) =>
  call(method, `/admin/merchants${path}`, adminToken, json)

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
    const entry = (verb: string, key: string, response: ApiResponse) => ({
      id: expect.stringMatching(/^aud_/),
      at: expect.any(Number),
      key,
      requestId: requestOf(response),
      operation: `${collection}.${verb}`,
      object: made.body.id,
      title: expect.stringMatching(/\S/),
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
    const request = () => venue.post(`/${collection}`, json, key)
    await Promise.all([request(), request(), request()])
    await request()
    const { id } = (await request()).body
    expect(toEntries(await log(venue, `?object=${id}`))).toEqual([`${collection}.create ${id}`])
  })

  test('cost two rows each, and no call of the database', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post(`/${collection}`, body('a'))).body
    const cost = async (method: string, path: string, json?: unknown) => {
      const { trips } = await observe(method, venue.path(path), { key: venue.key, ...(json ? { json } : {}) })
      return [
        trips.length,
        trips.flatMap(({ statements }) => statements).filter((sql) => /into "audit" .*changes\(\)/s.test(sql)).length,
      ]
    }
    expect(await cost('POST', `/${collection}`, body('b'))).toEqual([1, 1])
    expect(await cost('POST', `/${collection}/${id}`, change)).toEqual([2, 1])
    expect(await cost('DELETE', `/${collection}/${id}`)).toEqual([1, 1])
  })
})

test.each(samples.filter(({ name }) => name !== 'webhook'))(
  'the restore of a $name is recorded once',
  async ({ collection, body }) => {
    const venue = await createVenue()
    const { id } = (await venue.post(`/${collection}`, body('a'))).body
    await venue.remove(`/${collection}/${id}`)
    for (let n = 0; n < 2; n++) expect((await venue.post(`/${collection}/${id}/restore`, {})).status).toBe(200)
    const verbs = ['restore', 'delete', 'create'].map((verb) => `${collection}.${verb} ${id}`)
    expect(toEntries(await log(venue, `?object=${id}`))).toEqual(verbs)
  },
)

test('an entry is two rows written, its index included', async () => {
  const before = (await count('1')) ?? 0
  const result = await env.DB.prepare(
    `insert into audit select merchant_id, test_mode, 'aud_x' || id, at, key, request_id, operation, object, title from audit limit 1`,
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
  await venue.post(`${path}/filter`, { thin: true })
  await venue.post(`${path}/test`, {})
  await venue.post(`${path}/deliveries/${event}/retry`, {})
  await env.DB.prepare(`update deliveries set state = 'failed' where event = ?`).bind(event).run()
  await venue.post(`${path}/recover`, { since: Math.floor(Date.now() / 1000) - 60 })
  for (const rest of ['token/rotate', 'secret/rotate', 'filter', 'test', `deliveries/${event}/retry`]) {
    expect((await venue.post(`/webhooks/none/${rest}`, {})).status).toBe(404)
  }
  const entries = await log(venue)
  const expected = ['recover', 'retry', 'test', 'filter.update', 'secret.rotate', 'token.rotate', 'create']
  expect(entries.slice(0, 7).map(({ operation }) => operation)).toEqual(expected.map((verb) => `webhooks.${verb}`))
  expect(new Set(entries.slice(0, 7).map(({ object }) => object))).toEqual(new Set([hook.id]))
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
  const event = { merchantId: venue.id, testMode: false, webhookId: hook.id, webhookVersion: 1, baseUrl: null }
  await deactivation.deactivate(env, merchantDatabase(env, { merchantId: venue.id, home: 'd1' }), event, 'gone')
  const [disabled, tapped] = await log(venue)
  expect(disabled).toMatchObject({ key: 'system', operation: 'webhooks.update', object: hook.id })
  expect(disabled).not.toHaveProperty('requestId')
  expect(tapped).toMatchObject({ key: 'system', operation: 'tags.update', object: tag.id, requestId: requestOf(tap) })
})

test('changes at the till and imports are recorded', async () => {
  const venue = await createVenue()
  const objects = await createTillObjects(venue)
  const before = (await log(venue)).length
  const expected = await makeTillChanges(venue, objects)
  const entries = await log(venue)
  expect(toEntries(entries.slice(0, entries.length - before)).toReversed()).toEqual(expected)
})

test('details, erasures, sessions and states of a merchant are recorded', async () => {
  const venue = await createVenue()
  const objects = await createDetailedObjects(venue)
  const before = (await log(venue)).length
  const expected = await makeMerchantChanges(venue, objects)
  const all = toEntries(await log(venue)).toReversed()
  expect(all.slice(before).filter((entry) => !entry.startsWith('keys.'))).toEqual(expected)
})

test('the start of a restore is recorded', async () => {
  const venue = await createVenue()
  const { takenAt } = (await admin('POST', `/${venue.id}/backups`)).body
  expect((await admin('POST', `/${venue.id}/restore`, { takenAt, replace: true })).status).toBe(200)
  expect(await count(`operation = 'merchants.restore' and object = '${venue.id}'`)).toBe(1)
})

test('changes of members, invitations and passkeys are recorded', async () => {
  const [venue, other] = [await createVenue(), await createVenue()]
  await makeMemberChanges(venue, other)
  expect(toEntries(await log(venue, '?limit=10')).map((entry) => entry.split(' ')[0])).toEqual([
    'members.delete',
    'members.update',
    'invitations.delete',
    'invitations.create',
    'sessions.update',
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
  const others = [...changing].filter((route) => unrecorded.some((pattern) => pattern.test(route)))
  expect(others).toHaveLength(53 + 2 * samples.length)
  const { results } = await env.DB.prepare('select distinct operation from audit').all()
  expect(results).toHaveLength(changing.size - others.length)
  const { resources, verbs } = operations
  const names = results.map(({ operation }) => String(operation))
  const isWordless = (operation: string, [resource = '', ...action] = operation.split('.')) =>
    !(resource in resources && (operation in verbs || action.join('.') in verbs))
  expect(names.filter((name) => isWordless(name))).toEqual([])
})
