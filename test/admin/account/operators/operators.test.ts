import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTeam } from '../../../support/access-team.ts'
import { adminToken, call, createVenue, send } from '../../../support/api.ts'
import { createAuthenticator, createMember, request, sameOrigin, signIn } from '../../../support/authenticator.ts'
import { observe } from '../../../support/d1.ts'
import { createOperator, inviteOperator, joinOperators, signInOperator, toSession } from '../../../support/operators.ts'

afterEach(() => vi.unstubAllGlobals())
// Each test has the only admins.
beforeEach(() =>
  env.DB.batch(['operator_sessions', 'operators'].map((table) => env.DB.prepare(`delete from ${table}`))),
)

const asToken = (method: string, path: string, json?: unknown) => call(method, path, adminToken, json)
const status = async (response: ReturnType<typeof call>) => (await response).status

test('an invited operator creates a passkey, signs in with it, and has a name', async () => {
  const [{ id, token }, authenticator] = [
    await inviteOperator({ role: 'admin', name: ' Ana ' }),
    await createAuthenticator(),
  ]
  const opened = await request('POST', '/console/operator/invitation', { token })
  expect([opened.status, opened.body]).toEqual([200, { name: 'Ana', role: 'admin', expiresAt: expect.any(Number) }])
  const joined = await joinOperators(token, authenticator)
  const { send } = toSession(joined)
  expect(joined.body).toMatchObject({ current: true, operator: { id, name: 'Ana', role: 'admin' } })
  expect((await send('GET', '/admin/operators')).body).toEqual([
    {
      id,
      role: 'admin',
      name: 'Ana',
      passkeys: 1,
      createdBy: 'operator',
      createdAt: expect.any(Number),
      lastUsedAt: expect.any(Number),
    },
  ])
  // The link is used once.
  expect((await request('POST', '/console/operator/invitation', { token })).status).toBe(404)
  expect((await joinOperators(token, await createAuthenticator())).status).toBe(404)
  const again = toSession(await signInOperator(authenticator))
  expect(await status(again.send('POST', '/admin/merchants', { name: 'Otter' }))).toBe(201)
  // A person who has just used a passkey makes credentials.
  expect(await status(again.send('POST', '/admin/operators', { role: 'support', name: 'Bo' }))).toBe(201)
  await env.DB.prepare('update operator_sessions set asserted_at = asserted_at - 301').run()
  const late = await again.send('POST', '/admin/operators', { role: 'support', name: 'Bo' })
  expect([late.status, late.body.code]).toEqual([403, 'assertion_required'])
  const stored = await env.DB.prepare('select * from operators').all()
  expect(JSON.stringify(stored)).not.toContain(token)
})

test('a passkey of a venue opens nothing of the operator, and the other way round', async () => {
  const venue = await createVenue()
  const member = await createMember(venue.id, 'owner')
  const { authenticator, cookie } = await createOperator('admin')
  expect((await signInOperator(member.authenticator)).status).toBe(401)
  expect((await signIn(authenticator)).status).toBe(401)
  const own = { cookie, ...sameOrigin }
  expect(await status(call('GET', `/merchants/${venue.id}/products`, undefined, undefined, own))).toBe(401)
  // The challenge is used.
  const { body: options } = await request('POST', '/console/passkeys/options', {})
  const credential = await authenticator.sign(options)
  expect((await request('POST', '/console/operator', { credential })).status).toBe(201)
  expect((await request('POST', '/console/operator', { credential })).status).toBe(401)
})

test('a new link replaces the lost passkey and ends the sessions', async () => {
  const ana = await createOperator('admin')
  const { body } = await asToken('POST', `/admin/operators/${ana.id}/invitation`, {})
  const token = new URL(body.url).hash.slice(1)
  expect(await status(ana.send('GET', '/admin/merchants'))).toBe(200)
  const authenticator = await createAuthenticator()
  const { send } = toSession(await joinOperators(token, authenticator))
  expect(await status(send('GET', '/admin/merchants'))).toBe(200)
  expect(await status(ana.send('GET', '/admin/merchants'))).toBe(401)
  expect((await signInOperator(ana.authenticator)).status).toBe(401)
  expect((await send('GET', `/admin/operators/${ana.id}`)).body.passkeys).toBe(1)
})

