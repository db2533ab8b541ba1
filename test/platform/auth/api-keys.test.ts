import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { clearKeyCache } from '../../../src/platform/auth/api-keys.ts'
import { createKey as generateKey } from '../../../src/platform/auth/key-format.ts'
import { hashKey } from '../../../src/platform/lib/encoding/sha256.ts'
import { adminToken, call, createKey, createVenue, send, toIssues } from '../../support/api.ts'
import { dump, observe } from '../../support/d1.ts'
import { interceptD1 } from '../../support/moves.ts'

afterEach(() => vi.useRealTimers())

/** Sets the clock, which keeps running. */
const travelTo = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 })
const now = () => Math.floor(Date.now() / 1000)
const admin = (method: string, path: string, json?: unknown) =>
  call(method, `/admin/merchants${path}`, adminToken, json)
const statusOf = async (key: string, path: string) => (await call('GET', path, key)).status

/** Replaces one digit of a key. */
const mistype = (key: string, at: number) => key.slice(0, at) + (key[at] === '7' ? '8' : '7') + key.slice(at + 1)

describe('a key', () => {
  test.each(['live', 'test'] as const)('in %s mode has the prefix of its mode and is returned once', async (mode) => {
    const venue = await createVenue()
    const { status, body } = await admin('POST', `/${venue.id}/keys`, { mode, title: ' Till 1 ' })
    expect(status).toBe(201)
    const { key, ...shown } = body
    expect(key).toMatch(new RegExp(`^sk_${mode}_[0-9A-HJKMNP-TV-Z]{39}$`))
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_[0-9a-hjkmnp-tv-z]{26}$/),
      mode,
      title: 'Till 1',
      prefix: `sk_${mode}_`,
      last4: key.slice(-4),
      scopes: expect.arrayContaining(['products:read', 'webhooks:write', 'events:write', 'audit:read']),
      createdAt: expect.any(Number),
    })
    const { body: list } = await admin('GET', `/${venue.id}/keys`)
    expect(list[0]).toEqual(shown)
    expect(JSON.stringify(list)).not.toContain(key)
    expect(
      (await call('POST', `/merchants/${venue.id}/customers`, key, { firstName: 'A', lastName: 'B' })).body.testMode,
    ).toBe(mode === 'test')
  })

  test('is stored as its SHA-256 only', async () => {
    const { key, get } = await createVenue()
    await get('/products')
    const everything = await dump()
    expect(everything).toContain(await hashKey(key))
    expect(await hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    for (const part of [key, key.slice(8), key.slice(8, 24), key.slice(-12)]) expect(everything).not.toContain(part)
  })

  test('is random: no two keys are equal, and every position varies', () => {
    const keys = Array.from({ length: 200 }, () => generateKey(false))
    expect(new Set(keys).size).toBe(200)
    for (let place = 8; place < 47; place++) expect(new Set(keys.map((key) => key[place])).size).toBeGreaterThan(1)
  })

  test('stores its last use within minutes, without delaying the response', async () => {
    const venue = await createVenue()
    const lastUsedAt = async () => (await admin('GET', `/${venue.id}/keys`)).body[0].lastUsedAt
    expect(await lastUsedAt()).toBeUndefined()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const isNote = (sql = '') => sql.startsWith('update "keys"')
    const before = ([sql]: readonly string[]) => (isNote(sql) ? released : undefined)
    const used = await observe('GET', venue.path('/products'), { key: venue.key, before })
    expect([used.status, used.trips.filter(({ statements }) => isNote(statements[0])).length]).toEqual([200, 1])
    release()
    await used.settled()
    const first = await lastUsedAt()
    expect(first - now()).toBeGreaterThanOrEqual(-2)

    clearKeyCache()
    expect((await observe('GET', venue.path('/products'), { key: venue.key })).trips).toHaveLength(2)
    expect(await lastUsedAt()).toBe(first)
    travelTo(first + 301)
    clearKeyCache()
    await (await observe('GET', venue.path('/products'), { key: venue.key })).settled()
    expect(await lastUsedAt()).toBe(first + 301)
  })

  test('is accepted even if its last use cannot be stored', async () => {
    const venue = await createVenue()
    const before = ([sql = '']: readonly string[]) => {
      if (sql.startsWith('update "keys"')) throw new Error('D1_ERROR: overloaded')
    }
    const used = await observe('GET', venue.path('/products'), { key: venue.key, before })
    await used.settled()
    expect(used.status).toBe(200)
  })
})

test('a key that is revoked while another request looks it up is rejected from then on', async () => {
  const venue = await createVenue()
  let revocation: Promise<{ status: number }> | undefined
  const revoke = async () => {
    revocation ??= admin('DELETE', `/${venue.id}/keys/${venue.keyId}`)
    await revocation
  }
  const DB = interceptD1(/from "keys".* where "keys"."hash"/s, () => Promise.resolve(), revoke)
  const used = await observe('GET', venue.path('/products'), { key: venue.key, bindings: { DB } })
  await used.settled()
  expect([used.status, (await revocation)?.status]).toEqual([200, 200])
  expect(await statusOf(venue.key, venue.path('/products'))).toBe(401)
})

