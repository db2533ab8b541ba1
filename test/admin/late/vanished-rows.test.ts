import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteClosedMerchants, deletionDelaySeconds } from '../../../src/admin/delete-closed.ts'
import { clearCredentialCaches } from '../../../src/platform/auth/sessions.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { adminToken, call, createVenue } from '../../support/api.ts'
import { createAuthenticator, createMember, requestOptions, sameOrigin } from '../../support/authenticator.ts'
import { observe } from '../../support/d1.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
  clearCredentialCaches()
})

/** Runs something before the first transaction of a request that inserts a row. */
function beforeWrite(work: () => Promise<unknown>) {
  let isDone = false
  return {
    before: async (statements: readonly string[]) => {
      if (isDone || !statements.some((sql) => /^\s*insert/i.test(sql))) return
      isDone = true
      await work()
    },
    wasCalled: () => isDone,
  }
}

const run = (sql: string, ...values: readonly unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run()

/** Deletes a merchant with all its data, as the cron does when its time is over. */
async function deleteMerchant(id: string) {
  await call('POST', `/admin/merchants/${id}/close`, adminToken, { graceDays: 1 })
  const later = Math.floor(Date.now() / 1000) + 86_400 + deletionDelaySeconds + 1
  for (let pass = 0; pass < 3; pass++) await deleteClosedMerchants(env, directoryDatabase(env), later)
  expect((await call('GET', `/admin/merchants/${id}`, adminToken)).status).toBe(404)
}

/** Sends a request, before whose first write a row is deleted. Returns the problem. */
async function race(
  method: string,
  path: string,
  request: { key?: string; json?: unknown; headers?: Record<string, string> },
  work: () => Promise<unknown>,
) {
  const { before, wasCalled } = beforeWrite(work)
  const { status, body } = await observe(method, path, { ...request, before })
  expect(wasCalled(), `${method} ${path} inserts nothing: ${status} ${JSON.stringify(body)}`).toBe(true)
  return `${status} ${body.code}`
}

describe('a row that a request has read is deleted before it writes', () => {
  test('the key of a sign-in', async () => {
    const venue = await createVenue()
    const outcome = await race('POST', '/console/session', { json: { key: venue.key }, headers: sameOrigin }, () =>
      run('delete from keys where id = ?', venue.keyId),
    )
    expect(outcome).toBe('401 unauthenticated')
  })

  test('the member of a sign-in with a passkey', async () => {
    const venue = await createVenue()
    const { authenticator, userId } = await createMember(venue.id)
    const credential = await authenticator.sign(await requestOptions())
    const outcome = await race('POST', '/console/passkeys/session', { json: { credential }, headers: sameOrigin }, () =>
      run('delete from users where id = ?', userId),
    )
    expect(outcome).toBe('401 unauthenticated')
  })

  test('the session of a person who adds a passkey, and their membership', async () => {
    for (const [table, index] of [
      ['sessions', 0],
      ['users', 1],
    ] as const) {
      const venue = await createVenue()
      const { cookie, userId } = await createMember(venue.id)
      const { body } = await call('GET', '/console/session', undefined, undefined, { cookie, ...sameOrigin })
      const headers = { cookie, ...sameOrigin }
      const { body: options } = await call('POST', '/console/passkeys/registration', undefined, {}, headers)
      const credential = await (await createAuthenticator()).register(options)
      const outcome = await race('POST', '/console/passkeys', { json: { credential }, headers }, () =>
        run(`delete from ${table} where id = ?`, [body.id, userId][index]),
      )
      expect([table, outcome]).toEqual([table, '401 unauthenticated'])
    }
  })
})

describe.each(['d1', 'object'] as const)('a closed merchant at home %s is deleted while the operator', (home) => {
  test.each([
    ['/keys', { mode: 'live' }],
    ['/invitations', { role: 'owner' }],
    ['/move', { home: home === 'd1' ? 'object' : 'd1' }],
  ])('sends POST /admin/merchants/:id%s', async (path, json) => {
    const venue = await createVenue({ home })
    const outcome = await race('POST', `/admin/merchants/${venue.id}${path}`, { key: adminToken, json }, () =>
      deleteMerchant(venue.id),
    )
    expect(outcome).toBe('404 not_found')
  })
})
