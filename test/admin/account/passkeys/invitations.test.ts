import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { invitationSeconds, maxMembers } from '../../../../src/admin/account/members/invitation-statements.ts'
import { roleScopes } from '../../../../src/platform/auth/roles.ts'
import { adminToken, call, createVenue } from '../../../support/api.ts'
import {
  accept,
  asSession,
  createAuthenticator,
  createMember,
  invite,
  request,
  signIn,
} from '../../../support/authenticator.ts'
import { withLateDatabase } from '../../../support/database-clock.ts'
import { purgeNow } from '../../../support/purges.ts'
import { now, rows, travelTo } from './clock-and-rows.ts'

afterEach(() => vi.useRealTimers())

describe('an invitation', () => {
  test('that has expired when the transaction starts makes no member', async () => {
    const venue = await createVenue()
    const token = await invite(venue.id)
    const authenticator = await createAuthenticator()
    expect((await withLateDatabase(invitationSeconds - 300, () => accept(token, authenticator))).status).toBe(401)
    const opened = await withLateDatabase(invitationSeconds, () => request('POST', '/console/invitation', { token }))
    expect(opened.status).toBe(404)
    expect((await accept(token, authenticator)).status).toBe(201)
  })

  test('makes a member with a passkey, who signs in again with it', async () => {
    const venue = await createVenue({ name: 'Otter' })
    const token = await invite(venue.id, 'manager')
    const opened = await request('POST', '/console/invitation', { token })
    expect([opened.status, opened.body]).toEqual([
      200,
      { merchant: { id: venue.id, name: 'Otter' }, role: 'manager', expiresAt: expect.any(Number) },
    ])
    const authenticator = await createAuthenticator()
    const joined = await accept(token, authenticator, ' Zoë ')
    expect([joined.status, joined.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^ses_/),
        user: { id: expect.stringMatching(/^usr_/), name: 'Zoë', role: 'manager' },
        mode: 'live',
        scopes: roleScopes.manager,
        expiresAt: expect.any(Number),
        merchant: { id: venue.id, name: 'Otter', timezone: expect.any(String), currency: 'EUR' },
      },
    ])
    expect(joined.headers.get('set-cookie')).toMatch(/^__Host-session=\w{32}; .*HttpOnly; Secure; SameSite=Strict$/)
    const again = await signIn(authenticator)
    expect([again.status, again.body]).toEqual([
      201,
      { ...joined.body, id: expect.stringMatching(/^ses_/), expiresAt: expect.any(Number) },
    ])
    const { request: asMember, userId } = asSession(again)
    expect((await asMember('GET', '/console/session')).body).toEqual(again.body)
    const made = await asMember('POST', `/merchants/${venue.id}/products`, { title: 'Tea', price: 1 })
    expect(made.status).toBe(201)
    const { body: audit } = await venue.get('/audit?limit=4')
    expect(audit.map(({ key, operation, object }: Record<string, string>) => [key, operation, object])).toEqual([
      [userId, 'products.create', made.body.id],
      [userId, 'sessions.create', again.body.id],
      [userId, 'sessions.create', joined.body.id],
      [userId, 'members.create', userId],
    ])
  })

  test('is used once, opening it does not use it, and a guess is not found', async () => {
    const venue = await createVenue()
    const token = await invite(venue.id)
    const { body: options } = await request('POST', '/console/passkeys/registration', { token, name: 'Ann' })
    const [first, second] = [await createAuthenticator(), await createAuthenticator()]
    for (let index = 0; index < 2; index++) {
      expect((await request('POST', '/console/invitation', { token })).status).toBe(200)
    }
    const { body: others } = await request('POST', '/console/passkeys/registration', { token, name: 'Bo' })
    const used = { token, name: 'Ann', credential: await first.register(options) }
    const late = { token, name: 'Bo', credential: await second.register(others) }
    const responses = await Promise.all([used, late].map((body) => request('POST', '/console/passkeys', body)))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 404])
    for (const path of ['/console/invitation', '/console/passkeys/registration']) {
      const body = { token, ...(path.endsWith('registration') && { name: 'Bo' }) }
      expect([path, (await request('POST', path, body)).body.code]).toEqual([path, 'not_found'])
      const guess = { ...body, token: `${token.slice(1)}0` }
      expect([path, (await request('POST', path, guess)).body.code]).toEqual([path, 'not_found'])
    }
    expect(await rows('users', 'merchant_id', venue.id)).toHaveLength(1)
    expect(await rows('invitations', 'merchant_id', venue.id)).toEqual([])
  })

  test('expires, is revoked, and is stored as a hash', async () => {
    const venue = await createVenue()
    const [token, revoked] = [await invite(venue.id), await invite(venue.id, 'staff')]
    expect(JSON.stringify(await rows('invitations', 'merchant_id', venue.id))).not.toContain(token)
    const path = `/admin/merchants/${venue.id}/invitations`
    const { body: open } = await call('GET', path, adminToken)
    expect(open.map(({ role }: { role: string }) => role)).toEqual(['staff', 'owner'])
    await call('DELETE', `${path}/${open[0].id}`, adminToken)
    const status = async (tried: string) => (await request('POST', '/console/invitation', { token: tried })).status
    expect([await status(revoked), await status(token)]).toEqual([404, 200])
    travelTo(now() + invitationSeconds - 5)
    expect(await status(token)).toBe(200)
    travelTo(now() + 10)
    expect(await status(token)).toBe(404)
    expect((await call('GET', path, adminToken)).body).toEqual([])
    travelTo(now() + 60)
    expect(await purgeNow(env, Date.now())).toMatchObject({ invitations: 1 })
  })

  test('of a suspended or full merchant is not accepted', async () => {
    const venue = await createVenue()
    const token = await invite(venue.id)
    const { body: options } = await request('POST', '/console/passkeys/registration', { token, name: 'Ann' })
    const credential = await (await createAuthenticator()).register(options)
    const response = async () =>
      (await request('POST', '/console/passkeys', { token, name: 'Ann', credential })).body.code
    await call('POST', `/admin/merchants/${venue.id}/suspend`, adminToken)
    expect(await response()).toBe('merchant_suspended')
    await call('POST', `/admin/merchants/${venue.id}/resume`, adminToken)
    await env.DB.prepare(
      `insert into users (id, merchant_id, person, role, name, created_at)
       select ?1 || value, ?1, ?1 || value, 'staff', 'Bo', 1 from json_each(?2)`,
    )
      .bind(venue.id, JSON.stringify(Array.from({ length: maxMembers }, (_, index) => index)))
      .run()
    expect(await response()).toBe('too_many')
    await env.DB.prepare('delete from users where id = ?').bind(`${venue.id}7`).run()
    expect((await request('POST', '/console/passkeys', { token, name: 'Ann', credential })).status).toBe(201)
  })

  test('is not used by a copied passkey: its counter must increase here too', async () => {
    const { authenticator } = await createMember((await createVenue()).id)
    expect((await signIn(authenticator, { counter: 50 })).status).toBe(201)
    const other = await createVenue()
    const token = await invite(other.id, 'staff')
    expect((await signIn(authenticator, { counter: 50 }, { token })).status).toBe(401)
    expect(await rows('users', 'merchant_id', other.id)).toEqual([])
    expect(await rows('sessions', 'merchant_id', other.id)).toEqual([])
    expect((await signIn(authenticator, { counter: 51 }, { token })).status).toBe(201)
  })

  test('brings a person into a second venue only with the passkey that exists', async () => {
    const [one, two] = [await createVenue({ name: 'One' }), await createVenue({ name: 'Two' })]
    const zoe = await createMember(one.id, 'owner', 'Zoë')
    const token = await invite(two.id, 'staff')
    // Without a passkey of the person, the same invitation creates another person.
    const joined = await signIn(zoe.authenticator, {}, { token })
    expect([joined.status, joined.body.merchant.name, joined.body.user.role]).toEqual([201, 'Two', 'staff'])
    expect(joined.body.user.id).not.toBe(zoe.userId)
    expect((await signIn(zoe.authenticator, {}, { token })).status).toBe(404)
    expect((await signIn(zoe.authenticator, {}, { token: await invite(two.id) })).body.code).toBe('conflict')
    const at = async (merchant: string) => (await signIn(zoe.authenticator, {}, { merchant })).body.merchant?.name
    expect([await at(one.id), await at(two.id)]).toEqual(['One', 'Two'])
    expect((await signIn(zoe.authenticator, {}, { merchant: (await createVenue()).id })).status).toBe(401)
    // Each session reaches its own merchant only.
    const session = asSession(joined)
    expect((await session.request('GET', `/merchants/${one.id}/products`)).status).toBe(403)
    expect((await session.request('GET', `/merchants/${two.id}/products`)).status).toBe(200)
  })
})
