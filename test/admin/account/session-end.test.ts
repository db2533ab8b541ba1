import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sessionSeconds } from '../../../src/platform/auth/console-session.ts'
import { adminToken, call, createKey, createVenue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { interceptD1 } from '../../support/moves.ts'
import { createSession, now, sameOrigin, signIn, travelTo } from './session-requests.ts'

afterEach(() => vi.useRealTimers())

describe('a session ends', () => {
  test('at sign-out, which deletes the cookie', async () => {
    const venue = await createVenue()
    const session = await createSession(venue.key)
    const out = await session.request('DELETE', '/console/session')
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      '__Host-session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict',
    ])
    expect((await session.request('GET', `/merchants/${venue.id}/products`)).status).toBe(401)
    expect((await session.request('GET', '/console/session')).status).toBe(401)
    expect((await session.request('DELETE', '/console/session')).status).toBe(204)
    expect((await venue.get('/sessions')).body).toEqual([])
  })

  test('when another sign-in replaces its cookie, also at another merchant', async () => {
    const [first, second] = [await createVenue(), await createVenue()]
    const session = await createSession(first.key)
    const other = await createSession(first.key)
    const failed = await signIn('sk_live_wrong', { ...sameOrigin, cookie: session.cookie })
    expect(failed.status).toBe(401)
    expect((await session.request('GET', '/console/session')).status).toBe(200)
    const next = await signIn(second.key, { ...sameOrigin, cookie: session.cookie })
    expect([next.status, next.body.merchant.id]).toEqual([201, second.id])
    expect((await session.request('GET', '/console/session')).status).toBe(401)
    expect((await first.get('/sessions')).body).toMatchObject([{ id: other.id }])
  })

  test('with its key, within a minute in other isolates', async () => {
    const venue = await createVenue()
    const [kept, revoked] = [await createKey(venue.id, { mode: 'live' }), await createKey(venue.id, { mode: 'live' })]
    const sessions = [await createSession(kept.key), await createSession(revoked.key)]
    const statuses = () =>
      Promise.all(sessions.map(async ({ request }) => (await request('GET', `/merchants/${venue.id}/products`)).status))
    expect(await statuses()).toEqual([200, 200])
    await call('DELETE', `/admin/merchants/${venue.id}/keys/${revoked.keyId}`, adminToken)
    expect(await statuses()).toEqual([200, 401])
    await env.DB.prepare('delete from keys where id = ?').bind(kept.keyId).run()
    travelTo(now() + 60)
    expect(await statuses()).toEqual([401, 401])
    const { results } = await env.DB.prepare('select id from sessions where merchant_id = ?').bind(venue.id).all()
    expect(results).toEqual([])
  })

  test('at once in its isolate, also while another request looks it up', async () => {
    const venue = await createVenue()
    const session = await createSession(venue.key)
    let end: Promise<{ status: number }> | undefined
    const endSession = async () => {
      end ??= venue.remove(`/sessions/${session.id}`)
      await end
    }
    const DB = interceptD1(/from "sessions".* where "sessions"."hash"/s, () => Promise.resolve(), endSession)
    const path = `/merchants/${venue.id}/products`
    const headers = { ...sameOrigin, cookie: session.cookie }
    const used = await observe('GET', path, { headers, bindings: { DB } })
    await used.settled()
    expect([used.status, (await end)?.status]).toEqual([200, 200])
    expect((await session.request('GET', path)).status).toBe(401)
  })

  test('for as long as the merchant is suspended', async () => {
    const venue = await createVenue()
    const session = await createSession(venue.key)
    const status = async () => (await session.request('GET', `/merchants/${venue.id}/products`)).body.code ?? 'ok'
    expect(await status()).toBe('ok')
    await call('POST', `/admin/merchants/${venue.id}/suspend`, adminToken)
    expect(await status()).toBe('merchant_suspended')
    expect((await signIn(venue.key)).body.code).toBe('merchant_suspended')
    await call('POST', `/admin/merchants/${venue.id}/resume`, adminToken)
    expect(await status()).toBe('ok')
  })

  test('when its key expires', async () => {
    const venue = await createVenue()
    const key = await createKey(venue.id, { mode: 'live', expiresAt: now() + 100 })
    const { request } = await createSession(key.key)
    const status = async () => (await request('GET', `/merchants/${venue.id}/products`)).status
    const { id, expiresAt } = (await request('GET', '/console/session')).body
    expect(expiresAt).toBeLessThanOrEqual(now() + 100)
    const owner = await createKey(venue.id, { mode: 'live', scopes: ['keys:write'] })
    const path = `/merchants/${venue.id}/sessions`
    for (const list of [(await request('GET', path)).body, (await owner.get('/sessions')).body]) {
      expect(list).toMatchObject([{ id, key: key.keyId, expiresAt }])
    }
    expect(await status()).toBe(200)
    travelTo(now() + 101)
    expect(await status()).toBe(401)
    expect((await owner.get('/sessions')).body).toEqual([])
    expect((await owner.remove(`/sessions/${id}`)).body.object).toMatchObject({ key: key.keyId, expiresAt })
  })

  test('12 hours after the last use', async () => {
    const venue = await createVenue()
    const { request } = await createSession(venue.key)
    const status = async () => (await request('GET', `/merchants/${venue.id}/products`)).status
    const start = now()
    travelTo(start + 6 * 3600)
    expect(await status()).toBe(200)
    travelTo(start + 18 * 3600 - 60)
    expect(await status()).toBe(200)
    travelTo(start + 30 * 3600)
    expect(await status()).toBe(401)
  })

  test('7 days after the sign-in, however much it is used', async () => {
    const venue = await createVenue()
    const { request, id } = await createSession(venue.key)
    const status = async () => (await request('GET', `/merchants/${venue.id}/products`)).status
    const start = now()
    await env.DB.prepare('update sessions set last_used_at = ? where id = ?')
      .bind(start + 7 * 86_400 - 60, id)
      .run()
    travelTo(start + 7 * 86_400 - 60)
    expect(await status()).toBe(200)
    travelTo(start + 7 * 86_400 + 1)
    expect(await status()).toBe(401)
  })

  test('when another session ends it', async () => {
    const venue = await createVenue()
    const [mine, lost] = [await createSession(venue.key), await createSession(venue.key)]
    const path = `/merchants/${venue.id}/sessions`
    const { body: listed } = await mine.request('GET', path)
    expect(listed).toEqual([
      expect.objectContaining({ id: lost.id, key: venue.keyId, current: false }),
      expect.objectContaining({ id: mine.id, key: venue.keyId, current: true }),
    ])
    const ended = await mine.request('DELETE', `${path}/${lost.id}`)
    expect([ended.status, ended.body]).toEqual([
      200,
      { id: lost.id, object: listed[0], message: 'Session deleted', deleted: true },
    ])
    expect((await lost.request('GET', path)).status).toBe(401)
    expect((await mine.request('DELETE', `${path}/${lost.id}`)).status).toBe(404)
    expect((await mine.request('GET', path)).body.map(({ id }: { id: string }) => id)).toEqual([mine.id])
  })
})

test('a session that is used in its last seconds continues', async () => {
  const venue = await createVenue()
  const session = await createSession(venue.key)
  const status = async () => (await session.request('GET', `/merchants/${venue.id}/products`)).status
  const start = now()
  travelTo(start + sessionSeconds.idle - 10)
  expect(await status()).toBe(200)
  await vi.waitUntil(async () => {
    const row = env.DB.prepare('select last_used_at as at from sessions where id = ?').bind(session.id)
    return Number(await row.first('at')) > start
  })
  travelTo(start + sessionSeconds.idle + 5)
  expect(await status()).toBe(200)
})
