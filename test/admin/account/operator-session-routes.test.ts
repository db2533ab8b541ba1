import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { sessionSeconds } from '../../../src/platform/auth/console-session.ts'
import { maxOperatorSessions, operatorCookieName } from '../../../src/platform/auth/operator/operator-sessions.ts'
import { cookieName } from '../../../src/platform/auth/sessions.ts'
import { adminToken, call, createVenue, send } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { withLateDatabase } from '../../support/database-clock.ts'
import { purgeNow } from '../../support/purges.ts'

afterEach(() => vi.useRealTimers())

const now = () => Math.floor(Date.now() / 1000)
const travelTo = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 })
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

const signIn = (token: string, headers: Record<string, string> = sameOrigin) =>
  call('POST', '/console/operator', undefined, { token }, headers)

/** A session of the operator, with calls that carry its cookie as the console sends them. */
async function createSession() {
  const { status, headers, body } = await signIn(adminToken)
  expect(status).toBe(201)
  const [, token = ''] = /^__Host-operator=(\w+);/.exec(headers.get('set-cookie') ?? '') ?? []
  const cookie = `${operatorCookieName}=${token}`
  const request = (method: string, path: string, json?: unknown, more: Record<string, string> = {}) =>
    call(method, path, undefined, json, { cookie, ...sameOrigin, ...more })
  return { id: body.id as string, token, cookie, request }
}

test('a session of the operator that has ended when it is looked up is not accepted', async () => {
  const { request } = await createSession()
  const list = () => request('GET', '/admin/merchants')
  expect((await withLateDatabase(sessionSeconds.idle - 2, list)).status).toBe(200)
  expect((await withLateDatabase(sessionSeconds.idle + 1, list)).status).toBe(401)
})

test('the operator token is exchanged for a session that may use all operations of the operator', async () => {
  const { status, headers, body } = await signIn(adminToken)
  expect([status, body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^ses_/),
      createdAt: expect.any(Number),
      lastUsedAt: expect.any(Number),
      expiresAt: body.createdAt + sessionSeconds.idle,
      current: true,
    },
  ])
  expect(headers.get('set-cookie')).toMatch(
    /^__Host-operator=[0-9A-HJKMNP-TV-Z]{32}; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Strict$/,
  )
  const session = await createSession()
  const created = await session.request('POST', '/admin/merchants', { name: 'Otter' })
  expect(created.status).toBe(201)
  expect((await session.request('GET', `/admin/merchants/${created.body.id}`)).status).toBe(200)
  const stored = await env.DB.prepare('select hash from operator_sessions where id = ?').bind(session.id).first('hash')
  expect(stored).toMatch(/^[0-9a-f]{64}$/)
  expect(stored).not.toContain(session.token)
})

test('another token, another site and a form do not sign in', async () => {
  const venue = await createVenue()
  expect((await call('POST', '/console/operator', undefined, {}, sameOrigin)).status).toBe(401)
  for (const token of ['wrong', `${adminToken}x`, venue.key]) expect((await signIn(token)).status).toBe(401)
  expect((await signIn('')).status).toBe(422)
  for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }]) {
    expect((await signIn(adminToken, headers)).status).toBe(403)
  }
  const headers = { ...sameOrigin, 'content-type': 'text/plain' }
  const form = await send('/console/operator', { method: 'POST', headers, body: `{"token":"${adminToken}"}` })
  expect(form.status).toBe(415)
})

test('the cookie is accepted only from a page of the same origin, and opens nothing else', async () => {
  const [venue, session] = [await createVenue(), await createSession()]
  const path = `/admin/merchants/${venue.id}`
  for (const site of ['cross-site', 'same-site', 'none']) {
    const other = { 'sec-fetch-site': site }
    expect([site, (await session.request('GET', path, undefined, other)).status]).toEqual([site, 403])
    expect([site, (await session.request('POST', `${path}/suspend`, {}, other)).status]).toEqual([site, 403])
  }
  const headers = { cookie: session.cookie, ...sameOrigin, 'content-type': 'text/plain' }
  expect((await send(`${path}/suspend`, { method: 'POST', headers, body: '{}' })).status).toBe(403)
  expect((await session.request('GET', `/merchants/${venue.id}/products`)).status).toBe(401)
  const renamed = { cookie: `${cookieName}=${session.token}`, ...sameOrigin }
  expect((await send(`/merchants/${venue.id}/products`, { headers: renamed })).status).toBe(401)
  // A request that has `Authorization` uses that.
  expect((await session.request('GET', path, undefined, { authorization: 'Bearer wrong' })).status).toBe(401)
  expect((await session.request('GET', path)).status).toBe(200)
})

