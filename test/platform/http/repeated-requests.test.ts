import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import { clearKeyCache } from '../../../src/platform/auth/api-keys.ts'
import { replaySeconds } from '../../../src/platform/db/idempotency-keys.ts'
import { maxKeyLength } from '../../../src/platform/http/idempotency.ts'
import { adminToken, createKey, createVenue } from '../../support/api.ts'
import {
  admin,
  count,
  countKeys,
  createWebhook,
  newKey,
  post,
  postToVenue,
  toReplayed,
  useVenue,
  venue,
} from './idempotent-requests.ts'

useVenue()
const countEvents = (id: string) => count('events', `row ->> 'id' = '${id}'`)

test('fifty concurrent requests with one key: one row, one event, one delivery', async () => {
  const hook = await createWebhook({ events: ['customer.created'] })
  const key = newKey()
  const guest = { firstName: 'Fifty', lastName: key }
  const responses = await Promise.all(Array.from({ length: 50 }, () => postToVenue('/customers', guest, key)))
  expect(responses.filter(({ status, isReplayed }) => status === 201 && !isReplayed)).toHaveLength(1)
  expect(responses.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
  const [id, ...more] = new Set(responses.filter(({ status }) => status === 201).map(({ body }) => body.id))
  expect(more).toEqual([])
  expect(await count('customers', `last_name = '${key}'`)).toBe(1)
  expect(await countEvents(id)).toBe(1)
  const log = (await venue.get(`/webhooks/${hook.id}/deliveries`)).body
  expect(log).toHaveLength(1)
  await venue.remove(`/webhooks/${hook.id}`)
})

test('fifty concurrent requests with different keys: fifty rows', async () => {
  const lastName = newKey()
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => postToVenue('/customers', { firstName: 'A', lastName }, newKey())),
  )
  expect(new Set(responses.map(({ body }) => body.id)).size).toBe(50)
  expect(await count('customers', `last_name = '${lastName}'`)).toBe(50)
})