test('an operator who is removed while signed in is out with the next request', async () => {
  const [ana, bo] = [await createOperator('admin', 'Ana'), await createOperator('admin', 'Bo')]
  const venue = await createVenue()
  expect(await status(bo.send('POST', `/admin/merchants/${venue.id}`, { name: 'Renamed' }))).toBe(200)
  const { status: removed, body } = await ana.send('DELETE', `/admin/operators/${bo.id}`)
  expect([removed, body.object]).toEqual([200, expect.objectContaining({ id: bo.id, name: 'Bo' })])
  expect(await status(bo.send('GET', '/admin/merchants'))).toBe(401)
  expect((await signInOperator(bo.authenticator)).status).toBe(401)
  expect(await status(ana.send('GET', `/admin/operators/${bo.id}`))).toBe(404)
  // The name stays in the audit log.
  const keys = await asToken('POST', `/admin/merchants/${venue.id}/keys`, { mode: 'live', scopes: ['audit:read'] })
  const log = await call('GET', `/merchants/${venue.id}/audit?operation=merchants.update`, keys.body.key)
  expect(log.body).toMatchObject([{ key: bo.id, name: 'Bo' }])
})

test.each(['d1', 'object'])('the audit log of a venue names operators at home %s', async (home) => {
  const { id, send } = await createOperator('admin', 'Ana')
  const { body: merchant } = await send('POST', '/admin/merchants', { name: 'Otter', home })
  await asToken('POST', `/admin/merchants/${merchant.id}`, { name: 'Otters' })
  const { body: made } = await send('POST', `/admin/merchants/${merchant.id}/keys`, {
    mode: 'live',
    scopes: ['audit:read'],
  })
  const { body } = await call('GET', `/merchants/${merchant.id}/audit`, made.key)
  expect(body.map(({ key, name, operation }: Record<string, string>) => [key, name, operation])).toEqual([
    [id, 'Ana', 'keys.create'],
    ['operator', undefined, 'merchants.update'],
    [id, 'Ana', 'merchants.create'],
  ])
})

test.each(['d1', 'object'])('a role that is lowered during a save rejects it, at home %s', async (home) => {
  const [ana, venue] = [await createOperator('admin', 'Ana'), await createVenue({ home })]
  await createOperator('admin', 'Bo')
  const held = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await held.promise
      controller.enqueue(new TextEncoder().encode('{"name":"Renamed"}'))
      controller.close()
    },
  })
  const path = `/admin/merchants/${venue.id}`
  const headers = { cookie: ana.cookie, ...sameOrigin, 'content-type': 'application/json' }
  const saving = send(path, { method: 'POST', body, headers })
  await scheduler.wait(100)
  expect(await status(asToken('POST', `/admin/operators/${ana.id}`, { role: 'support' }))).toBe(200)
  held.resolve()
  expect(await saving).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(await status(ana.send('POST', path, { name: 'Again' }))).toBe(403)
  expect(await ana.send('GET', path)).toMatchObject({ status: 200, body: { name: 'Venue' } })
})

describe('the last admin', () => {
  test('is neither removed nor demoted, until another can sign in', async () => {
    const ana = await createOperator('admin')
    const path = `/admin/operators/${ana.id}`
    const changes = [
      () => ana.send('DELETE', path),
      () => ana.send('POST', path, { role: 'support' }),
      () => asToken('DELETE', path),
    ]
    for (const change of changes) expect(await change()).toMatchObject({ status: 409, body: { code: 'conflict' } })
    // An open invitation is no admin.
    const bo = await inviteOperator({ role: 'admin', name: 'Bo' })
    for (const change of changes) expect((await change()).status).toBe(409)
    expect(await status(asToken('DELETE', `/admin/operators/${bo.id}`))).toBe(200)
    const { id } = await inviteOperator({ role: 'admin', name: 'Cy', email: 'Cy@Example.com' })
    expect(await status(ana.send('POST', path, { role: 'support' }))).toBe(200)
    expect(await status(ana.send('POST', '/admin/merchants', { name: 'Otter' }))).toBe(403)
    // The address is the only way in.
    expect(await status(asToken('POST', `/admin/operators/${id}`, { email: null }))).toBe(409)
    expect(await status(asToken('POST', `/admin/operators/${id}`, { name: 'Cy Young', email: null }))).toBe(409)
    expect(await status(asToken('POST', `/admin/operators/${id}`, { name: 'Cy Young' }))).toBe(200)
  })

  test('stays when two admins remove each other at once', async () => {
    const [ana, bo] = [await createOperator('admin', 'Ana'), await createOperator('admin', 'Bo')]
    const results = await Promise.all([
      ana.send('DELETE', `/admin/operators/${bo.id}`),
      bo.send('DELETE', `/admin/operators/${ana.id}`),
    ])
    expect(results.filter((result) => result.status === 200)).toHaveLength(1)
    const left = await asToken('GET', '/admin/operators')
    expect(left.body).toHaveLength(1)
  })
})

