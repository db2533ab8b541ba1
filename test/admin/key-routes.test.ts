import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { adminToken, call, createKey, createVenue, send, toIssues } from '../support/api.ts'
import { observe } from '../support/d1.ts'

afterEach(() => vi.useRealTimers())

const travelTo = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 })
const now = () => Math.floor(Date.now() / 1000)
const admin = (method: string, path: string, json?: unknown) =>
  call(method, `/admin/merchants${path}`, adminToken, json)
const day = 86_400

describe('a revoked key', () => {
  test('is rejected at once, and other keys stay valid', async () => {
    const venue = await createVenue()
    const other = await createKey(venue.id, { mode: 'live', title: 'Other' })
    expect([(await venue.get('/tags')).status, (await other.get('/tags')).status]).toEqual([200, 200])
    const listed = (await admin('GET', `/${venue.id}/keys`)).body[0]
    const { status, body } = await admin('DELETE', `/${venue.id}/keys/${other.keyId}`)
    expect([status, body]).toEqual([
      200,
      { id: other.keyId, object: { ...listed, lastUsedAt: expect.any(Number) }, message: 'Key deleted', deleted: true },
    ])
    expect([(await venue.get('/tags')).status, (await other.get('/tags')).status]).toEqual([200, 401])
    expect((await admin('GET', `/${venue.id}/keys`)).body.map(({ id }: { id: string }) => id)).toEqual([venue.keyId])
    expect((await admin('DELETE', `/${venue.id}/keys/${other.keyId}`)).status).toBe(404)
    expect((await admin('POST', `/${venue.id}/keys/${other.keyId}/roll`, {})).status).toBe(404)
  })

  test('is rejected within a minute in other isolates', async () => {
    const venue = await createVenue()
    expect((await venue.get('/tags')).status).toBe(200)
    await env.DB.prepare('delete from keys where id = ?').bind(venue.keyId).run()
    travelTo(now() + 60)
    expect((await venue.get('/tags')).status).toBe(401)
  })

  test('cannot be revoked by another merchant', async () => {
    const [venue, stranger] = [await createVenue(), await createVenue()]
    for (const path of [
      `/${stranger.id}/keys/${venue.keyId}`,
      `/mer_1/keys/${venue.keyId}`,
      `/${venue.id}/keys/key_1`,
    ]) {
      expect((await admin('DELETE', path)).status).toBe(404)
      expect((await admin('POST', `${path}/roll`, {})).status).toBe(404)
    }
    expect((await venue.get('/tags')).status).toBe(200)
  })
})

describe('rolling a key', () => {
  test('creates no successor if the key is revoked in between', async () => {
    const venue = await createVenue()
    const { keyId } = await createKey(venue.id, { mode: 'live', title: 'Other' })
    const audited = async () => (await venue.get('/audit')).body.length
    const before = await audited()
    const { status } = await observe('POST', `/admin/merchants/${venue.id}/keys/${keyId}/roll`, {
      key: adminToken,
      json: {},
      before: async (statements) => {
        if (statements.length > 1) await env.DB.prepare('delete from keys where id = ?').bind(keyId).run()
      },
    })
    expect(status).toBe(404)
    expect((await admin('GET', `/${venue.id}/keys`)).body.map(({ id }: { id: string }) => id)).toEqual([venue.keyId])
    expect(await audited()).toBe(before)
  })

  const options = { mode: 'test', title: 'Till', scopes: ['tags:read', 'products:write'] } as const

  test('creates a successor like it, and the old key stays valid for a day', async () => {
    const venue = await createVenue()
    const old = await createKey(venue.id, options)
    travelTo(now())
    const rolledAt = now()
    const { status, body } = await admin('POST', `/${venue.id}/keys/${old.keyId}/roll`, {})
    expect([status, body]).toEqual([
      201,
      {
        ...options,
        scopes: [...options.scopes],
        id: expect.stringMatching(/^key_/),
        prefix: 'sk_test_',
        last4: body.key.slice(-4),
        key: expect.stringMatching(/^sk_test_/),
        createdAt: rolledAt,
      },
    ])
    expect([body.id === old.keyId, body.key === old.key]).toEqual([false, false])
    const listed = (await admin('GET', `/${venue.id}/keys`)).body
    expect(listed.map(({ id, expiresAt }: Record<string, unknown>) => [id, expiresAt])).toEqual([
      [body.id, undefined],
      [old.keyId, rolledAt + day],
      [venue.keyId, undefined],
    ])
    const statuses = async () => [
      (await old.get('/tags')).status,
      (await call('GET', old.path('/tags'), body.key)).status,
      (await call('GET', old.path('/menus'), body.key)).status,
    ]
    expect(await statuses()).toEqual([200, 200, 403])
    travelTo(rolledAt + day - 1)
    expect(await statuses()).toEqual([200, 200, 403])
    travelTo(rolledAt + day)
    expect(await statuses()).toEqual([401, 200, 403])
    expect((await admin('POST', `/${venue.id}/keys/${old.keyId}/roll`, {})).status).toBe(409)
  })

  test.each([
    [0, 0],
    ['60', 60],
    [604_800, 604_800],
    [null, day],
  ])('keeps the old key valid for an overlap of %o', async (overlap, seconds) => {
    const venue = await createVenue()
    travelTo(now())
    expect((await venue.get('/tags')).status).toBe(200)
    const { status } = await admin('POST', `/${venue.id}/keys/${venue.keyId}/roll`, { overlap })
    expect(status).toBe(201)
    expect((await admin('GET', `/${venue.id}/keys?order=asc`)).body[0].expiresAt).toBe(now() + seconds)
    expect((await venue.get('/tags')).status).toBe(seconds === 0 ? 401 : 200)
  })

  test('rejects an invalid overlap', async () => {
    const venue = await createVenue()
    const issues = async (body: unknown) => toIssues(await admin('POST', `/${venue.id}/keys/${venue.keyId}/roll`, body))
    expect(await issues({ overlap: 604_801 })).toEqual(['/overlap too_large'])
    expect(await issues({ overlap: -1 })).toEqual(['/overlap too_small'])
    expect(await issues({ overlap: 1.5 })).toEqual(['/overlap too_precise'])
    expect(await issues({ overlap: true })).toEqual(['/overlap invalid_type'])
    expect(await issues({ overlap: 1, mode: 'live', id: 'key_1' })).toEqual([
      '/id read_only_field',
      '/mode unknown_field',
    ])
    expect(await issues([])).toEqual(['400 malformed_body'])
    expect((await admin('GET', `/${venue.id}/keys`)).body).toHaveLength(1)
  })

  test('never extends the expiry of a key', async () => {
    const { id } = await createVenue()
    const expiresAt = now() + 100
    const soon = await createKey(id, { mode: 'live', expiresAt })
    const rolled = await admin('POST', `/${id}/keys/${soon.keyId}/roll`, { overlap: 604_800 })
    expect(rolled.body.expiresAt).toBe(expiresAt)
    const listed = (await admin('GET', `/${id}/keys?order=asc`)).body
    expect(listed.map((key: { expiresAt?: number }) => key.expiresAt)).toEqual([undefined, expiresAt, expiresAt])
    await admin('POST', `/${id}/keys/${soon.keyId}/roll`, { overlap: 10 })
    await admin('POST', `/${id}/keys/${soon.keyId}/roll`, { overlap: 1000 })
    const [, again] = (await admin('GET', `/${id}/keys?order=asc`)).body
    expect(again.expiresAt).toBeLessThanOrEqual(now() + 10)
  })
})

