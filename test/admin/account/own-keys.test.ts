import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { scopes } from '../../../src/platform/auth/api-keys.ts'
import { adminToken, call, createKey, createVenue, toIssues } from '../../support/api.ts'
import { createMember } from '../../support/authenticator.ts'
import { createSession, now } from './session-requests.ts'

const owner = { mode: 'live', scopes: [...scopes] }

describe('keys of the merchant', () => {
  test('are created, listed, rolled and revoked', async () => {
    const venue = await createVenue()
    const key = await createKey(venue.id, owner)
    const made = await key.post('/keys', { mode: 'live', title: 'Till', scopes: ['products:read'] })
    expect([made.status, made.body.key]).toEqual([201, expect.stringMatching(/^sk_live_/)])
    expect((await call('GET', `/merchants/${venue.id}/products`, made.body.key)).status).toBe(200)
    expect((await key.get('/keys')).body[0]).toMatchObject({ id: made.body.id, title: 'Till', last4: made.body.last4 })
    const rolled = await key.post(`/keys/${made.body.id}/roll`, { overlap: 0 })
    expect(rolled.status).toBe(201)
    expect((await call('GET', `/merchants/${venue.id}/products`, made.body.key)).status).toBe(401)
    expect((await key.remove(`/keys/${rolled.body.id}`)).status).toBe(200)
    expect((await call('GET', `/merchants/${venue.id}/products`, rolled.body.key)).status).toBe(401)
    const { body: audit } = await key.get('/audit')
    expect(audit[0]).toMatchObject({ key: key.keyId, operation: 'keys.delete', object: rolled.body.id })
  })

  test('roll themselves without overlap', async () => {
    const venue = await createVenue()
    const key = await createKey(venue.id, owner)
    const rolled = await key.post(`/keys/${key.keyId}/roll`, { overlap: 0 })
    expect([rolled.status, rolled.body.code]).toEqual([201, undefined])
    expect((await call('GET', `/merchants/${venue.id}/products`, rolled.body.key)).status).toBe(200)
    expect((await key.get('/products')).status).toBe(401)
  })

  test('never have more rights than the key that creates or rolls them', async () => {
    const venue = await createVenue()
    const maker = await createKey(venue.id, { mode: 'live', scopes: ['keys:write', 'products:write', 'menus:read'] })
    const strong = await createKey(venue.id, owner)
    const attempts: [object, number][] = [
      [{ mode: 'live' }, 403],
      [{ mode: 'live', scopes: ['menus:write'] }, 403],
      [{ mode: 'live', scopes: ['products:read', 'merchant:read'] }, 403],
      [{ mode: 'live', scopes: ['products:read', 'products:write', 'menus:read', 'keys:read'] }, 201],
      [{ mode: 'test', scopes: ['products:write'] }, 201],
    ]
    for (const [body, status] of attempts) {
      expect([body, (await maker.post('/keys', body)).status]).toEqual([body, status])
    }
    expect((await maker.post(`/keys/${strong.keyId}/roll`, {})).status).toBe(403)
    expect((await maker.post(`/keys/${venue.keyId}/roll`, {})).status).toBe(403)
    expect((await maker.post(`/keys/${maker.keyId}/roll`, {})).status).toBe(201)
    expect((await strong.post('/keys', { mode: 'live' })).status).toBe(201)
  })

  test('live no longer than the key that creates or rolls them', async () => {
    const venue = await createVenue()
    const expiresAt = now() + 600
    const maker = await createKey(venue.id, { ...owner, expiresAt })
    const { key } = await createKey(venue.id, owner)
    const create = async (fields: object) => {
      const made = await maker.post('/keys', { mode: 'live', ...fields })
      return made.status === 201 ? made.body.expiresAt : toIssues(made)
    }
    expect([await create({}), await create({ expiresAt: null })]).toEqual([expiresAt, expiresAt])
    expect(await create({ expiresAt: expiresAt - 60 })).toBe(expiresAt - 60)
    expect(await create({ expiresAt })).toBe(expiresAt)
    expect(await create({ expiresAt: expiresAt + 1 })).toEqual(['/expiresAt too_large'])
    expect((await maker.post(`/keys/${venue.keyId}/roll`, {})).status).toBe(403)
    expect((await maker.post(`/keys/${maker.keyId}/roll`, {})).body.expiresAt).toBe(expiresAt)
    // Closing the merchant ends sessions; keys and members keep their rights.
    const session = await createSession(key)
    const member = await createMember(venue.id)
    for (const by of [session.request, member.request]) {
      const path = `/merchants/${venue.id}/keys`
      const { status, body } = await by('POST', path, { mode: 'live' })
      expect([status, body.expiresAt]).toEqual([201, undefined])
      expect((await by('POST', `${path}/${body.id}/roll`, {})).status).toBe(201)
    }
    const { body } = await (await createSession(maker.key)).request('POST', `/merchants/${venue.id}/keys`, {
      mode: 'live',
    })
    expect(body.expiresAt).toBe(expiresAt)
  })

  test('are not created or rolled by a key that another isolate revoked, or that has expired', async () => {
    const venue = await createVenue()
    const target = await createKey(venue.id, { mode: 'live' })
    const known = [venue.keyId, target.keyId]
    for (const end of ['delete from keys where id = ?', 'update keys set expires_at = 1 where id = ?']) {
      for (const [path, body] of [
        ['/keys', { mode: 'live' }],
        [`/keys/${target.keyId}/roll`, { overlap: 0 }],
      ] as const) {
        const key = await createKey(venue.id, owner)
        known.push(key.keyId)
        expect((await key.get('/products')).status).toBe(200)
        await env.DB.prepare(end).bind(key.keyId).run()
        const { status, body: problem } = await key.post(path, body)
        expect([path, status, problem.code]).toEqual([path, 401, 'unauthenticated'])
        expect((await key.get('/products')).status).toBe(401)
      }
    }
    const { body: keys } = await call('GET', `/admin/merchants/${venue.id}/keys`, adminToken)
    expect(keys.filter(({ id }: { id: string }) => !known.includes(id))).toEqual([])
    expect((await target.get('/products')).status).toBe(200)
  })

  test('of live mode are out of reach of a test key', async () => {
    const venue = await createVenue()
    const tester = await createKey(venue.id, { ...owner, mode: 'test' })
    expect((await tester.post('/keys', { mode: 'live', scopes: ['products:read'] })).status).toBe(403)
    expect((await tester.post(`/keys/${venue.keyId}/roll`, {})).status).toBe(403)
    expect((await tester.remove(`/keys/${venue.keyId}`)).status).toBe(404)
    expect((await venue.get('/products')).status).toBe(200)
    const made = await tester.post('/keys', { mode: 'test', scopes: ['products:read'] })
    expect(made.status).toBe(201)
    expect((await tester.remove(`/keys/${made.body.id}`)).status).toBe(200)
  })

  test('of another merchant are unknown', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    const key = await createKey(venue.id, owner)
    expect((await key.remove(`/keys/${other.keyId}`)).status).toBe(404)
    expect((await key.post(`/keys/${other.keyId}/roll`, {})).status).toBe(404)
    expect((await call('GET', `/merchants/${other.id}/keys`, key.key)).status).toBe(403)
  })

  test('are shown again by an Idempotency-Key to the session that created them, whatever other cookies there are', async () => {
    const venue = await createVenue()
    const { key } = await createKey(venue.id, owner)
    const [session, stranger] = [await createSession(key), await createSession(key)]
    const create = (cookie: string) =>
      session.request(
        'POST',
        `/merchants/${venue.id}/keys`,
        { mode: 'live', scopes: ['products:read'] },
        {
          'idempotency-key': 'k1',
          cookie,
        },
      )
    const { status, body } = await create(session.cookie)
    expect(status).toBe(201)
    expect((await create(`__cf_bm=abc; ${session.cookie}; more=1`)).body).toEqual(body)
    expect((await create(stranger.cookie)).body.code).toBe('idempotency_key_reused')
  })

  test('are shown again by an Idempotency-Key only to the key that created them', async () => {
    const venue = await createVenue()
    const [maker, other] = [await createKey(venue.id, owner), await createKey(venue.id, owner)]
    const body = { mode: 'live', scopes: ['products:read'] }
    const once = { 'idempotency-key': '1' }
    const made = await maker.post('/keys', body, once)
    const again = await maker.post('/keys', body, once)
    expect([again.status, again.body]).toEqual([201, made.body])
    const guess = await other.post('/keys', body, once)
    expect([guess.status, guess.body.code, JSON.stringify(guess.body).includes('sk_live_')]).toEqual([
      422,
      'idempotency_key_reused',
      false,
    ])
  })
})
