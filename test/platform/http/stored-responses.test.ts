import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { replaySeconds } from '../../../src/platform/db/idempotency-keys.ts'
import { adminToken, createVenue } from '../../support/api.ts'
import { dump, observe } from '../../support/d1.ts'
import { purgeNow } from '../../support/purges.ts'
import { admin, count, countKeys, newKey, post, postToVenue, useVenue, venue } from './idempotent-requests.ts'

useVenue()

describe('a stored response', () => {
  test('contains no readable secret, key or name', async () => {
    const [merchant, operatorKey, hookKey] = [await createVenue(), newKey(), newKey()]
    const body = { mode: 'live', title: 'Till 77' }
    const keysOf = `${admin}/${merchant.id}/keys`
    const { body: made } = await post(keysOf, body, operatorKey, adminToken)
    const { body: rolled } = await post(`${keysOf}/${made.id}/roll`, {}, operatorKey, adminToken)
    const { body: hook } = await postToVenue('/webhooks', { title: 'x', url: 'https://hooks.example.com/a' }, hookKey)
    const path = `/webhooks/${hook.id}`
    const { body: token } = await postToVenue(`${path}/token/rotate`, undefined, hookKey)
    const { body: secret } = await postToVenue(`${path}/secret/rotate`, undefined, hookKey)
    const { body: guest } = await postToVenue(
      '/customers',
      { firstName: 'Noor', lastName: 'Q', email: 'noor@q.example' },
      hookKey,
    )
    await venue.remove(path)
    await venue.remove(`/customers/${guest.id}`)
    // Events are listed for 30 days, and titles for 90; this test is about rows of idempotency keys.
    for (const table of ['events', 'audit']) await env.DB.prepare(`delete from ${table}`).run()

    const everything = await dump()
    expect(everything).toContain('idempotency_keys')
    for (const text of [made.key, rolled.key, hook.bearerToken, token.bearerToken, secret.secret]) {
      expect(text.length).toBeGreaterThan(20)
      for (const part of [text, text.slice(8), btoa(text).slice(0, 20)]) expect(everything).not.toContain(part)
    }
    for (const text of [operatorKey, hookKey, 'noor@q.example', 'Noor']) expect(everything).not.toContain(text)
    // A repeated request gets the secret again.
    expect((await post(keysOf, body, operatorKey, adminToken)).body).toEqual(made)
    expect((await postToVenue(`${path}/secret/rotate`, undefined, hookKey)).body).toEqual(secret)
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

  test('that cannot be rendered is not replaced by an empty one', async () => {
    const { body: product } = await venue.post('/products', { title: 'Tea', price: 1 })
    const [key, json] = [newKey(), { soldOut: true }]
    await postToVenue(`/products/${product.id}/availability`, json, key)
    await postToVenue('/products', { title: 'Cake', price: 1 }, key)
    // The key of the second path gets the computed response of the first.
    await env.DB.prepare(
      `update idempotency_keys set (answer, computed) =
         (select answer, computed from idempotency_keys where computed is not null and merchant_id = ?1)
       where computed is null and merchant_id = ?1`,
    )
      .bind(venue.id)
      .run()
    const { status, body, isReplayed } = await postToVenue('/products', json, key)
    expect([status, body.code, isReplayed]).toEqual([422, 'invalid_request', false])
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
    const { id } = (await postToVenue('/customers', guest)).body
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
    await purgeNow(env, now * 1000)
    expect(await countKeys()).toBe(1_500)
    expect(await count('idempotency_keys', `id like 'old%'`)).toBe(0)
    await purgeNow(env, (now + 61) * 1000)
    expect(await countKeys()).toBe(0)
  })
})