describe('an invalid key', () => {
  /** Every kind of invalid key, and whether it is rejected without the database. */
  async function failures(): Promise<Record<string, [header: string | undefined, calls: number]>> {
    const venue = await createVenue()
    const [expired, revoked] = [
      await createKey(venue.id, { mode: 'live' }),
      await createKey(venue.id, { mode: 'live' }),
    ]
    await env.DB.prepare('update keys set expires_at = ? where id = ?').bind(now(), expired.keyId).run()
    await admin('DELETE', `/${venue.id}/keys/${revoked.keyId}`)
    const { key } = venue
    return {
      none: [undefined, 0],
      empty: ['', 0],
      'no token': ['Bearer', 0],
      'an empty token': ['Bearer ', 0],
      Basic: [`Basic ${btoa(`${key}:`)}`, 0],
      'another scheme': [`Token ${key}`, 0],
      'no scheme': [key, 0],
      'two tokens': [`Bearer ${key} ${key}`, 0],
      'a typo at the start': [`Bearer ${mistype(key, 8)}`, 0],
      'a typo in the middle': [`Bearer ${mistype(key, 20)}`, 0],
      'a typo in the checksum': [`Bearer ${mistype(key, 45)}`, 0],
      'two digits swapped': [`Bearer ${key.slice(0, 8)}${[...key.slice(8)].reverse().join('')}`, 0],
      'another mode': [`Bearer ${key.replace('live', 'test')}`, 0],
      'lower case': [`Bearer ${key.toLowerCase()}`, 0],
      'cut short': [`Bearer ${key.slice(0, -1)}`, 0],
      'too long': [`Bearer ${key}0`, 0],
      'of another service': ['Bearer sk_live_4eC39HqLyjWDarjtT1zdp7dc', 0],
      'a JSON web token': ['Bearer eyJhbGciOiJub25lIn0.e30.', 0],
      "the operator's token": [`Bearer ${adminToken}`, 0],
      SQL: [`Bearer '/**/or/**/1=1`, 0],
      'very long': [`Bearer ${'sk_live_'.repeat(1000)}`, 0],
      // The nearest replica first, then the primary, which may have newer keys.
      unknown: [`Bearer ${generateKey(false)}`, 2],
      expired: [`Bearer ${expired.key}`, 1],
      revoked: [`Bearer ${revoked.key}`, 2],
    }
  }

  test('always gets the same response; a malformed key costs no round trip', async () => {
    const { requestId: _, ...expected } = (await send('/merchants/mer_1/products')).body
    expect(expected).toMatchObject({
      status: 401,
      code: 'unauthenticated',
      type: expect.stringMatching(/#unauthenticated$/),
    })
    for (const [what, [authorization, calls]] of Object.entries(await failures())) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const {
        status,
        body,
        headers: answered,
        trips,
        sessions,
      } = await observe('GET', '/merchants/mer_1/products', { headers })
      const { requestId, ...problem } = body
      expect([what, status, problem]).toEqual([what, 401, expected])
      expect(requestId).toBe(answered.get('request-id'))
      expect(answered.get('www-authenticate')).toMatch(/^Bearer\b/)
      expect([what, trips.length, sessions.length]).toEqual([what, calls, calls])
    }
  })

  test('is rejected before anything else is validated', async () => {
    for (const [method, path, headers] of [
      ['GET', '/merchants/mer_1/nothing', {}],
      ['GET', '/merchants/mer_1', {}],
      ['PATCH', '/merchants/mer_1/products', {}],
      ['OPTIONS', '/merchants/mer_1/products', {}],
      ['POST', '/merchants/mer_1/products', { 'content-type': 'text/plain' }],
      ['GET', '/merchants/mer_1/products?limit=0', {}],
      ['GET', '/merchants/mer_1/products/%ff', {}],
      ['GET', '/merchants/mer_1/products', { 'd1-bookmark': 'nonsense' }],
    ] as const) {
      expect([method, path, (await send(path, { method, headers })).status]).toEqual([method, path, 401])
    }
  })

  test('can be sent with any case of the scheme', async () => {
    const { key, path } = await createVenue()
    for (const authorization of [`bearer ${key}`, `BEARER  ${key}`, `Bearer ${key} `]) {
      expect((await send(path('/products'), { headers: { authorization } })).status).toBe(200)
    }
  })
})

describe('a key that expires', () => {
  test('is accepted until that second, whether cached or not', async () => {
    const { id, path } = await createVenue()
    const expiresAt = now() + 1000
    const [warm, cold] = [
      await createKey(id, { mode: 'live', expiresAt }),
      await createKey(id, { mode: 'live', expiresAt: `${expiresAt}` }),
    ]
    travelTo(expiresAt - 1)
    expect(await statusOf(warm.key, path('/products'))).toBe(200)
    travelTo(expiresAt)
    expect([await statusOf(warm.key, path('/products')), await statusOf(cold.key, path('/products'))]).toEqual([
      401, 401,
    ])
  })

  test('must expire in the future', async () => {
    const { id } = await createVenue()
    const expiring = async (expiresAt: unknown) =>
      toIssues(await admin('POST', `/${id}/keys`, { mode: 'live', expiresAt }))
    for (const past of [0, 1, now() - 1, now()]) expect(await expiring(past)).toEqual(['/expiresAt too_small'])
    for (const bad of [true, {}, []]) expect(await expiring(bad)).toEqual(['/expiresAt invalid_type'])
    expect(await expiring('soon')).toEqual(['/expiresAt invalid_format'])
    expect(await expiring(now() + 10.5)).toEqual(['/expiresAt too_precise'])
    expect(await expiring(null)).toEqual(['201 undefined'])
  })
})