describe('a repeated request', () => {
  test('gets the first response, even if the object has changed', async () => {
    const [create, update, rotate] = [newKey(), newKey(), newKey()]
    const json = { title: 'Till', url: 'https://hooks.example.com/a' }
    const made = await postToVenue('/webhooks', json, create)
    const path = `/webhooks/${made.body.id}`
    const changed = await postToVenue(path, { title: 'Bar' }, update, { 'if-match': made.headers['etag'] ?? '' })
    const rotated = await postToVenue(`${path}/token/rotate`, undefined, rotate)
    expect(rotated.body.bearerToken).not.toBe(made.body.bearerToken)
    expect((await postToVenue(path, { active: false, title: 'Off' })).status).toBe(200)
    const replay = async () => [
      await postToVenue('/webhooks', json, create),
      // The condition held when it was counted, and does not hold any more.
      await postToVenue(path, { title: 'Bar' }, update, { 'if-match': made.headers['etag'] ?? '' }),
      await postToVenue(path, { title: 'Bar' }, update),
      await postToVenue(`${path}/token/rotate`, undefined, rotate),
    ]
    const expected = [made, changed, changed, rotated].map(toReplayed)
    expect((await replay()).map(toReplayed)).toEqual(expected)
    expect((await venue.get(path)).body.title).toBe('Off')
    await venue.remove(path)
    expect((await replay()).map(toReplayed)).toEqual(expected)
    expect((await venue.get(path)).status).toBe(404)
  })

  test('does not conflict with itself', async () => {
    const [json, key] = [{ title: 'x', code: newKey().slice(0, 40), type: 'FIXED', value: 1 }, newKey()]
    const responses = await Promise.all(Array.from({ length: 20 }, () => postToVenue('/coupons', json, key)))
    for (const { status, body } of responses) if (status === 409) expect(body.code).toBe('idempotency_key_in_use')
    expect(responses.filter(({ isReplayed, status }) => status === 201 && !isReplayed)).toHaveLength(1)
    expect((await postToVenue('/coupons', json, key)).isReplayed).toBe(true)
    expect((await postToVenue('/coupons', json)).body.code).toBe('conflict')
  })

  test('returns the count of the first request', async () => {
    const hook = await createWebhook()
    for (let n = 0; n < 3; n++) await postToVenue('/events', { type: 'order.created', data: {} })
    await env.DB.prepare(
      `update deliveries set state = 'failed' where webhook = (select seq from webhooks where id = ?)`,
    )
      .bind(hook.id)
      .run()
    const [key, json] = [newKey(), { since: Math.floor(Date.now() / 1000) - 60 }]
    const recover = () => postToVenue(`/webhooks/${hook.id}/recover`, json, key)
    const [first, again] = [await recover(), await recover()]
    expect(first.body).toEqual({ recovered: 3 })
    expect(toReplayed(again)).toEqual(toReplayed(first))
    expect((await postToVenue(`/webhooks/${hook.id}/recover`, json, newKey())).body).toEqual({ recovered: 0 })
  })

  test('can have the maximum size of a body', async () => {
    // Quotation marks grow most on their way into the table.
    const metadata = Array.from({ length: 25 }, (_, n) => ({ key: `${n}`, value: '"'.repeat(5_000) }))
    const [json, key] = [{ title: 'Large', price: 1, metadata }, newKey()]
    expect(JSON.stringify(json).length).toBeGreaterThan(250_000)
    const [first, again] = [await postToVenue('/products', json, key), await postToVenue('/products', json, key)]
    expect([first.status, again.isReplayed]).toEqual([201, true])
    expect(toReplayed(again)).toEqual(toReplayed(first))
    const size = await env.DB.prepare('select max(length(answer)) as size from idempotency_keys').first('size')
    // A row may have 2,000,000 bytes.
    expect(size).toBeLessThan(1_000_000)
  })

  test('can use another API key of the same merchant and mode', async () => {
    const rolled = await createKey(venue.id, { mode: 'live' })
    const [key, guest] = [newKey(), { firstName: 'A', lastName: 'B' }]
    const first = await postToVenue('/customers', guest, key)
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
    const responses = [
      await postToVenue('/customers', guest, key),
      await post(stranger.path('/customers'), guest, key, stranger.key),
      await post(venue.path('/customers'), guest, key, tester.key),
      await postToVenue('/products', product, key),
      await post(admin, { name: 'A' }, key, adminToken),
    ]
    expect(responses.map(({ status, isReplayed }) => [status, isReplayed])).toEqual(responses.map(() => [201, false]))
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(5)
    const { body: merchant } = await post(admin, { name: 'A' }, key, adminToken)
    expect(merchant).toEqual(responses[4]?.body)
  })

  test('is rejected without a valid key or scope', async () => {
    const [key, guest] = [newKey(), { firstName: 'A', lastName: 'B' }]
    await postToVenue('/customers', guest, key)
    const reader = await createKey(venue.id, { mode: 'live', scopes: ['customers:read'] })
    expect((await post(venue.path('/customers'), guest, key, 'nonsense')).status).toBe(401)
    expect((await post(venue.path('/customers'), guest, key, reader.key)).status).toBe(403)
    expect((await postToVenue('/customers', guest, key)).isReplayed).toBe(true)
  })

  test('is a new request after a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const [key, guest] = [newKey(), { firstName: 'A', lastName: 'B' }]
    const first = await postToVenue('/customers', guest, key)
    const start = Date.now()
    vi.setSystemTime(start + (replaySeconds - 1) * 1000)
    clearKeyCache()
    expect((await postToVenue('/customers', guest, key)).body).toEqual(first.body)
    vi.setSystemTime(start + (replaySeconds + 1) * 1000)
    const second = await postToVenue('/customers', { ...guest, lastName: 'C' }, key)
    expect([second.status, second.isReplayed, second.body.id === first.body.id]).toEqual([201, false, false])
    expect((await postToVenue('/customers', { ...guest, lastName: 'C' }, key)).body).toEqual(second.body)
  })
})