test('sessions are listed and ended, at once', async () => {
  const [mine, other] = [await createSession(), await createSession()]
  const list = await mine.request('GET', '/admin/sessions')
  expect(list.body.filter(({ current }: { current: boolean }) => current)).toMatchObject([{ id: mine.id }])
  expect(list.body).toContainEqual(expect.objectContaining({ id: other.id, current: false }))
  expect((await call('GET', '/admin/sessions', adminToken)).body).toContainEqual(
    expect.objectContaining({ id: mine.id, current: false }),
  )
  const ended = await mine.request('DELETE', `/admin/sessions/${other.id}`)
  expect([ended.status, ended.body.object.id, ended.headers.get('set-cookie')]).toEqual([200, other.id, null])
  expect((await other.request('GET', '/admin/sessions')).status).toBe(401)
  expect((await mine.request('DELETE', `/admin/sessions/${other.id}`)).status).toBe(404)
  const own = await mine.request('DELETE', `/admin/sessions/${mine.id}`)
  expect(own.headers.get('set-cookie')).toContain('__Host-operator=; Path=/; Max-Age=0')
  expect((await mine.request('GET', '/admin/sessions')).status).toBe(401)
})

test('a session ends without use, with time, and with another ADMIN_TOKEN', async () => {
  const session = await createSession()
  const status = async () => (await session.request('GET', '/admin/sessions')).status
  const start = now()
  travelTo(start + sessionSeconds.idle - 2)
  expect(await status()).toBe(200)
  await vi.waitUntil(async () => {
    const row = env.DB.prepare('select last_used_at as at from operator_sessions where id = ?').bind(session.id)
    return Number(await row.first('at')) > start
  })
  travelTo(start + 2 * sessionSeconds.idle - 10)
  expect(await status()).toBe(200)
  travelTo(start + sessionSeconds.total + 2)
  await env.DB.prepare('update operator_sessions set last_used_at = ? where id = ?').bind(now(), session.id).run()
  expect(await status()).toBe(401)
  vi.useRealTimers()
  const another = await createSession()
  const headers = { cookie: another.cookie, ...sameOrigin }
  const bindings = { ADMIN_TOKEN: 'another-admin-token' }
  expect((await observe('GET', '/admin/sessions', { headers, bindings })).status).toBe(401)
  expect((await observe('GET', '/admin/sessions', { headers })).status).toBe(200)
})

test(`there are at most ${maxOperatorSessions} sessions, and expired ones are purged`, async () => {
  const first = await createSession()
  await env.DB.prepare('delete from operator_sessions where id <> ?').bind(first.id).run()
  await env.DB.prepare(
    `insert into operator_sessions select 'ses_zzz' || value, 'h' || value, created_at, last_used_at, null, null, null
     from operator_sessions, json_each(?)`,
  )
    .bind(JSON.stringify(Array.from({ length: maxOperatorSessions - 1 }, (_, index) => index)))
    .run()
  const count = () => env.DB.prepare('select count(*) as n from operator_sessions').first<number>('n')
  expect(await count()).toBe(maxOperatorSessions)
  await createSession()
  expect(await count()).toBe(maxOperatorSessions)
  expect((await first.request('GET', '/admin/sessions')).status).toBe(401)
  await env.DB.prepare(`update operator_sessions set id = 'ses_0' where id = 'ses_zzz1'`).run()
  expect(await purgeNow(env, Date.now())).toMatchObject({ operator_sessions: 1 })
})
