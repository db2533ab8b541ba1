import { describe, expect, test } from 'vitest'
import { createKey, createVenue, toIssues } from '../../../support/api.ts'
import { accept, createAuthenticator, createMember, invite, request } from '../../../support/authenticator.ts'

const tokenOf = ({ body }: { body: { url: string } }) => new URL(body.url).hash.slice(1)
const open = (token: string) => request('POST', '/console/invitation', { token })

describe('an invitation with a name', () => {
  test('shows it in responses, in lists and to the person, who can change it', async () => {
    const venue = await createVenue()
    const owner = await createMember(venue.id)
    const made = await owner.to('POST', '/invitations', { role: 'staff', name: ' Bo Ek ' })
    expect([made.status, made.body.name]).toEqual([201, 'Bo Ek'])
    expect((await owner.to('GET', '/invitations')).body).toMatchObject([{ id: made.body.id, name: 'Bo Ek' }])
    expect((await open(tokenOf(made))).body).toMatchObject({
      name: 'Bo Ek',
      merchant: { name: 'Venue' },
      role: 'staff',
    })
    const joined = await accept(tokenOf(made), await createAuthenticator(), 'Bo')
    expect([joined.status, joined.body.user.name]).toEqual([201, 'Bo'])
    const again = await owner.to('POST', '/invitations', { role: 'staff', name: 'Cy' })
    expect((await owner.to('DELETE', `/invitations/${again.body.id}`)).body.object.name).toBe('Cy')
  })

  test('has a name of at most 255 letters, or none', async () => {
    const owner = await createMember((await createVenue()).id)
    const send = (name: unknown) => owner.to('POST', '/invitations', { role: 'staff', name })
    expect((await send('x'.repeat(255))).status).toBe(201)
    expect([toIssues(await send('x'.repeat(256))), toIssues(await send(' '))]).toEqual([
      ['/name too_long'],
      ['/name too_short'],
    ])
    const none = await send(null)
    expect([none.status, 'name' in none.body, 'name' in (await open(tokenOf(none))).body]).toEqual([201, false, false])
    expect('name' in (await open(await invite((await createVenue()).id))).body).toBe(false)
  })
})

/** Signs in with a key, as the console does. Returns requests with the cookie of the session. */
async function signInWith(key: string, merchantId: string) {
  const { status, headers } = await request('POST', '/console/session', { key })
  expect(status).toBe(201)
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
  return (method: string, path: string, body?: unknown) =>
    request(method, `/merchants/${merchantId}${path}`, body, { cookie })
}

describe('a person who is signed in with a key', () => {
  test('becomes a member with a passkey, whose role is within the scopes of the key, and the audit log names the key', async () => {
    const venue = await createVenue()
    const scopes = [
      'members:write',
      'products:read',
      'modifiers:read',
      'menus:read',
      'coupons:read',
      'tags:read',
      'stock:read',
      'stock:write',
      'audit:read',
    ]
    const key = await createKey(venue.id, { mode: 'live', scopes })
    const send = await signInWith(key.key, venue.id)
    for (const role of ['owner', 'manager', 'developer'])
      expect([role, (await send('POST', '/invitations', { role, name: 'Ann' })).status]).toEqual([role, 403])
    const made = await send('POST', '/invitations', { role: 'staff', name: 'Ann' })
    expect([made.status, made.body.createdBy]).toEqual([201, key.keyId])
    const joined = await accept(tokenOf(made), await createAuthenticator(), 'Ann')
    expect([joined.status, joined.body.user]).toMatchObject([201, { name: 'Ann', role: 'staff' }])
    expect(joined.body.user.id).toMatch(/^usr_/)
    const { body: entries } = await send('GET', '/audit')
    const [invited] = entries.filter(({ operation }: { operation: string }) => operation === 'invitations.create')
    expect(invited).toMatchObject({ key: key.keyId, object: made.body.id })
    expect(entries.map(({ operation }: { operation: string }) => operation)).toContain('members.create')
  })

  test.each([
    ['without members:write', { mode: 'live' }],
    ['with a key of test mode', { mode: 'test', scopes: ['members:write'] }],
    [
      'with a key that expires',
      { mode: 'live', scopes: ['members:write', 'stock:write'], expiresAt: Math.floor(Date.now() / 1000) + 3_600 },
    ],
  ])('%s cannot', async (_, options) => {
    const venue = await createVenue()
    const send = await signInWith((await createKey(venue.id, options)).key, venue.id)
    for (const role of ['owner', 'manager', 'staff', 'developer'])
      expect([role, (await send('POST', '/invitations', { role, name: 'Ann' })).status]).toEqual([role, 403])
  })
})