test('an error response is not stored', async () => {
  const key = newKey()
  expect((await postToVenue('/customers', { firstName: 'A' }, key)).status).toBe(422)
  expect((await postToVenue('/customers', {}, key, { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await postToVenue('/customers', '[', key)).status).toBe(400)
  expect((await postToVenue('/customers', { firstName: 'A', lastName: 'B' }, key)).status).toBe(201)

  const { id } = await createWebhook({ active: false })
  const again = newKey()
  const request = () => postToVenue(`/webhooks/${id}/test`, undefined, again)
  const before = await countKeys()
  expect((await request()).status).toBe(409)
  for (const [path, json] of [
    ['test'],
    ['token/rotate'],
    ['secret/rotate'],
    ['deliveries/evt_1/retry'],
    ['recover', { since: Math.floor(Date.now() / 1000) }],
    ['', { title: 'A' }],
  ] as const) {
    expect([path, (await postToVenue(`/webhooks/none${path && `/${path}`}`, json, newKey())).status]).toEqual([
      path,
      404,
    ])
  }
  expect(await countKeys()).toBe(before)
  await postToVenue(`/webhooks/${id}`, { active: true })
  const [first, second] = [await request(), await request()]
  expect([first.status, first.isReplayed, second.status, second.isReplayed]).toEqual([202, false, 202, true])
})

describe('the Idempotency-Key header', () => {
  const guest = { firstName: 'A', lastName: 'B' }
  const expectIssue = async (key: string, code: string) => {
    const { status, body } = await postToVenue('/customers', guest, key)
    expect([status, body.code, body.errors?.[0]?.parameter, body.errors?.[0]?.code]).toEqual([
      422,
      'invalid_request',
      'Idempotency-Key',
      code,
    ])
  }

  test('has 1 to 255 characters without its quotes', async () => {
    expect(maxKeyLength).toBe(255)
    const before = await countKeys()
    for (const empty of ['""', '"  "']) await expectIssue(empty, 'too_short')
    for (const long of ['x'.repeat(256), `"${'x'.repeat(256)}"`, 'x'.repeat(8_000)]) await expectIssue(long, 'too_long')
    expect(await countKeys()).toBe(before)
    for (const fine of ['a'.repeat(255), `"${'b'.repeat(255)}"`, '0', '"', "';--", '"a\\"b"', 'a b', '%00']) {
      const first = await postToVenue('/customers', guest, fine)
      expect([fine, first.status, first.isReplayed]).toEqual([fine, 201, false])
      expect((await postToVenue('/customers', guest, fine)).isReplayed).toBe(true)
    }
    expect((await postToVenue('/customers', guest, 'a"b')).isReplayed).toBe(true)
  })

  test('is checked after the path, the method and the body', async () => {
    const long = 'x'.repeat(256)
    expect((await postToVenue('/nothing', guest, long)).status).toBe(404)
    expect((await postToVenue('/tags/sheet/x/y', guest, long)).status).toBe(404)
    expect((await postToVenue('/customers', guest, long, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await postToVenue('/customers', '[', long)).status).toBe(400)
    expect((await postToVenue('/customers', 'x'.repeat(262_145), long)).status).toBe(413)
    expect((await postToVenue('/customers/none', guest, long)).status).toBe(422)
    expect((await postToVenue('/webhooks/none/test', undefined, long)).status).toBe(422)
  })

  test('is ignored by other methods', async () => {
    const { body } = await postToVenue('/customers', guest)
    const key = { 'idempotency-key': 'x'.repeat(256) }
    expect((await venue.get(`/customers/${body.id}`, key)).status).toBe(200)
    expect((await venue.remove(`/customers/${body.id}`, key)).status).toBe(200)
  })
})
