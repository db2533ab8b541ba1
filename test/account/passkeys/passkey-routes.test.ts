import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { invitationSeconds, maxMembers } from '../../../src/account/members/invitation-statements.ts'
import { challengeSeconds } from '../../../src/account/passkeys/challenge.ts'
import { maxPasskeys } from '../../../src/account/passkeys/passkey-statements.ts'
import { maxSessionsPerKey } from '../../../src/account/session-statements.ts'
import { roleScopes } from '../../../src/auth/roles.ts'
import { purgeExpired } from '../../../src/maintenance.ts'
import { adminToken, call, createVenue, send, toIssues } from '../../support/api.ts'
import {
  accept,
  asSession,
  createAuthenticator,
  createMember,
  invite,
  request,
  requestOptions,
  sameOrigin,
  signIn,
} from '../../support/authenticator.ts'
import { observe } from '../../support/d1.ts'

afterEach(() => vi.useRealTimers())

const now = () => Math.floor(Date.now() / 1000)
const travelTo = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 })
const rows = async (table: string, column: string, value: string) =>
  (await env.DB.prepare(`select * from ${table} where ${column} = ?`).bind(value).all()).results

describe('an invitation', () => {
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
    expect(await purgeExpired(env, Date.now())).toMatchObject({ invitations: 1 })
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

  test('brings a person into a second venue only with the passkey that exists', async () => {
    const [one, two] = [await createVenue({ name: 'One' }), await createVenue({ name: 'Two' })]
    const zoe = await createMember(one.id, 'owner', 'Zoë')
    const token = await invite(two.id, 'staff')
    // Without the passkey, the same invitation makes another person.
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

describe('a passkey', () => {
  test.each([-7, -8, -257] as const)('of algorithm %d signs in', async (algorithm) => {
    const venue = await createVenue()
    const authenticator = await createAuthenticator(algorithm)
    expect((await accept(await invite(venue.id), authenticator)).status).toBe(201)
    expect((await signIn(authenticator)).status).toBe(201)
  })

  test('is accepted for this service, this ceremony and a verified person only', async () => {
    const venue = await createVenue()
    const forgeries = [
      { origin: 'https://menu.example.attacker.test' },
      { origin: 'https://api.test' },
      { rpId: 'attacker.test' },
      { type: 'webauthn.other' },
      { crossOrigin: true },
      { flags: 0x41 },
      { flags: 0x44 },
      { id: 'b3RoZXI' },
    ]
    const token = await invite(venue.id)
    for (const wrong of [...forgeries, { flags: 0x05 }]) {
      const { status, headers } = await accept(token, await createAuthenticator(), 'Zoë', wrong)
      expect([wrong, status, headers.has('set-cookie')]).toEqual([wrong, 401, false])
    }
    const authenticator = await createAuthenticator()
    expect((await accept(token, authenticator)).status).toBe(201)
    for (const wrong of [...forgeries.slice(0, 5), { flags: 0x01 }, { flags: 0x04 }, { id: 'b3RoZXI' }]) {
      expect([wrong, (await signIn(authenticator, wrong)).status]).toEqual([wrong, 401])
    }
    const credential = await authenticator.sign(await requestOptions())
    const { signature } = credential.response
    const middle = signature[40] === 'A' ? 'B' : 'A'
    for (const change of [
      { signature: `${signature.slice(0, 40)}${middle}${signature.slice(41)}` },
      { signature: 'AA' },
      { authenticatorData: 'AAAA' },
      { clientDataJSON: '!' },
    ]) {
      const changed = { ...credential, response: { ...credential.response, ...change } }
      const { status } = await request('POST', '/console/passkeys/session', { credential: changed })
      expect([change, status]).toEqual([change, 401])
    }
    expect((await request('POST', '/console/passkeys/session', { credential })).status).toBe(201)
  })

  test('is not replayed: a challenge is accepted once, for five minutes, and only if the service made it', async () => {
    const venue = await createVenue()
    const { authenticator } = await createMember(venue.id)
    const credential = await authenticator.sign(await requestOptions())
    const attempt = () => request('POST', '/console/passkeys/session', { credential })
    const responses = await Promise.all([attempt(), attempt()])
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 401])
    expect((await attempt()).status).toBe(401)

    const foreign = btoa('chl_01kajqb2kefz3t5ydm0pg6n9rw.0000000000000000').replace(/=+$/, '')
    const forged = await authenticator.sign({ challenge: foreign })
    expect((await request('POST', '/console/passkeys/session', { credential: forged })).status).toBe(401)

    const start = now()
    const late = await authenticator.sign(await requestOptions())
    travelTo(start + challengeSeconds + 10)
    expect((await request('POST', '/console/passkeys/session', { credential: late })).status).toBe(401)
    expect((await signIn(authenticator)).status).toBe(201)
    travelTo(start + 3 * challengeSeconds)
    const { used_challenges: purged } = await purgeExpired(env, Date.now())
    expect(purged).toBeGreaterThan(0)
  })

  test('that counts is rejected where its counter does not increase', async () => {
    const { authenticator } = await createMember((await createVenue()).id)
    const statuses = []
    for (const counter of [0, 5, 5, 4, 0, 6]) statuses.push((await signIn(authenticator, { counter })).status)
    expect(statuses).toEqual([201, 201, 401, 401, 401, 201])
  })

  test('of nobody signs nobody in, and costs one round trip', async () => {
    const stranger = await createAuthenticator()
    expect((await signIn(stranger)).body.code).toBe('unauthenticated')
    const { authenticator } = await createMember((await createVenue()).id)
    const json = { credential: await authenticator.sign(await requestOptions()) }
    const known = await observe('POST', '/console/passkeys/session', { json, headers: sameOrigin })
    expect([known.status, known.trips.length]).toEqual([201, 3])
    const options = await observe('POST', '/console/passkeys/options', { json: {}, headers: sameOrigin })
    expect(options.trips).toHaveLength(0)
  })

  test('is added to the member who is signed in, and deleted unless it is the last', async () => {
    const venue = await createVenue()
    const { request: asMember, authenticator, userId, to } = await createMember(venue.id)
    const path = '/console/passkeys'
    expect((await asMember('DELETE', `${path}/${authenticator.id}`)).body.code).toBe('conflict')
    const second = await createAuthenticator()
    const { body: options } = await asMember('POST', `${path}/registration`, {})
    expect(options.excludeCredentials).toEqual([
      { type: 'public-key', id: authenticator.id, transports: ['internal', 'hybrid'] },
    ])
    const added = await asMember('POST', path, { credential: await second.register(options) })
    expect([added.status, added.body]).toEqual([201, { id: second.id, createdAt: expect.any(Number) }])
    expect((await signIn(second)).body.user.id).toBe(userId)
    const listed = (await asMember('GET', path)).body.map(({ id }: { id: string }) => id)
    expect(listed.sort()).toEqual([authenticator.id, second.id].sort())
    expect((await to('GET', '/members')).body[0]).toMatchObject({ id: userId, passkeys: 2 })

    const { body: again } = await asMember('POST', `${path}/registration`, {})
    const known = await asMember('POST', path, { credential: await second.register(again) })
    expect(known.body.code).toBe('conflict')
    const stranger = await createMember((await createVenue()).id)
    expect((await stranger.request('DELETE', `${path}/${second.id}`)).status).toBe(404)
    expect((await asMember('DELETE', `${path}/${authenticator.id}`)).status).toBe(200)
    expect((await signIn(authenticator)).status).toBe(401)
    expect((await signIn(second)).status).toBe(201)
  })

  test('has a name, which only its person reads and changes', async () => {
    const { request: asMember, authenticator } = await createMember((await createVenue()).id)
    const path = '/console/passkeys'
    const second = await createAuthenticator()
    const { body: options } = await asMember('POST', `${path}/registration`, {})
    const credential = await second.register(options)
    const added = await asMember('POST', path, { credential, title: ' Phone ' })
    expect(added.body).toEqual({ id: second.id, title: 'Phone', createdAt: expect.any(Number) })
    const titles = async () => {
      const { body } = await asMember('GET', path)
      return Object.fromEntries(body.map(({ id, title }: Record<string, string>) => [id, title]))
    }
    expect(await titles()).toEqual({ [authenticator.id]: undefined, [second.id]: 'Phone' })
    const rename = (title: unknown, id = second.id) => asMember('POST', `${path}/${id}`, { title })
    const longest = 'x'.repeat(255)
    expect((await rename(longest)).body.title).toBe(longest)
    for (const wrong of [`${longest}x`, ' ', 7, undefined]) expect((await rename(wrong)).status).toBe(422)
    expect((await rename('Key', 'none')).status).toBe(404)
    const stranger = await createMember((await createVenue()).id)
    expect((await stranger.request('POST', `${path}/${second.id}`, { title: 'Mine' })).status).toBe(404)
    expect((await titles())[second.id]).toBe(longest)
    expect((await rename(null)).body).toEqual({ id: second.id, createdAt: expect.any(Number) })
  })

  test('opens each venue of its person, and the person sees which there are', async () => {
    const [one, two] = [await createVenue({ name: 'One' }), await createVenue({ name: 'Two' })]
    const zoe = await createMember(one.id, 'owner', 'Zoë')
    const joined = asSession(await signIn(zoe.authenticator, {}, { token: await invite(two.id, 'staff') }))
    await createMember(two.id)
    const { body } = await joined.request('GET', '/console/memberships')
    const at = (merchant: string) => body.find((each: { merchant: { id: string } }) => each.merchant.id === merchant)
    expect(body).toHaveLength(2)
    expect([at(one.id), at(two.id)]).toEqual([
      { id: zoe.userId, role: 'owner', merchant: { id: one.id, name: 'One' }, suspended: false, current: false },
      { id: joined.userId, role: 'staff', merchant: { id: two.id, name: 'Two' }, suspended: false, current: true },
    ])
    await call('POST', `/admin/merchants/${one.id}/suspend`, adminToken)
    const { body: later } = await joined.request('GET', '/console/memberships')
    expect(later.map(({ suspended }: { suspended: boolean }) => suspended).sort()).toEqual([false, true])
    expect((await request('GET', '/console/memberships')).status).toBe(401)
  })

  test('ends the other sessions of its person when it is deleted', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    const [owner, colleague] = [await createMember(venue.id), await createMember(venue.id)]
    const second = await createAuthenticator()
    const { body: options } = await owner.request('POST', '/console/passkeys/registration', {})
    await owner.request('POST', '/console/passkeys', { credential: await second.register(options) })
    const again = asSession(await signIn(second))
    const elsewhere = asSession(await signIn(second, {}, { token: await invite(other.id) }))
    const statuses = async () =>
      Promise.all(
        [owner, again, elsewhere, colleague].map(async (who) => (await who.request('GET', '/console/session')).status),
      )
    const remove = async (id: string) => (await owner.request('DELETE', `/console/passkeys/${id}`)).status
    expect([await remove('none'), await statuses()]).toEqual([404, [200, 200, 200, 200]])
    expect([await remove(second.id), await statuses()]).toEqual([200, [200, 401, 401, 200]])
  })

  test(`is one of at most ${maxPasskeys} of a person`, async () => {
    const { request: asMember, authenticator } = await createMember((await createVenue()).id)
    await env.DB.prepare(
      `insert into passkeys select passkeys.id || value, person, public_key, algorithm, 0, '[]', 1, null, null
       from passkeys, json_each(?) where passkeys.id = ?`,
    )
      .bind(JSON.stringify(Array.from({ length: maxPasskeys - 2 }, (_, index) => index)), authenticator.id)
      .run()
    const add = async () => {
      const { body: options } = await asMember('POST', '/console/passkeys/registration', {})
      const credential = await (await createAuthenticator()).register(options)
      return (await asMember('POST', '/console/passkeys', { credential })).status
    }
    expect([await add(), await add()]).toEqual([201, 409])
  })

  test('needs a member: a key has no passkeys', async () => {
    const venue = await createVenue()
    const { headers } = await request('POST', '/console/session', { key: venue.key })
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', '/x'],
      ['POST', '/registration'],
    ] as const) {
      const json = method === 'POST' ? {} : undefined
      expect((await request(method, `/console/passkeys${path}`, json, { cookie })).status).toBe(401)
      expect((await request(method, `/console/passkeys${path}`, json)).status).toBe(401)
    }
  })
})

