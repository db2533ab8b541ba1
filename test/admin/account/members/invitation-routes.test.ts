import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { invitationSeconds, maxInvitations } from '../../../../src/admin/account/members/invitation-statements.ts'
import { roleScopes } from '../../../../src/platform/auth/roles.ts'
import { roles } from '../../../../src/platform/db/schema/directory/users.ts'
import { adminToken, call, createKey, createVenue, toIssues } from '../../../support/api.ts'
import { createMember, request } from '../../../support/authenticator.ts'

afterEach(() => vi.useRealTimers())
const tokenOf = ({ body }: { body: { url: string } }) => new URL(body.url).hash.slice(1)

describe('invitations of a merchant', () => {
  test('are created, listed and revoked; the link is shown once', async () => {
    const venue = await createVenue()
    const owner = await createMember(venue.id)
    const made = await owner.to('POST', '/invitations', { role: 'staff', days: 1 })
    const { url, ...shown } = made.body
    expect([made.status, shown]).toEqual([
      201,
      {
        id: expect.stringMatching(/^inv_/),
        role: 'staff',
        createdBy: owner.userId,
        createdAt: expect.any(Number),
        expiresAt: shown.createdAt + 86_400,
      },
    ])
    expect(url).toMatch(/^https:\/\/menu\.example\/console\/join#[0-9A-Z]{32}$/)
    expect((await owner.to('GET', '/invitations')).body).toEqual([shown])
    const again = { 'idempotency-key': 'again' }
    const first = await owner.to('POST', '/invitations', { role: 'owner' }, again)
    expect((await owner.to('POST', '/invitations', { role: 'owner' }, again)).body).toEqual(first.body)
    const revoked = await owner.to('DELETE', `/invitations/${shown.id}`)
    expect([revoked.status, revoked.body]).toEqual([
      200,
      { id: shown.id, object: shown, message: 'Invitation deleted', deleted: true },
    ])
    expect((await owner.to('DELETE', `/invitations/${shown.id}`)).status).toBe(404)
    expect((await request('POST', '/console/invitation', { token: tokenOf(made) })).status).toBe(404)
    const stranger = await createMember((await createVenue()).id)
    expect((await stranger.to('DELETE', `/invitations/${first.body.id}`)).status).toBe(404)
  })

  test('go with the member who made them', async () => {
    const venue = await createVenue()
    const [owner, second] = [await createMember(venue.id), await createMember(venue.id)]
    const token = tokenOf(await second.to('POST', '/invitations', { role: 'owner' }))
    await owner.to('DELETE', `/members/${second.userId}`)
    expect((await request('POST', '/console/invitation', { token })).status).toBe(404)
  })

  test('go when the role of the member who made them changes', async () => {
    const venue = await createVenue()
    const [owner, second] = [await createMember(venue.id), await createMember(venue.id)]
    const open = async () => {
      const token = tokenOf(await second.to('POST', '/invitations', { role: 'owner' }))
      return async () => (await request('POST', '/console/invitation', { token })).status
    }
    const status = await open()
    await owner.to('POST', `/members/${second.userId}`, { name: 'Bo' })
    expect(await status()).toBe(200)
    await owner.to('POST', `/members/${second.userId}`, { role: 'staff' })
    expect(await status()).toBe(404)
  })

  test('stay with an owner who cannot be deleted', async () => {
    const owner = await createMember((await createVenue()).id)
    const token = tokenOf(await owner.to('POST', '/invitations', { role: 'owner' }))
    expect((await owner.to('DELETE', `/members/${owner.userId}`)).body.code).toBe('conflict')
    expect((await request('POST', '/console/invitation', { token })).status).toBe(200)
  })

  test.each([
    ['removed', 'delete from users where id = ?', [401, 'unauthenticated']],
    ['made a manager', `update users set role = 'manager' where id = ?`, [403, 'forbidden']],
  ])('are not made by a member who was %s in another isolate', async (_, change, rejection) => {
    const venue = await createVenue()
    const [owner, second] = [await createMember(venue.id), await createMember(venue.id)]
    const { userId: staff } = await createMember(venue.id, 'staff')
    for (const [path, body] of [
      ['/invitations', { role: 'owner' }],
      [`/members/${staff}`, { role: 'owner' }],
      [`/members/${staff}`, undefined],
    ] as const) {
      const third = path === '/invitations' ? second : await createMember(venue.id)
      expect((await third.to('GET', '/members')).status).toBe(200)
      await env.DB.prepare(change).bind(third.userId).run()
      const { status, body: problem } = await third.to(body ? 'POST' : 'DELETE', path, body)
      expect([status, problem.code]).toEqual(rejection)
    }
    expect((await owner.to('GET', '/invitations')).body).toEqual([])
    expect((await owner.to('GET', `/members/${staff}`)).body.role).toBe('staff')
  })

  test('go with the key that made them', async () => {
    const venue = await createVenue()
    const rights = { mode: 'live', scopes: roleScopes.owner }
    const [one, two] = [await createKey(venue.id, rights), await createKey(venue.id, rights)]
    const tester = await createKey(venue.id, { mode: 'test', scopes: ['keys:write'] })
    const [first, second] = [
      tokenOf(await one.post('/invitations', { role: 'staff' })),
      tokenOf(await two.post('/invitations', { role: 'staff' })),
    ]
    const status = async (token: string) => (await request('POST', '/console/invitation', { token })).status
    expect((await tester.remove(`/keys/${one.keyId}`)).status).toBe(404)
    expect([await status(first), await status(second)]).toEqual([200, 200])
    expect((await one.remove(`/keys/${one.keyId}`)).status).toBe(200)
    expect([await status(first), await status(second)]).toEqual([404, 200])
  })

  test('never grant more than the rights of who invites, and no test key makes or revokes them', async () => {
    const venue = await createVenue()
    const maker = await createKey(venue.id, { mode: 'live', scopes: ['members:write', ...roleScopes.staff] })
    const statuses = []
    for (const role of roles) statuses.push((await maker.post('/invitations', { role })).status)
    expect(statuses).toEqual([403, 403, 201, 403])
    const tester = await createKey(venue.id, { mode: 'test', scopes: ['members:write', ...roleScopes.staff] })
    expect((await tester.post('/invitations', { role: 'staff' })).status).toBe(403)
    const [{ id }] = (await maker.get('/invitations')).body
    expect((await tester.remove(`/invitations/${id}`)).status).toBe(403)
    expect((await maker.remove(`/invitations/${id}`)).status).toBe(200)
    const { userId } = await createMember(venue.id, 'owner')
    const staff = await createMember(venue.id, 'staff')
    expect((await maker.remove(`/members/${userId}`)).status).toBe(403)
    expect((await maker.post(`/members/${staff.userId}`, { role: 'owner' })).status).toBe(403)
    expect((await maker.remove(`/members/${staff.userId}`)).status).toBe(200)
  })

  test('have limits', async () => {
    const venue = await createVenue()
    const path = `/admin/merchants/${venue.id}/invitations`
    const create = (body: object) => call('POST', path, adminToken, body)
    expect(toIssues(await create({}))).toEqual(['/role required'])
    expect(toIssues(await create({ role: 'chef' }))).toEqual(['/role invalid_value'])
    expect(toIssues(await create({ role: 'staff', days: 0 }))).toEqual(['/days too_small'])
    expect(toIssues(await create({ role: 'staff', days: 15 }))).toEqual(['/days too_large'])
    const longest = await create({ role: 'staff', days: 14 })
    expect(longest.body.expiresAt - longest.body.createdAt).toBe(invitationSeconds)
    await env.DB.prepare(
      `insert into invitations select invitations.id || value, merchant_id, hash || value, role, created_by, created_at, expires_at, name
       from invitations, json_each(?) where invitations.id = ?`,
    )
      .bind(JSON.stringify(Array.from({ length: maxInvitations - 2 }, (_, index) => index)), longest.body.id)
      .run()
    expect([(await create({ role: 'staff' })).status, (await create({ role: 'staff' })).body.code]).toEqual([
      201,
      'too_many',
    ])
    expect((await call('POST', '/admin/merchants/mer_none/invitations', adminToken, { role: 'owner' })).status).toBe(
      404,
    )
    expect((await call('GET', '/admin/merchants/mer_none/invitations', adminToken)).status).toBe(404)
  })
})
