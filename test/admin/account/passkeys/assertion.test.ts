import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { assertionSeconds } from '../../../../src/platform/auth/assertion.ts'
import { createVenue } from '../../../support/api.ts'
import {
  type Authenticator,
  asSession,
  createAuthenticator,
  createMember,
  invite,
  request,
  requestOptions,
  signIn,
} from '../../../support/authenticator.ts'
import { makeStale } from '../credentials/holders.ts'
import { rows } from './clock-and-rows.ts'

type Session = Pick<ReturnType<typeof asSession>, 'request'>
const path = '/console/passkeys'

async function addPasskey({ request: send }: Session, authenticator: Authenticator, title?: string) {
  const { body: options } = await send('POST', `${path}/registration`, {})
  const challenged = options.challenge ? options : { ...(await requestOptions()), user: { id: 'AAAA' } }
  return send('POST', path, { credential: await authenticator.register(challenged), ...(title && { title }) })
}

async function assert({ request: send }: Session, authenticator: Authenticator, wrong = {}) {
  const credential = await authenticator.sign(await requestOptions(), wrong)
  return send('POST', `${path}/assertion`, { credential })
}

/** An owner of two venues, signed in to both. */
async function createOwnerOfTwo() {
  const [first, second] = [await createVenue({ name: 'First' }), await createVenue({ name: 'Second' })]
  const owner = await createMember(first.id)
  const joined = await signIn(owner.authenticator, {}, { token: await invite(second.id) })
  return { first, second, owner, elsewhere: asSession(joined), authenticator: owner.authenticator }
}

const codesOf = (responses: readonly { status: number; body: { code?: string } }[]) =>
  responses.map(({ status, body }) => body?.code ?? status)

test('the cookie of a till that was left open opens no other venue, and locks nobody out', async () => {
  const { owner, authenticator } = await createOwnerOfTwo()
  await addPasskey(owner, await createAuthenticator())
  await makeStale(owner.cookie)
  const theirs = await createAuthenticator()
  expect((await addPasskey(owner, theirs)).body.code).toBe('assertion_required')
  expect((await signIn(theirs)).status).toBe(401)
  expect((await owner.request('DELETE', `${path}/${authenticator.id}`)).body.code).toBe('assertion_required')
  expect((await signIn(authenticator)).status).toBe(201)
  expect((await owner.request('POST', `${path}/${authenticator.id}`, { title: 'Mine' })).status).toBe(200)
})

describe('an assertion', () => {
  test('confirms its session for five minutes', async () => {
    const owner = await createMember((await createVenue()).id)
    const make = async () => (await owner.to('POST', '/keys', { mode: 'live' })).status
    await makeStale(owner.cookie)
    expect(await make()).toBe(403)
    const asserted = await assert(owner, owner.authenticator)
    expect([asserted.status, asserted.body]).toEqual([
      200,
      {
        id: (await owner.request('GET', '/console/session')).body.id,
        assertedAt: expect.any(Number),
        expiresAt: asserted.body.assertedAt + assertionSeconds,
      },
    ])
    expect(await make()).toBe(201)
    await env.DB.prepare('update sessions set asserted_at = asserted_at - ?')
      .bind(assertionSeconds - 30)
      .run()
    expect(await make()).toBe(201)
    await env.DB.prepare('update sessions set asserted_at = asserted_at - 31').run()
    expect(await make()).toBe(403)
  })

  test('confirms no other session of the person', async () => {
    const { owner, elsewhere, authenticator } = await createOwnerOfTwo()
    await makeStale(owner.cookie)
    expect((await assert(elsewhere, authenticator)).status).toBe(200)
    expect((await elsewhere.request('POST', `${path}/registration`, {})).status).toBe(200)
    expect((await owner.request('POST', `${path}/registration`, {})).status).toBe(403)
  })

  test('takes only a passkey of the same person, verified, once, with a session of a member', async () => {
    const venue = await createVenue()
    const [owner, colleague] = [await createMember(venue.id), await createMember(venue.id)]
    await makeStale(owner.cookie)
    const refused = [
      await assert(owner, colleague.authenticator),
      await assert(owner, await createAuthenticator()),
      await assert(owner, owner.authenticator, { flags: 0x01 }),
      await assert(owner, owner.authenticator, { origin: 'https://attacker.test' }),
      await assert({ request }, owner.authenticator),
    ]
    expect(codesOf(refused)).toEqual(refused.map(() => 'unauthenticated'))
    const credential = await owner.authenticator.sign(await requestOptions())
    const send = () => owner.request('POST', `${path}/assertion`, { credential })
    expect((await owner.to('POST', '/keys', { mode: 'live' })).status).toBe(403)
    expect([(await send()).status, (await send()).status]).toEqual([200, 401])
    const { body } = await owner.request('GET', '/console/session')
    expect(await rows('audit', 'object', body.id)).toMatchObject([
      { operation: 'sessions.create' },
      { operation: 'sessions.update', key: owner.userId },
    ])
  })

  test('is needed to get a stored response with a key again', async () => {
    const owner = await createMember((await createVenue()).id)
    const make = () => owner.to('POST', '/keys', { mode: 'live' }, { 'idempotency-key': 'again' })
    const { body } = await make()
    expect((await make()).body).toEqual(body)
    await makeStale(owner.cookie)
    expect((await make()).body.code).toBe('assertion_required')
  })
})

