import { env, exports } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { supportSeconds } from '../../../../src/platform/auth/operator/support-sessions.ts'
import { clearSessionCache } from '../../../../src/platform/auth/sessions.ts'
import { adminToken, call, createKey, createVenue, toIssues } from '../../../support/api.ts'
import { createAuthenticator, sameOrigin } from '../../../support/authenticator.ts'
import { createOperator, joinOperators } from '../../../support/operators.ts'
import { now, travelTo } from '../session-requests.ts'
import { askToOpen, createSupported, homes, openVenue, update } from './support-venue.ts'

afterEach(() => vi.useRealTimers())
const dish = { title: 'Soup', price: 6 }

describe.each(homes)('in the home %s', (home) => {
  test.each(['support', 'admin'] as const)('an operator of the role %s opens a venue with a reason', async (role) => {
    const { venue, operator, owner } = await createSupported(home, role)
    const { id, session, setCookie, to } = await openVenue(operator, venue.id, 'Prices wrong, ticket 7')
    expect(setCookie).toMatch(/^__Host-session=U\w{31}; Path=\/; Max-Age=3600; HttpOnly; Secure; SameSite=Strict$/)
    expect(session).toMatchObject({ id, mode: 'live', merchant: { id: venue.id } })
    expect([session.key, session.user]).toEqual([undefined, undefined])
    expect(Math.abs(session.expiresAt - now() - supportSeconds)).toBeLessThan(30)
    expect((await to('GET', '/products')).status).toBe(200)
    const audit = (await owner.to('GET', '/audit?operation=support.open')).body
    expect(audit).toMatchObject([{ key: operator.id, name: 'Ana', object: id, title: 'Prices wrong, ticket 7' }])
  })

  test('the owner sees support in the sessions, and ends it', async () => {
    const { venue, operator, owner } = await createSupported(home)
    const { id, to, request, session } = await openVenue(operator, venue.id, 'Ticket 8')
    const [listed] = (await owner.to('GET', '/sessions')).body
    expect(listed).toMatchObject({
      id,
      support: { operator: operator.id, name: 'Ana', reason: 'Ticket 8' },
      expiresAt: session.expiresAt,
      current: false,
    })
    expect([listed.key, listed.user]).toEqual([undefined, undefined])
    expect((await owner.to('DELETE', `/sessions/${id}`)).status).toBe(200)
    expect((await to('GET', '/products')).status).toBe(401)
    expect((await request('GET', '/console/session')).status).toBe(401)
    const audit = (await owner.to('GET', `/audit?object=${id}`)).body
    expect(audit.map(({ operation, key }: Record<string, string>) => [operation, key])).toEqual([
      ['sessions.delete', owner.userId],
      ['support.open', operator.id],
    ])
  })

  test('support reads by default, writes only if the venue allows it, and does neither with off', async () => {
    const { venue, operator, owner, allow } = await createSupported(home)
    const { to } = await openVenue(operator, venue.id)
    const write = async () => (await to('POST', '/products', dish)).status
    const read = async () => (await to('GET', '/products')).status
    expect([await read(), await write()]).toEqual([200, 403])
    expect((await allow('write')).body.supportAccess).toBe('write')
    expect([await read(), await write()]).toEqual([200, 201])
    const [made] = (await to('GET', '/products')).body
    expect((await to('POST', `/products/${made.id}/availability`, { soldOut: true })).status).toBe(200)
    const [sold, created] = (await owner.to('GET', `/audit?object=${made.id}`)).body
    expect([sold.key, created.key, created.name]).toEqual([operator.id, operator.id, 'Ana'])
    await allow('read')
    expect([await read(), await write()]).toEqual([200, 403])
    await allow('off')
    expect([await read(), await write()]).toEqual([401, 401])
    expect(await askToOpen(operator, venue.id)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    await allow(null)
    expect([await read(), await write()]).toEqual([200, 403])
  })

  test('an hour that ends during a save rejects it with 401, as the next request', async () => {
    const { venue, operator, owner, allow } = await createSupported(home)
    await allow('write')
    const { to, cookie } = await openVenue(operator, venue.id)
    const start = now()
    travelTo(start + supportSeconds - 2)
    expect((await to('GET', '/products')).status).toBe(200)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const text = new TextEncoder().encode(JSON.stringify(dish))
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await held
        controller.enqueue(text)
        controller.close()
      },
    })
    const saving = exports.default.fetch(
      new Request(`https://api.test/merchants/${venue.id}/products`, {
        method: 'POST',
        body,
        headers: { cookie, ...sameOrigin, 'content-type': 'application/json' },
      }),
    )
    await scheduler.wait(200)
    travelTo(start + supportSeconds + 5)
    release()
    expect((await saving).status).toBe(401)
    expect((await to('POST', '/products', dish)).status).toBe(401)
    vi.useRealTimers()
    expect((await owner.to('GET', '/products')).body).toEqual([])
    expect((await owner.to('GET', '/sessions')).body).toHaveLength(2)
  })
})

