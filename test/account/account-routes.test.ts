import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { scopes } from '../../src/auth/api-keys.ts'
import { adminToken, call, createKey, createVenue, send, toIssues } from '../support/api.ts'
import { createMember } from '../support/authenticator.ts'
import { pictures } from '../support/pictures.ts'
import { createSession, now } from './session-requests.ts'

const owner = { mode: 'live', scopes: [...scopes] }

test('a key without a list of scopes has none of the account', async () => {
  const venue = await createVenue()
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['POST', '', { name: 'Mine' }],
    ['GET', '/keys', undefined],
    ['POST', '/keys', { mode: 'live' }],
    ['POST', `/keys/${venue.keyId}/roll`, {}],
    ['DELETE', `/keys/${venue.keyId}`, undefined],
  ] as const) {
    const { status, body: problem } = await venue.request(method, path, body)
    expect([method, path, status]).toEqual([method, path, 403])
    expect(problem.detail).toMatch(/\b(?:merchant|keys):(?:read|write)\b/)
  }
  const { body } = await call('GET', `/admin/merchants/${venue.id}/keys`, adminToken)
  expect(body[0].scopes).not.toContain('keys:read')
})

describe('the merchant', () => {
  test('is read and changed with its own key, as by the operator', async () => {
    const venue = await createVenue({ name: 'Otter' })
    const key = await createKey(venue.id, owner)
    const { status, headers, body } = await key.get('')
    const seen = await call('GET', `/admin/merchants/${venue.id}`, adminToken)
    const { home, ...shown } = seen.body
    expect([status, body, typeof home]).toEqual([200, shown, 'string'])
    const changed = await key.post('', { name: 'Otters', taxRate: '7' }, { 'if-match': headers.get('etag') ?? '' })
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...body, name: 'Otters', taxRate: 7, updatedAt: expect.any(Number) },
    ])
    expect((await key.post('', { name: 'x' }, { 'if-match': headers.get('etag') ?? '' })).status).toBe(412)
    expect((await key.get('')).body).toEqual(changed.body)
    expect((await key.get('/audit')).body[0]).toMatchObject({ key: key.keyId, operation: 'merchants.update' })
    expect((await key.request('DELETE', '')).status).toBe(405)
  })

  test('is not changed by a test key, or by the key of another merchant', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    const tester = await createKey(venue.id, { ...owner, mode: 'test' })
    const stranger = await createKey(other.id, owner)
    expect((await tester.get('')).status).toBe(200)
    expect((await tester.post('', { name: 'x' })).status).toBe(403)
    expect((await call('GET', `/merchants/${venue.id}`, stranger.key)).status).toBe(403)
    expect((await call('POST', `/merchants/${venue.id}`, stranger.key, { name: 'x' })).status).toBe(403)
  })

  test('gets a logo by an upload, once for each Idempotency-Key', async () => {
    const venue = await createVenue()
    const key = await createKey(venue.id, owner)
    const upload = (headers: Record<string, string> = {}) =>
      key.raw('/logo', pictures.png, { 'content-type': 'image/png', ...headers })
    const { updatedAt } = (await key.get('')).body
    const { status, headers, body } = await upload({ 'idempotency-key': 'logo' })
    expect([status, body]).toEqual([201, { url: expect.stringContaining('/i/'), width: 20, height: 40 }])
    expect(headers.get('location')).toBe(body.url)
    expect((await key.get('')).body).toMatchObject({ logo: body.url })
    expect((await key.get('/audit')).body[0]).toMatchObject({ key: key.keyId, operation: 'merchants.update' })
    expect((await send(new URL(body.url).pathname)).headers.get('content-type')).toBe('image/png')

    await key.post('', { logo: null })
    expect((await upload({ 'idempotency-key': 'logo' })).body).toEqual(body)
    expect((await key.get('')).body.logo).toBeUndefined()
    expect((await upload()).body).toEqual(body)
    expect((await key.get('')).body.logo).toBe(body.url)
    expect((await upload({ 'if-match': '"1-x"' })).status).toBe(412)
    expect((await key.get('')).body.updatedAt).toBeGreaterThan(updatedAt)
  })

  test('takes no logo from keys without its scope, of test mode, or of another merchant', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    const readOnly = await createKey(venue.id, { mode: 'live', scopes: ['merchant:read', 'products:write'] })
    const tester = await createKey(venue.id, { ...owner, mode: 'test' })
    const stranger = await createKey(other.id, owner)
    for (const { key } of [venue, readOnly, tester, stranger]) {
      const { status } = await send(`/merchants/${venue.id}/logo`, {
        method: 'POST',
        body: pictures.png,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' },
      })
      expect(status).toBe(403)
    }
    const { body } = await call('GET', `/admin/merchants/${venue.id}`, adminToken)
    expect(body.logo).toBeUndefined()
  })

  test('leads guests to a changed address at once', async () => {
    const venue = await createVenue({ orderingUrl: 'https://one.example/' })
    const key = await createKey(venue.id, owner)
    const { body: tag } = await venue.post('/tags', {})
    const location = async () => (await call('GET', `/t/${tag.id}`, undefined)).headers.get('location')
    expect(await location()).toContain('one.example')
    await key.post('', { orderingUrl: 'https://two.example/' })
    expect(await location()).toContain('two.example')
  })
})

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
    // Sessions end, the rights of their keys and members do not.
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