test('requests are accepted from pages of the same origin and with JSON only', async () => {
  const { cookie } = await createMember((await createVenue()).id)
  for (const path of ['', '/options', '/session', '/registration', '/x']) {
    for (const site of ['cross-site', 'same-site', 'none', '']) {
      const headers = { cookie, 'content-type': 'application/json', ...(site && { 'sec-fetch-site': site }) }
      const { status } = await send(`/console/passkeys${path}`, { method: 'POST', body: '{}', headers })
      expect([path, site, status]).toEqual([path, site, 403])
    }
    const headers = { cookie, ...sameOrigin, 'content-type': 'text/plain' }
    const { status } = await send(`/console/passkeys${path}`, { method: 'POST', body: '{}', headers })
    expect([path, status]).toEqual([path, 415])
  }
})

test('fields are checked', async () => {
  const token = await invite((await createVenue()).id)
  const register = (body: object) => request('POST', '/console/passkeys/registration', body)
  expect(toIssues(await register({ token }))).toEqual(['/name required'])
  expect(toIssues(await register({ token, name: ' ' }))).toEqual(['/name too_short'])
  expect((await register({ token, name: 'x'.repeat(255) })).status).toBe(200)
  expect(toIssues(await register({ token, name: 'x'.repeat(256) }))).toEqual(['/name too_long'])
  expect(toIssues(await register({ token: 'x'.repeat(65), name: 'x' }))).toEqual(['/token too_long'])
  expect(toIssues(await request('POST', '/console/passkeys/session', {}))).toEqual(['/credential required'])
  expect(toIssues(await request('POST', '/console/invitation', {}))).toEqual(['/token required'])
  expect(toIssues(await request('POST', '/console/passkeys/options', { x: 1 }))).toEqual(['/x unknown_field'])
})

