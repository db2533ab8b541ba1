import { describe, expect, test } from 'vitest'
import { scopes } from '../../../src/platform/auth/api-keys.ts'
import { adminToken, call, createKey, createVenue, send } from '../../support/api.ts'
import { pictures } from '../../support/pictures.ts'

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
