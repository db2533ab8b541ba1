import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { maxSessionsPerKey } from '../../../src/admin/account/session-statements.ts'
import { defaultScopes, scopes } from '../../../src/platform/auth/api-keys.ts'
import { sessionSeconds } from '../../../src/platform/auth/console-session.ts'
import { cookieName } from '../../../src/platform/auth/sessions.ts'
import { adminToken, call, createKey, createVenue, send, toIssues } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { createSession, now, sameOrigin, signIn, travelTo } from './session-requests.ts'

afterEach(() => vi.useRealTimers())
const json = { 'content-type': 'application/json' }

describe('sign-in', () => {
  test('exchanges a key for a session with its scopes and its mode', async () => {
    const venue = await createVenue({ name: 'Otter', timezone: 'Europe/Lisbon' })
    const key = await createKey(venue.id, { mode: 'test', scopes: ['products:read'] })
    const { status, headers, body } = await signIn(key.key)
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^ses_/),
        key: key.keyId,
        mode: 'test',
        scopes: ['products:read'],
        expiresAt: expect.any(Number),
        merchant: { id: venue.id, name: 'Otter', timezone: 'Europe/Lisbon', currency: 'EUR' },
      },
    ])
    expect(body.expiresAt - now()).toBeGreaterThan(sessionSeconds.idle - 10)
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-session=[0-9A-HJKMNP-TV-Z]{32}; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Strict$/,
    )
    const session = await createSession(key.key)
    // The second session may have started a second later.
    const own = { ...body, id: session.id, expiresAt: expect.any(Number) }
    expect((await session.request('GET', '/console/session')).body).toEqual(own)
    expect((await session.request('GET', `/merchants/${venue.id}/products`)).status).toBe(200)
    expect((await session.request('POST', `/merchants/${venue.id}/products`, { title: 'x', price: 1 })).status).toBe(
      403,
    )
    const all = await signIn(venue.key)
    expect(all.body.scopes).toEqual(defaultScopes)
  })

  test('rejects other credentials alike', async () => {
    const venue = await createVenue()
    const revoked = await createKey(venue.id, { mode: 'live' })
    await call('DELETE', `/admin/merchants/${venue.id}/keys/${revoked.keyId}`, adminToken)
    for (const key of [revoked.key, 'sk_live_nonsense', adminToken, `${venue.key}x`]) {
      const { status, headers, body } = await signIn(key)
      expect([status, body.code, headers.has('set-cookie')]).toEqual([401, 'unauthenticated', false])
    }
    expect(toIssues(await signIn(''))).toEqual(['/key too_short'])
    expect(toIssues(await signIn('x'.repeat(128)))).toEqual(['401 unauthenticated'])
    expect(toIssues(await signIn('x'.repeat(129)))).toEqual(['/key too_long'])
  })

  test('is possible only from a page of the same origin and with JSON', async () => {
    const venue = await createVenue()
    for (const site of [{}, ...['cross-site', 'same-site', 'none'].map((value) => ({ 'sec-fetch-site': value }))]) {
      const { status, headers } = await signIn(venue.key, site)
      expect([site, status, headers.has('set-cookie')]).toEqual([site, 403, false])
    }
    const body = JSON.stringify({ key: venue.key })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { ...sameOrigin, 'content-type': type }
      expect((await send('/console/session', { method: 'POST', body, headers })).status).toBe(415)
    }
  })

  test('beyond the limit of failures returns 429, and keeps accepting the key', async () => {
    const venue = await createVenue()
    let failures = 0
    const MISSES = { limit: async () => ({ success: ++failures <= 3 }) }
    const bindings = { RATE_LIMITS: 'on', MISSES }
    const attempt = (key: string) =>
      observe('POST', '/console/session', { json: { key }, headers: sameOrigin, bindings })
    const statuses = []
    for (let index = 0; index < 5; index++) statuses.push((await attempt(`sk_live_${index}`)).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect((await attempt(venue.key)).status).toBe(201)
  })

  test(`a key has at most ${maxSessionsPerKey} sessions: a further one ends the oldest`, async () => {
    const venue = await createVenue()
    const first = await createSession(venue.key)
    await env.DB.prepare(
      `insert into sessions (id, merchant_id, key_id, hash, created_at, last_used_at) select 'ses_zzz' || value, merchant_id, key_id, 'h' || value, created_at, last_used_at
       from sessions, json_each(?) where sessions.id = ?`,
    )
      .bind(JSON.stringify(Array.from({ length: maxSessionsPerKey - 2 }, (_, index) => index)), first.id)
      .run()
    const list = async () => (await venue.get('/sessions?limit=100')).body.map(({ id }: { id: string }) => id)
    await createSession(venue.key)
    expect(await list()).toHaveLength(maxSessionsPerKey)
    expect(await list()).toContain(first.id)
    await createSession(venue.key)
    expect(await list()).toHaveLength(maxSessionsPerKey)
    expect(await list()).not.toContain(first.id)
  })
})