test('two operators never have one address', async () => {
  await inviteOperator({ role: 'support', name: 'Ana', email: 'ana@example.com' })
  const same = { role: 'support', name: 'Bo', email: 'ANA@example.com' }
  expect(await asToken('POST', '/admin/operators', same)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const { id } = await inviteOperator({ role: 'support', name: 'Bo' })
  expect(await status(asToken('POST', `/admin/operators/${id}`, { email: same.email }))).toBe(409)
  for (const json of [{}, { role: 'finance', name: 'B' }, { role: 'admin', name: '' }, { ...same, email: 'x' }]) {
    expect(await status(asToken('POST', '/admin/operators', json))).toBe(422)
  }
})

test('Cloudflare Access: a person without a record is admin until the first admin exists', async () => {
  const { key, claims, bindings, request: list } = await createTeam()
  const [zoe, ana] = [await key.sign(claims), await key.sign({ ...claims, email: 'Ana@Example.com' })]
  const enter = async (assertion: string) => {
    const headers = { ...sameOrigin, 'cf-access-jwt-assertion': assertion }
    return observe('POST', '/console/operator', { json: {}, headers, bindings })
  }
  expect(await list(zoe)).toBe(200)
  const early = toSession(await enter(zoe))
  // A service token has no e-mail address.
  const service = await key.sign({ ...claims, email: undefined, common_name: 'client' })
  expect([await list(service), (await enter(service)).status]).toEqual([403, 403])
  await inviteOperator({ role: 'support', name: 'Sam', email: 'sam@example.com' })
  await inviteOperator({ role: 'admin', name: 'Invited' })
  expect([await list(zoe), await status(early.send('GET', '/admin/merchants'))]).toEqual([200, 200])
  const { id } = await inviteOperator({ role: 'admin', name: 'Ana', email: 'ana@example.com' })
  expect([await list(zoe), (await enter(zoe)).status]).toEqual([403, 403])
  expect(await status(early.send('GET', '/admin/merchants'))).toBe(401)
  expect([await list(ana), await list(await key.sign({ ...claims, email: 'sam@example.com' }))]).toEqual([200, 200])
  const entered = await enter(ana)
  expect(entered.body.operator).toEqual({ id, name: 'Ana', role: 'admin' })
  // Access may have signed the person in long ago.
  const made = await toSession(entered).send('POST', '/admin/operators', { role: 'admin', name: 'Bo' })
  expect([made.status, made.body.code]).toEqual([403, 'assertion_required'])
  const sam = await key.sign({ ...claims, email: 'sam@example.com' })
  expect(await list(sam, { method: 'POST', json: { name: 'Venue' } })).toBe(403)
})

test('sessions of people do not depend on the token', async () => {
  const { cookie } = await createOperator('admin')
  const headers = { cookie, ...sameOrigin }
  for (const bindings of [{ ADMIN_TOKEN: 'another-token' }, { ADMIN_TOKEN_NEXT: 'next' }, {}]) {
    expect((await observe('GET', '/admin/merchants', { headers, bindings })).status).toBe(200)
  }
  const none = await observe('GET', '/admin/merchants', { headers, bindings: { ADMIN_TOKEN: undefined } })
  expect(none.status).toBe(404)
})

test('support sees and ends its own sessions, an admin those of everybody', async () => {
  const [ana, sam] = [await createOperator('admin'), await createOperator('support', 'Sam')]
  const second = toSession(await signInOperator(sam.authenticator))
  const ids = async (send: typeof ana.send) =>
    (await send('GET', '/admin/sessions')).body.map(({ id }: { id: string }) => id)
  expect(await ids(sam.send)).toEqual([second.id, sam.session])
  expect(await ids(ana.send)).toEqual([second.id, sam.session, ana.session])
  expect(await status(sam.send('DELETE', `/admin/sessions/${ana.session}`))).toBe(404)
  expect(await status(sam.send('DELETE', `/admin/sessions/${second.id}`))).toBe(200)
  expect(await status(second.send('GET', '/admin/merchants'))).toBe(401)
  expect(await status(ana.send('DELETE', `/admin/sessions/${sam.session}`))).toBe(200)
  expect(await status(sam.send('GET', '/admin/merchants'))).toBe(401)
})