test('the removal of the operator, and a new passkey, end the hour with the next request', async () => {
  const [venue, removed, lost] = [await createVenue(), await createOperator('support'), await createOperator('support')]
  const [first, second] = [await openVenue(removed, venue.id), await openVenue(lost, venue.id)]
  expect((await call('DELETE', `/admin/operators/${removed.id}`, adminToken)).status).toBe(200)
  expect((await first.to('GET', '/products')).status).toBe(401)
  expect((await second.to('GET', '/products')).status).toBe(200)
  const { body } = await call('POST', `/admin/operators/${lost.id}/invitation`, adminToken, {})
  expect((await second.to('GET', '/products')).status).toBe(200)
  await joinOperators(new URL(body.url).hash.slice(1), await createAuthenticator())
  expect((await second.to('GET', '/products')).status).toBe(401)
  const { results } = await env.DB.prepare('select id from sessions where merchant_id = ?').bind(venue.id).all()
  expect(results).toEqual([])
})

test('the hour is not extended by use, and ends by the clock of the database', async () => {
  const [venue, operator] = [await createVenue(), await createOperator('support')]
  const start = now()
  const { to } = await openVenue(operator, venue.id)
  for (const seconds of [1_200, 2_400, supportSeconds - 5]) {
    travelTo(start + seconds)
    expect([seconds, (await to('GET', '/products')).status]).toEqual([seconds, 200])
  }
  travelTo(start + supportSeconds + 5)
  expect((await to('GET', '/products')).status).toBe(401)
  const again = await operator.send('GET', '/admin/sessions')
  expect(again.status).toBe(200)
  expect((await openVenue(operator, venue.id)).id).toMatch(/^ses_/)
})

test('only a person opens a venue, with a reason, from the console', async () => {
  const [venue, operator] = [await createVenue(), await createOperator('support')]
  const path = `/admin/merchants/${venue.id}/support`
  const reason = { reason: 'Ticket' }
  expect((await call('POST', path, adminToken, reason, sameOrigin)).body.code).toBe('forbidden')
  const keyOf = await call('POST', '/admin/keys', adminToken, { title: 'Bills', scopes: ['platform:merchants:write'] })
  expect((await call('POST', path, keyOf.body.key, reason, sameOrigin)).body.code).toBe('forbidden')
  expect((await call('POST', path, venue.key, reason, sameOrigin)).status).toBe(401)
  expect((await call('POST', path, undefined, reason, sameOrigin)).status).toBe(401)
  const foreign = await operator.send('POST', path, reason, { 'sec-fetch-site': 'cross-site' })
  expect(foreign.body.code).toBe('forbidden')
  for (const [value, issue] of [
    ['', '/reason too_short'],
    ['  ', '/reason too_short'],
    ['x'.repeat(256), '/reason too_long'],
    [7, '/reason invalid_type'],
  ] as const)
    expect(toIssues(await askToOpen(operator, venue.id, value))).toEqual([issue])
  expect(toIssues(await operator.send('POST', path, {}))).toEqual(['/reason required'])
  expect((await askToOpen(operator, venue.id, 'x'.repeat(255))).status).toBe(201)
  expect((await askToOpen(operator, 'mer_none')).status).toBe(404)
  await call('POST', `/admin/merchants/${venue.id}/suspend`, adminToken)
  expect((await askToOpen(operator, venue.id)).body.code).toBe('merchant_suspended')
})

test('operators do not set what they may do', async () => {
  const { id } = await createVenue()
  expect(toIssues(await update(id, { supportAccess: 'write' }))).toEqual(['/supportAccess read_only_field'])
  const created = await call('POST', '/admin/merchants', adminToken, { name: 'Venue', supportAccess: 'write' })
  expect(toIssues(created)).toEqual(['/supportAccess read_only_field'])
  const owner = await createKey(id, { mode: 'live', scopes: ['merchant:write'] })
  for (const wrong of ['', 'Write', 'all', 1, []])
    expect(toIssues(await owner.post('', { supportAccess: wrong }))).toEqual(['/supportAccess invalid_value'])
  expect((await owner.post('', { supportAccess: 'off' })).body.supportAccess).toBe('off')
  expect((await call('GET', `/admin/merchants/${id}`, adminToken)).body.supportAccess).toBe('off')
})

test('support is in test mode if the request says so, ends at sign-out, and replaces the former cookie', async () => {
  const [venue, other, operator] = [await createVenue(), await createVenue(), await createOperator('support')]
  const first = await openVenue(operator, venue.id)
  expect((await first.request('GET', '/console/session', undefined, { mode: 'test' })).body.mode).toBe('test')
  expect((await first.to('GET', '/products', undefined, { mode: 'test' })).status).toBe(200)
  expect((await first.request('GET', `/merchants/${other.id}/products`)).body.code).toBe('forbidden')
  expect((await first.request('GET', `/admin/merchants/${venue.id}`)).status).toBe(401)
  const cookies = { cookie: `${operator.cookie}; ${first.cookie}` }
  const path = `/admin/merchants/${other.id}/support`
  const next = await operator.send('POST', path, { reason: 'Ticket 2' }, cookies)
  expect([next.status, next.body.merchant.id]).toEqual([201, other.id])
  expect((await first.to('GET', '/products')).status).toBe(401)
  const last = await openVenue(operator, venue.id)
  expect((await last.request('DELETE', '/console/session')).status).toBe(204)
  clearSessionCache()
  expect((await last.to('GET', '/products')).status).toBe(401)
  expect((await operator.send('GET', '/admin/sessions')).status).toBe(200)
})
