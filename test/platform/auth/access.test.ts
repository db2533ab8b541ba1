import { afterEach, expect, test, vi } from 'vitest'
import { audience, createAccessKey, createTeam, encode } from '../../support/access-team.ts'
import { sameOrigin } from '../../support/authenticator.ts'
import { observe } from '../../support/d1.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('who passes Cloudflare Access is the operator until there is an admin, in pages of the service', async () => {
  const { team, key, claims, request, domain } = await createTeam()
  const assertion = await key.sign(claims)
  expect(await request(assertion)).toBe(200)
  expect(await request(await key.sign({ ...claims, aud: audience }))).toBe(200)
  expect(await request(assertion, { method: 'POST', json: { name: 'Venue' } })).toBe(201)
  // The keys were read once.
  expect(team.fetched).toEqual([`https://${domain}/cdn-cgi/access/certs`])
  for (const site of ['cross-site', 'same-site', 'none']) {
    expect([site, await request(assertion, { headers: { 'sec-fetch-site': site } })]).toEqual([site, 403])
  }
  expect(await request(assertion, { headers: {} })).toBe(403)
  const form = { ...sameOrigin, 'content-type': 'text/plain' }
  expect(await request(assertion, { method: 'POST', headers: form })).toBe(403)
})

test('the console exchanges an assertion for a session', async () => {
  const { key, claims, bindings } = await createTeam()
  const signIn = async (assertion: string) => {
    const headers = { ...sameOrigin, 'cf-access-jwt-assertion': assertion }
    return observe('POST', '/console/operator', { json: {}, headers, bindings })
  }
  const { status, headers } = await signIn(await key.sign(claims))
  expect([status, headers.get('set-cookie')]).toEqual([201, expect.stringMatching(/^__Host-operator=\w{32};/)])
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  expect((await observe('GET', '/admin/merchants', { headers: { ...sameOrigin, cookie } })).status).toBe(200)
  expect((await signIn(await key.sign({ ...claims, aud: 'other' }))).status).toBe(401)
})

test('other assertions are rejected', async () => {
  const { key, claims, request, now, team } = await createTeam()
  const stranger = await createAccessKey('first')
  const signed = await key.sign(claims)
  const [head = '', body = '', signature = ''] = signed.split('.')
  const other = encode({ ...claims, email: 'other@example.com' })
  const wrong: [string, string][] = [
    ['another issuer', await key.sign({ ...claims, iss: 'https://other.cloudflareaccess.com' })],
    ['another application', await key.sign({ ...claims, aud: ['other'] })],
    ['expired', await key.sign({ ...claims, exp: now - 1 })],
    ['not yet valid', await key.sign({ ...claims, nbf: now + 120 })],
    ['without an expiry', await key.sign({ ...claims, exp: undefined })],
    ['signed by another key', await stranger.sign(claims)],
    ['an unknown key', await key.sign(claims, { alg: 'RS256', kid: 'other' })],
    ['without a signature', `${encode({ alg: 'none', kid: 'first' })}.${body}.`],
    ['another algorithm', await key.sign(claims, { alg: 'HS256', kid: 'first' })],
    ['changed', `${head}.${other}.${signature}`],
    ['a further part', `${signed}.x`],
    ['no token', 'x'],
    ['too long', `${signed}${'x'.repeat(8_192)}`],
  ]
  for (const [name, assertion] of wrong) expect([name, await request(assertion)]).toEqual([name, 401])
  // An unknown key leads to no further request within a minute, whatever the assertion names.
  expect(team.fetched).toHaveLength(1)
  expect(await request(signed, { ACCESS_AUDIENCE: undefined })).toBe(401)
  expect(await request(signed, { ACCESS_TEAM_DOMAIN: undefined })).toBe(401)
  expect(await request(signed, { headers: { ...sameOrigin, authorization: 'Bearer wrong' } })).toBe(401)
})

test('a new key of the team is read, and a team that is down keeps the known ones', async () => {
  const { team, key, claims, request, now } = await createTeam()
  expect(await request(await key.sign(claims))).toBe(200)
  const second = await createAccessKey('second')
  team.published = [second.jwk]
  vi.useFakeTimers({ toFake: ['Date'], now: (now + 90) * 1000 })
  expect(await request(await second.sign(claims))).toBe(200)
  expect(await request(await key.sign(claims))).toBe(401)
  team.isDown = true
  vi.setSystemTime((now + 4_000) * 1000)
  expect(await request(await second.sign({ ...claims, exp: now + 5_000 }))).toBe(200)
  expect(team.fetched).toHaveLength(3)
})
