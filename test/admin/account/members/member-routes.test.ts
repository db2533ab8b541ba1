import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { memberStatements } from '../../../../src/admin/account/members/member-statements.ts'
import type { Role } from '../../../../src/platform/auth/roles.ts'
import { directoryDatabase } from '../../../../src/platform/db/home/d1-connection.ts'
import { roles } from '../../../../src/platform/db/schema/directory/users.ts'
import { createKey, createVenue, toIssues } from '../../../support/api.ts'
import { createMember, invite, request, signIn } from '../../../support/authenticator.ts'

afterEach(() => vi.useRealTimers())

const inTest = { mode: 'test' }

describe('a role', () => {
  test('grants scopes', async () => {
    const venue = await createVenue()
    const allowed: Record<Role, string[]> = { owner: [], manager: [], staff: [], developer: [] }
    const product = (await venue.post('/products', { title: 'Tea', price: 1 })).body.id
    for (const role of roles) {
      const { to } = await createMember(venue.id, role)
      for (const [method, path, body] of [
        ['GET', '/products'],
        ['POST', '/products', { title: 'x', price: 1 }],
        ['POST', `/products/${product}/availability`, { soldOut: true }],
        ['GET', '/menus'],
        ['GET', '/customers'],
        ['GET', '/webhooks'],
        ['POST', '/events', { type: 'order.created', data: {} }],
        ['GET', '/audit'],
        ['GET', '/keys'],
        ['GET', '/members'],
        ['GET', ''],
      ] as const) {
        if ((await to(method, path, body)).status < 300) allowed[role].push(`${method} ${path.replace(product, 'ID')}`)
      }
    }
    expect(allowed).toEqual({
      owner: [
        'GET /products',
        'POST /products',
        'POST /products/ID/availability',
        'GET /menus',
        'GET /customers',
        'GET /webhooks',
        'POST /events',
        'GET /audit',
        'GET /keys',
        'GET /members',
        'GET ',
      ],
      manager: [
        'GET /products',
        'POST /products',
        'POST /products/ID/availability',
        'GET /menus',
        'GET /customers',
        'GET /webhooks',
        'POST /events',
      ],
      staff: ['GET /products', 'POST /products/ID/availability', 'GET /menus'],
      developer: ['GET /webhooks', 'POST /events', 'GET /audit', 'GET /keys'],
    })
  })

  test('of a developer creates and revokes test keys only, with no more than its scopes', async () => {
    const venue = await createVenue()
    const { to } = await createMember(venue.id, 'developer')
    const scopes = ['webhooks:write']
    for (const headers of [{}, inTest]) {
      expect((await to('POST', '/keys', { mode: 'live', scopes }, headers)).status).toBe(403)
      const made = await to('POST', '/keys', { mode: 'test', scopes }, headers)
      expect(made.status).toBe(201)
      expect((await to('POST', '/keys', { mode: 'test', scopes: ['products:read'] }, headers)).status).toBe(403)
      expect((await to('DELETE', `/keys/${venue.keyId}`, undefined, headers)).status).toBe(404)
      expect((await to('POST', `/keys/${venue.keyId}/roll`, {}, headers)).status).toBe(403)
      expect((await to('DELETE', `/keys/${made.body.id}`, undefined, headers)).status).toBe(200)
    }
  })
})