describe('a request with the cookie', () => {
  test('is accepted only from a page of the same origin', async () => {
    const venue = await createVenue()
    const session = await createSession(venue.key)
    const path = `/merchants/${venue.id}/products`
    for (const site of ['cross-site', 'same-site', 'none']) {
      const other = { 'sec-fetch-site': site }
      expect([site, (await session.request('GET', path, undefined, other)).status]).toEqual([site, 403])
      expect([site, (await session.request('POST', path, { title: 'x', price: 1 }, other)).status]).toEqual([site, 403])
      expect([site, (await session.request('DELETE', '/console/session', undefined, other)).status]).toEqual([
        site,
        403,
      ])
    }
    expect((await send(path, { headers: { cookie: session.cookie } })).status).toBe(403)
    expect((await session.request('GET', path)).status).toBe(200)
  })

  test('has a body that no form of another site can send', async () => {
    const venue = await createVenue()
    const session = await createSession(venue.key)
    const path = `/merchants/${venue.id}/webhooks/wh_1/test`
    const types: Record<string, number> = {
      'application/json': 404,
      'application/json; charset=utf-8': 404,
      'text/csv': 404,
      'application/jsonl': 404,
      'image/png': 404,
      'text/plain': 403,
      'application/x-www-form-urlencoded': 403,
      'multipart/form-data; boundary=x': 403,
      'text/plain; application/json': 403,
      '': 403,
    }
    for (const [type, status] of Object.entries(types)) {
      const headers = { cookie: session.cookie, ...sameOrigin, ...(type && { 'content-type': type }) }
      expect([type, (await send(path, { method: 'POST', headers })).status]).toEqual([type, status])
    }
    const multipart = { 'content-type': 'multipart/form-data; boundary=x', 'x-requested-with': 'console' }
    const headers = { cookie: session.cookie, ...sameOrigin, ...multipart }
    expect((await send(path, { method: 'POST', headers })).status).toBe(404)
    expect((await session.request('DELETE', `/merchants/${venue.id}/products/prod_1`)).status).toBe(404)
  })

  test('uses the Authorization header if there is one', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    const session = await createSession(venue.key)
    const get = (id: string, authorization: string) =>
      send(`/merchants/${id}/products`, { headers: { cookie: session.cookie, ...sameOrigin, authorization } })
    expect((await get(other.id, `Bearer ${other.key}`)).status).toBe(200)
    expect((await get(venue.id, `Bearer ${other.key}`)).status).toBe(403)
    expect((await get(venue.id, 'Bearer wrong')).status).toBe(401)
    expect((await get(venue.id, 'Basic eDp5')).status).toBe(401)
  })

  test('reaches neither another merchant nor the operator', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    const session = await createSession(venue.key)
    expect((await session.request('GET', `/merchants/${other.id}/products`)).status).toBe(403)
    expect((await session.request('GET', `/merchants/${other.id}/sessions`)).status).toBe(403)
    expect((await session.request('GET', `/admin/merchants/${venue.id}`)).status).toBe(401)
  })

  test('with an unknown or malformed token is not accepted', async () => {
    const venue = await createVenue()
    const { token } = await createSession(venue.key)
    for (const wrong of [`${token.slice(1)}0`, token.slice(1), `${token}0`, token.toLowerCase(), '']) {
      const cookie = `${cookieName}=${wrong}`
      const response = await send(`/merchants/${venue.id}/products`, { headers: { cookie, ...sameOrigin } })
      expect([wrong, response.status]).toEqual([wrong, 401])
    }
    const renamed = await send(`/merchants/${venue.id}/products`, {
      headers: { cookie: `x${cookieName}=${token}`, ...sameOrigin },
    })
    expect(renamed.status).toBe(401)
  })

  test('costs a round trip once in 30 seconds, like a key', async () => {
    const venue = await createVenue()
    const session = await createSession(venue.key)
    const get = () =>
      observe('GET', `/merchants/${venue.id}/products`, { headers: { cookie: session.cookie, ...sameOrigin } })
    expect((await get()).trips).toHaveLength(2)
    expect((await get()).trips).toHaveLength(1)
    travelTo(now() + 31)
    expect((await get()).trips).toHaveLength(2)
  })
})

test('sign-in and the end of a session are in the audit log; no token is stored', async () => {
  const venue = await createVenue()
  const session = await createSession(venue.key)
  await session.request('DELETE', '/console/session')
  const second = await createSession(venue.key)
  const { body } = await venue.get('/audit?order=asc')
  expect(body.map(({ key, operation, object }: Record<string, string>) => [key, operation, object]).slice(-3)).toEqual([
    [venue.keyId, 'sessions.create', session.id],
    [venue.keyId, 'sessions.delete', session.id],
    [venue.keyId, 'sessions.create', second.id],
  ])
  const { results } = await env.DB.prepare('select * from sessions').all()
  expect(JSON.stringify(results)).not.toContain(second.token)
  expect(scopes).not.toEqual(defaultScopes)
})

test('an Idempotency-Key does not repeat a sign-in: the token is in no stored response', async () => {
  const venue = await createVenue()
  const headers = { ...sameOrigin, ...json, 'idempotency-key': 'once' }
  const [first, second] = [await signIn(venue.key, headers), await signIn(venue.key, headers)]
  expect([first.status, second.status]).toEqual([201, 201])
  expect(first.headers.get('set-cookie')).not.toBe(second.headers.get('set-cookie'))
})
