import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { challengeSeconds } from '../../../../src/admin/account/passkeys/challenge.ts'
import { maxPasskeys } from '../../../../src/admin/account/passkeys/passkey-statements.ts'
import { maxSessionsPerKey } from '../../../../src/admin/account/session-statements.ts'
import { createVenue } from '../../../support/api.ts'
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
} from '../../../support/authenticator.ts'
import { observe } from '../../../support/d1.ts'
import { withLateDatabase } from '../../../support/database-clock.ts'
import { purgeNow } from '../../../support/purges.ts'
import { now, rows, travelTo } from './clock-and-rows.ts'

afterEach(() => vi.useRealTimers())

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
    const { used_challenges: purged } = await purgeNow(env, Date.now())
    expect(purged).toBeGreaterThan(0)
  })

  test('is rejected if its challenge has expired when the transaction starts', async () => {
    const venue = await createVenue()
    const { authenticator } = await createMember(venue.id)
    const credential = await authenticator.sign(await requestOptions())
    const attempt = () => request('POST', '/console/passkeys/session', { credential })
    expect((await withLateDatabase(challengeSeconds + 1, attempt)).status).toBe(401)
    expect((await attempt()).status).toBe(201)
  })

  test('that counts is rejected where its counter does not increase', async () => {
    const { authenticator } = await createMember((await createVenue()).id)
    const statuses = []
    for (const counter of [0, 5, 5, 4, 0, 6]) statuses.push((await signIn(authenticator, { counter })).status)
    expect(statuses).toEqual([201, 201, 401, 401, 401, 201])
  })

  test('that is unknown does not sign in, and costs one round trip', async () => {
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

test(`a member has at most ${maxSessionsPerKey} sessions`, async () => {
  const venue = await createVenue()
  const { authenticator, userId } = await createMember(venue.id)
  await env.DB.prepare(
    `insert into sessions (id, merchant_id, user_id, hash, created_at, last_used_at) select 'ses_0' || value || sessions.id, merchant_id, user_id, hash || value, created_at, last_used_at
     from sessions, json_each(?) where user_id = ?`,
  )
    .bind(JSON.stringify(Array.from({ length: maxSessionsPerKey }, (_, index) => index)), userId)
    .run()
  await signIn(authenticator)
  expect(await rows('sessions', 'user_id', userId)).toHaveLength(maxSessionsPerKey)
})