describe('a notice', () => {
  const notices = async (session: Session) => (await session.request('GET', '/console/session')).body.notices
  const note = (operation: string, title?: string) => ({
    id: expect.stringMatching(/^ntc_/),
    at: expect.any(Number),
    operation,
    ...(title && { title }),
    venue: 'First',
  })

  test('of a new and of a deleted passkey is shown at the next sign-in at every venue, until it is read there', async () => {
    const { first, second, owner, elsewhere, authenticator } = await createOwnerOfTwo()
    const added = await createAuthenticator()
    expect((await addPasskey(owner, added, 'Theirs')).status).toBe(201)
    expect(await notices(owner)).toBeUndefined()
    expect(await notices(elsewhere)).toEqual([note('passkeys.create', 'Theirs')])
    const there = await signIn(authenticator, {}, { merchant: second.id })
    expect(there.body.notices).toEqual([note('passkeys.create', 'Theirs')])
    const again = await signIn(authenticator, {}, { merchant: first.id })
    expect(again.body.notices).toEqual([note('passkeys.create', 'Theirs')])

    const [notice] = there.body.notices
    const read = (session: Session, id = notice.id) => session.request('POST', `/console/notices/${id}/read`, {})
    expect((await read(asSession(there))).status).toBe(204)
    expect(await notices(asSession(there))).toBeUndefined()
    expect((await signIn(authenticator, {}, { merchant: second.id })).body.notices).toBeUndefined()
    expect(await notices(asSession(again))).toEqual([note('passkeys.create', 'Theirs')])

    const stranger = await createMember(first.id)
    expect((await read(stranger)).status).toBe(404)
    expect(await notices(stranger)).toBeUndefined()
    expect((await read(asSession(there), 'ntc_zzz')).status).toBe(404)

    await owner.request('DELETE', `${path}/${added.id}`)
    const { body } = await signIn(authenticator, {}, { merchant: second.id })
    expect(body.notices).toEqual([note('passkeys.delete', 'Theirs')])
  })

  test('is not hidden by the passkey that it is about', async () => {
    const { first, owner, authenticator } = await createOwnerOfTwo()
    const theirs = await createAuthenticator()
    await addPasskey(owner, theirs)
    const attacker = await signIn(theirs, {}, { merchant: first.id })
    expect(attacker.body.notices).toBeUndefined()
    const [row] = await rows('notices', 'passkey', theirs.id)
    const read = await asSession(attacker).request('POST', `/console/notices/${row?.['id']}/read`, {})
    expect(read.status).toBe(204)
    const { body } = await signIn(authenticator, {}, { merchant: first.id })
    expect(body.notices).toEqual([note('passkeys.create')])
  })

  test('is not written where nothing was changed, and comes with entries in the audit logs of all venues of the person', async () => {
    const { first, second, owner, elsewhere, authenticator } = await createOwnerOfTwo()
    expect((await owner.request('DELETE', `${path}/${authenticator.id}`)).status).toBe(409)
    expect((await owner.request('DELETE', `${path}/none`)).status).toBe(404)
    expect(await notices(elsewhere)).toBeUndefined()
    const added = await createAuthenticator()
    await addPasskey(owner, added)
    await owner.request('DELETE', `${path}/${added.id}`)
    for (const [venue, userId] of [
      [first, owner.userId],
      [second, elsewhere.userId],
    ] as const) {
      const { body } = await venue.get('/audit?limit=100')
      const entries = body.filter(({ operation }: { operation: string }) => operation.startsWith('passkeys.'))
      expect(entries).toMatchObject([
        { operation: 'passkeys.delete', key: userId, object: userId },
        { operation: 'passkeys.create', key: userId, object: userId },
      ])
    }
    const other = await createMember(second.id)
    expect(await notices(other)).toBeUndefined()
  })
})