describe('the mode of a session', () => {
  test('is chosen by a member with each request', async () => {
    const venue = await createVenue()
    const { to, request: send } = await createMember(venue.id)
    const { body: live } = await to('POST', '/products', { title: 'Live', price: 1 })
    const { body: tried } = await to('POST', '/products', { title: 'Test', price: 1 }, inTest)
    expect([live.testMode, tried.testMode]).toEqual([false, true])
    const titles = async (headers: Record<string, string>) =>
      (await to('GET', '/products', undefined, headers)).body.map(({ title }: { title: string }) => title)
    expect([await titles({}), await titles({ mode: 'live' }), await titles(inTest)]).toEqual([
      ['Live'],
      ['Live'],
      ['Test'],
    ])
    const mode = async (headers: Record<string, string>) =>
      (await send('GET', '/console/session', undefined, headers)).body.mode
    expect([await mode({}), await mode(inTest)]).toEqual(['live', 'test'])
    expect(toIssues(await to('GET', '/products', undefined, { mode: 'prod' }))).toEqual(['Mode invalid_value'])
    // Settings and people have no mode.
    expect((await to('POST', '', { name: 'Named' }, inTest)).status).toBe(200)
    expect((await to('GET', '/members', undefined, inTest)).body).toHaveLength(1)
  })

  test('is that of the key, for the session of a key', async () => {
    const venue = await createVenue()
    const { headers } = await request('POST', '/console/session', { key: venue.key })
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    const status = async (mode: string) =>
      (await request('GET', `/merchants/${venue.id}/products`, undefined, { cookie, mode })).status
    expect([await status('live'), await status('test')]).toEqual([200, 403])
  })
})