test('failures count towards the limit of an address, and a limited address looks up little', async () => {
  const { authenticator } = await createMember((await createVenue()).id)
  let failures = 0
  const bindings = { RATE_LIMITS: 'on', MISSES: { limit: async () => ({ success: ++failures <= 3 }) } }
  const attempt = (path: string, json: object) => observe('POST', path, { json, headers: sameOrigin, bindings })
  const statuses = []
  for (let index = 0; index < 5; index++) {
    statuses.push((await attempt('/console/invitation', { token: `guess${index}` })).status)
  }
  expect(statuses).toEqual([404, 404, 404, 429, 429])
  const credential = await authenticator.sign(await requestOptions())
  expect((await attempt('/console/passkeys/session', { credential })).status).toBe(201)
  const looked = []
  for (let index = 0; index < 40; index++) {
    looked.push((await attempt('/console/invitation', { token: `guess${index}` })).trips.length)
  }
  expect(looked.at(-1)).toBe(0)
})

test('without an origin in the configuration there are no passkeys; the Host header is not used', async () => {
  const attempt = (bindings: object) =>
    observe('POST', '/console/passkeys/options', { json: {}, headers: sameOrigin, bindings })
  const none = await attempt({ PUBLIC_BASE_URL: undefined })
  expect([none.status, none.body.code]).toEqual([409, 'not_supported'])
  const own = await attempt({ CONSOLE_ORIGIN: 'https://console.example' })
  expect(own.body.rpId).toBe('console.example')
  expect((await requestOptions()).rpId).toBe('menu.example')
})

test(`a member has at most ${maxSessionsPerKey} sessions`, async () => {
  const venue = await createVenue()
  const { authenticator, userId } = await createMember(venue.id)
  await env.DB.prepare(
    `insert into sessions select 'ses_0' || value || sessions.id, merchant_id, null, user_id, hash || value, created_at, last_used_at, null
     from sessions, json_each(?) where user_id = ?`,
  )
    .bind(JSON.stringify(Array.from({ length: maxSessionsPerKey }, (_, index) => index)), userId)
    .run()
  await signIn(authenticator)
  expect(await rows('sessions', 'user_id', userId)).toHaveLength(maxSessionsPerKey)
})
