import { expect, test } from 'vitest'
import { operatorCookieName } from '../../../src/platform/auth/operator/operator-sessions.ts'
import type { Bindings } from '../../../src/platform/env.ts'
import { adminToken, createVenue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'

const next = 'next-admin-token'
type Deployed = { [Name in 'ADMIN_TOKEN' | 'ADMIN_TOKEN_NEXT']?: Bindings[Name] | undefined }
/** The deployments of a change of the token, in their order. */
const deployments = {
  before: { ADMIN_TOKEN: adminToken },
  during: { ADMIN_TOKEN: adminToken, ADMIN_TOKEN_NEXT: next },
  after: { ADMIN_TOKEN: next },
} satisfies Record<string, Deployed>
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

async function signIn(bindings: Deployed, token: string, cookie?: string) {
  const headers = { ...sameOrigin, ...(cookie === undefined ? {} : { cookie }) }
  const { status, headers: sent } = await observe('POST', '/console/operator', { json: { token }, headers, bindings })
  const [, value = ''] = /^__Host-operator=(\w+);/.exec(sent.get('set-cookie') ?? '') ?? []
  return { status, cookie: `${operatorCookieName}=${value}` }
}
const list = async (bindings: Deployed, cookie: string) =>
  (await observe('GET', '/admin/sessions', { headers: { cookie, ...sameOrigin }, bindings })).status

test('both tokens are accepted while one replaces the other', async () => {
  const status = (bindings: Deployed, key: string) =>
    observe('GET', '/admin/merchants', { key, bindings }).then((response) => response.status)
  const table = Object.entries(deployments).map(async ([name, bindings]) => [
    name,
    await status(bindings, adminToken),
    await status(bindings, next),
    await status(bindings, ''),
    await status(bindings, `${adminToken}${next}`),
  ])
  expect(await Promise.all(table)).toEqual([
    ['before', 200, 401, 401, 401],
    ['during', 200, 200, 401, 401],
    ['after', 401, 200, 401, 401],
  ])
  // The second token alone is enough, so that the order of two deletions does not matter.
  expect(await status({ ADMIN_TOKEN: undefined, ADMIN_TOKEN_NEXT: next }, next)).toBe(200)
  expect(await status({ ADMIN_TOKEN: '', ADMIN_TOKEN_NEXT: '' }, '')).toBe(404)
})

test('a session ends with the token that started it, and no other', async () => {
  const { before, during, after } = deployments
  const [early, old, fresh] = [
    await signIn(before, adminToken),
    await signIn(during, adminToken),
    await signIn(during, next),
  ]
  expect([early.status, old.status, fresh.status]).toEqual([201, 201, 201])
  const all = async (bindings: Deployed) => Promise.all([early, old, fresh].map(({ cookie }) => list(bindings, cookie)))
  expect(await all(before)).toEqual([200, 200, 401])
  expect(await all(during)).toEqual([200, 200, 200])
  expect(await all(after)).toEqual([401, 401, 200])
  expect((await signIn(after, adminToken)).status).toBe(401)
  // A sign-in with the other token replaces the session of the browser.
  expect((await signIn(during, next, old.cookie)).status).toBe(201)
  expect(await all(during)).toEqual([200, 401, 200])
})

test('a repeated request gets its stored response during the change, from either token', async () => {
  const venue = await createVenue()
  const path = `/admin/merchants/${venue.id}/keys`
  const create = (bindings: Deployed, key: string, idempotencyKey: string) =>
    observe('POST', path, { key, json: { mode: 'live' }, bindings, headers: { 'idempotency-key': idempotencyKey } })
  const { before, during, after } = deployments
  const first = await create(before, adminToken, 'token-change-1')
  const second = await create(during, adminToken, 'token-change-2')
  expect([first.status, second.status]).toEqual([201, 201])
  const repeated = [
    await create(during, adminToken, 'token-change-1'),
    await create(during, next, 'token-change-1'),
    await create(during, next, 'token-change-2'),
    await create(after, next, 'token-change-2'),
    await create(after, next, 'token-change-1'),
  ]
  expect(repeated.map(({ status, body }) => [status, body.id ?? body.code])).toEqual([
    [201, first.body.id],
    [201, first.body.id],
    [201, second.body.id],
    [201, second.body.id],
    [422, 'idempotency_key_reused'],
  ])
})

test('equal tokens are rejected with the reason, which strangers do not see', async () => {
  const bindings = { ADMIN_TOKEN: adminToken, ADMIN_TOKEN_NEXT: adminToken }
  const problem = { status: 503, body: { code: 'misconfigured', detail: expect.stringContaining('are equal') } }
  const { cookie } = await signIn(deployments.before, adminToken)
  const headers = { cookie, ...sameOrigin }
  const requests = [
    observe('GET', '/admin/merchants', { key: adminToken, bindings }),
    observe('GET', '/admin/merchants', { headers, bindings }),
    observe('POST', '/console/operator', { json: { token: adminToken }, headers: sameOrigin, bindings }),
    observe('GET', '/health', { bindings }),
  ]
  for (const response of await Promise.all(requests)) {
    expect(response).toMatchObject(problem)
    expect(response.headers.get('retry-after')).toBe('60')
  }
  expect((await observe('GET', '/admin/merchants', { key: 'wrong', bindings })).status).toBe(401)
})