describe('the creation of a key', () => {
  test('reports every issue of the body', async () => {
    const { id } = await createVenue()
    const issues = async (body: unknown) => toIssues(await admin('POST', `/${id}/keys`, body))
    expect(await issues({})).toEqual(['/mode required'])
    for (const mode of ['LIVE', 'prod', '', 1, null]) {
      expect(await issues({ mode })).toEqual([mode === null ? '/mode required' : '/mode invalid_value'])
    }
    expect(await issues({ mode: 'live', scopes: [] })).toEqual(['/scopes invalid_value'])
    expect(await issues({ mode: 'live', scopes: 'tags:read' })).toEqual(['/scopes invalid_type'])
    expect(await issues({ mode: 'live', scopes: ['tags:read', 'tags:admin', 'orders:read', '*', ''] })).toEqual([
      '/scopes/1 invalid_value',
      '/scopes/2 invalid_value',
      '/scopes/3 invalid_value',
      '/scopes/4 invalid_value',
    ])
    expect(await issues({ mode: 'live', scopes: ['tags:read', 'tags:read'] })).toEqual(['/scopes/1 duplicate'])
    expect(await issues({ mode: 'live', title: ' ', key: 'x', id: 'y', colour: 1, hash: 'z' })).toEqual([
      '/colour unknown_field',
      '/hash unknown_field',
      '/id read_only_field',
      '/key read_only_field',
      '/title too_short',
    ])
    expect(await issues({ mode: 'live', title: 'x'.repeat(256) })).toEqual(['/title too_long'])
    expect((await admin('GET', `/${id}/keys`)).body).toHaveLength(1)
    expect(await issues({ mode: 'live', title: null, scopes: null, expiresAt: null })).toEqual(['201 undefined'])
  })

  test('requires a merchant', async () => {
    for (const id of ['mer_1', '%00', "'", 'x'.repeat(3000)]) {
      expect((await admin('POST', `/${id}/keys`, { mode: 'live' })).status).toBe(404)
      expect((await admin('GET', `/${id}/keys`)).status).toBe(404)
    }
  })

  test('is followed by lists in pages, newest first', async () => {
    const venue = await createVenue()
    const stranger = await createVenue()
    const ids = [venue.keyId]
    for (let n = 0; n < 4; n++) ids.push((await createKey(venue.id, { mode: n % 2 ? 'test' : 'live' })).keyId)
    for (const order of ['asc', 'desc']) {
      const seen: string[] = []
      let next: string | undefined = `/admin/merchants/${venue.id}/keys?limit=2&order=${order}`
      let pages = 0
      for (; next !== undefined && pages < 10; pages++) {
        const { headers, body } = await send(next, { headers: { authorization: `Bearer ${adminToken}` } })
        seen.push(...body.map(({ id }: { id: string }) => id))
        next = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      }
      expect([seen, pages]).toEqual([order === 'asc' ? ids : ids.toReversed(), 3])
    }
    const { headers } = await admin('GET', `/${venue.id}/keys?limit=2`)
    const cursor = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1]
    expect(toIssues(await admin('GET', `/${stranger.id}/keys?cursor=${cursor}`))).toEqual(['cursor invalid_value'])
    expect(toIssues(await admin('GET', `?cursor=${cursor}`))).toEqual(['cursor invalid_value'])
    expect(toIssues(await admin('GET', `/${venue.id}/keys?limit=0&q=x&ids=a&mode=live`))).toEqual([
      'ids unknown_parameter',
      'limit too_small',
      'mode unknown_parameter',
      'q unknown_parameter',
    ])
    expect((await admin('GET', `/${venue.id}/keys?limit=5`)).headers.get('link')).toBeNull()
  })
})