describe('members', () => {
  test('are listed, changed and removed', async () => {
    const venue = await createVenue()
    const [owner, staff] = [await createMember(venue.id, 'owner', 'Ann'), await createMember(venue.id, 'staff', 'Bo')]
    const view = (id: string, name: string, role: string) => ({
      id,
      name,
      role,
      passkeys: 1,
      createdAt: expect.any(Number),
      lastUsedAt: expect.any(Number),
    })
    expect((await owner.to('GET', '/members')).body).toEqual([
      view(staff.userId, 'Bo', 'staff'),
      view(owner.userId, 'Ann', 'owner'),
    ])
    const path = `/members/${staff.userId}`
    const changed = await owner.to('POST', path, { role: 'manager', name: 'Bob' })
    expect([changed.status, changed.body]).toEqual([200, view(staff.userId, 'Bob', 'manager')])
    expect((await owner.to('GET', path)).body).toEqual(changed.body)
    expect((await staff.to('POST', '/products', { title: 'Tea', price: 1 })).status).toBe(201)
    const removed = await owner.to('DELETE', path)
    expect([removed.status, removed.body]).toEqual([
      200,
      { id: staff.userId, object: changed.body, message: 'Member deleted', deleted: true },
    ])
    expect((await staff.to('GET', '/products')).status).toBe(401)
    expect((await signIn(staff.authenticator)).status).toBe(401)
    expect((await owner.to('GET', path)).status).toBe(404)
    expect((await owner.to('DELETE', path)).status).toBe(404)
    const { results } = await env.DB.prepare('select id from passkeys where id = ?').bind(staff.authenticator.id).all()
    expect(results).toEqual([])
    const { body: audit } = await venue.get('/audit?limit=3')
    expect(audit.map(({ key, operation, object }: Record<string, string>) => [key, operation, object])).toEqual([
      [owner.userId, 'members.delete', staff.userId],
      [staff.userId, 'products.create', expect.any(String)],
      [owner.userId, 'members.update', staff.userId],
    ])
  })

  test('lose their sessions within a minute in other isolates', async () => {
    const venue = await createVenue()
    const { to, userId } = await createMember(venue.id)
    expect((await to('GET', '/products')).status).toBe(200)
    await env.DB.prepare('delete from users where id = ?').bind(userId).run()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect((await to('GET', '/products')).status).toBe(401)
    const { results } = await env.DB.prepare('select id from sessions where user_id = ?').bind(userId).all()
    expect(results).toEqual([])
  })

  test('keep their passkey for another venue', async () => {
    const [one, two] = [await createVenue(), await createVenue()]
    const [zoe, owner] = [await createMember(one.id), await createMember(two.id)]
    const joined = await signIn(zoe.authenticator, {}, { token: await invite(two.id, 'staff') })
    expect((await owner.to('DELETE', `/members/${joined.body.user.id}`)).status).toBe(200)
    const again = await signIn(zoe.authenticator)
    expect([again.status, again.body.merchant.id]).toEqual([201, one.id])
  })

  test('keep their passkeys if they get another role while they are removed', async () => {
    const venue = await createVenue()
    const [owner, second] = [await createMember(venue.id), await createMember(venue.id, 'staff')]
    // The role changes after it was read.
    const values = { merchantId: venue.id, id: second.userId, expected: 'staff' }
    await owner.to('POST', `/members/${second.userId}`, { role: 'manager' })
    const { removePasskeys, remove } = memberStatements
    const results = await directoryDatabase(env).run([removePasskeys(), values], [remove(), values])
    expect(results[1]).toEqual([])
    expect((await signIn(second.authenticator)).status).toBe(201)
  })

  test('change their own role', async () => {
    const venue = await createVenue()
    const [first, second] = [await createMember(venue.id, 'owner'), await createMember(venue.id, 'owner')]
    const changed = await first.to('POST', `/members/${first.userId}`, { role: 'manager' })
    expect([changed.status, changed.body.role]).toEqual([200, 'manager'])
    expect((await second.to('GET', '/members')).body.map(({ role }: { role: Role }) => role).sort()).toEqual([
      'manager',
      'owner',
    ])
  })

  test('always have an owner', async () => {
    const venue = await createVenue()
    const owner = await createMember(venue.id)
    const path = `/members/${owner.userId}`
    expect((await owner.to('DELETE', path)).body.code).toBe('conflict')
    expect((await owner.to('POST', path, { role: 'manager' })).body.code).toBe('conflict')
    expect((await owner.to('POST', path, { name: 'Ann' })).status).toBe(200)
    const second = await createMember(venue.id)
    const both = await Promise.all([
      owner.to('DELETE', `/members/${second.userId}`),
      second.to('DELETE', `/members/${owner.userId}`),
    ])
    expect(both.map(({ status }) => status).sort()).not.toEqual([200, 200])
    const { results } = await env.DB.prepare(`select id from users where merchant_id = ? and role = 'owner'`)
      .bind(venue.id)
      .all()
    expect(results).toHaveLength(1)
  })

  test('are out of reach of other merchants, of roles and of keys without the scope', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    const [owner, stranger] = [await createMember(venue.id), await createMember(other.id)]
    expect((await stranger.request('GET', `/merchants/${venue.id}/members`)).status).toBe(403)
    expect((await stranger.to('DELETE', `/members/${owner.userId}`)).status).toBe(404)
    expect((await stranger.to('POST', `/members/${owner.userId}`, { role: 'staff' })).status).toBe(404)
    for (const path of ['/members', '/invitations', `/members/${owner.userId}`]) {
      expect((await venue.get(path)).status).toBe(403)
    }
    expect((await venue.post('/invitations', { role: 'staff' })).status).toBe(403)
    const reader = await createKey(venue.id, { mode: 'live', scopes: ['members:read'] })
    expect((await reader.get('/members')).body).toHaveLength(1)
    expect((await reader.get('/invitations')).status).toBe(200)
    expect((await reader.remove(`/members/${owner.userId}`)).status).toBe(403)
    expect((await reader.post('/invitations', { role: 'staff' })).status).toBe(403)
  })

  test('are changed once for each Idempotency-Key', async () => {
    const venue = await createVenue()
    const owner = await createMember(venue.id)
    const { userId } = await createMember(venue.id, 'staff')
    const once = { 'idempotency-key': 'once' }
    const first = await owner.to('POST', `/members/${userId}`, { role: 'manager' }, once)
    await owner.to('POST', `/members/${userId}`, { role: 'staff' })
    const second = await owner.to('POST', `/members/${userId}`, { role: 'manager' }, once)
    expect([second.status, second.body]).toEqual([200, first.body])
    expect((await owner.to('GET', `/members/${userId}`)).body.role).toBe('staff')
  })
})
