import { describe, expect, test } from 'vitest'
import { adminToken, call, createVenue, send } from '../support/api.ts'
import { observe } from '../support/d1.ts'

const admin = (method: string, path = '', json?: unknown) => call(method, `/admin/merchants${path}`, adminToken, json)
const everyPath: [method: string, path: string][] = [
  ['GET', '/admin'],
  ['GET', '/admin/nothing'],
  ['GET', '/admin/merchants'],
  ['POST', '/admin/merchants'],
  ['GET', '/admin/merchants/mer_1'],
  ['POST', '/admin/merchants/mer_1'],
  ['GET', '/admin/merchants/mer_1/keys'],
  ['POST', '/admin/merchants/mer_1/keys'],
  ['DELETE', '/admin/merchants/mer_1/keys/key_1'],
  ['POST', '/admin/merchants/mer_1/keys/key_1/roll'],
  ['PUT', '/admin/merchants'],
  ['OPTIONS', '/admin/merchants'],
  ['GET', '/admin/merchants/%ff'],
]

describe('the operator API', () => {
  test('does not exist without an operator token', async () => {
    for (const [method, path] of everyPath) {
      for (const ADMIN_TOKEN of [undefined, '']) {
        for (const key of [undefined, adminToken, 'undefined', '']) {
          const { status, body, trips, headers } = await observe(method, path, {
            bindings: { ADMIN_TOKEN },
            ...(key === undefined ? {} : { key }),
          })
          expect([method, path, status, trips]).toEqual([method, path, 404, []])
          expect([body.code, headers.get('www-authenticate')]).toEqual(['not_found', null])
        }
      }
    }
  })

  test('rejects every other token, including keys of merchants', async () => {
    const venue = await createVenue()
    for (const [method, path] of everyPath) {
      for (const token of [
        undefined,
        '',
        `${adminToken}x`,
        adminToken.slice(0, -1),
        adminToken.toUpperCase(),
        venue.key,
      ]) {
        const { status, body, headers } = await call(method, path, token)
        expect([method, path, token, status, body.code]).toEqual([method, path, token, 401, 'unauthenticated'])
        expect(headers.get('www-authenticate')).toMatch(/^Bearer\b/)
      }
    }
    expect((await send('/admin/merchants', { headers: { authorization: `Basic ${btoa(adminToken)}` } })).status).toBe(
      401,
    )
    expect((await call('GET', venue.path('/products'), adminToken)).status).toBe(401)
  })

  test('distinguishes an unknown path from an unsupported method', async () => {
    for (const [method, path, status, allow] of [
      ['GET', '/admin', 404, null],
      ['GET', '/admin/merchants/', 404, null],
      ['GET', '/admin/merchants/mer_1/nothing', 404, null],
      ['GET', '/admin/merchants/%ff', 400, null],
      ['DELETE', '/admin/merchants/mer_1', 405, 'GET, HEAD, POST, OPTIONS'],
      ['PUT', '/admin/merchants', 405, 'GET, HEAD, POST, OPTIONS'],
      ['GET', '/admin/merchants/mer_1/keys/key_1', 405, 'DELETE, OPTIONS'],
      ['GET', '/admin/merchants/mer_1/keys/key_1/roll', 405, 'POST, OPTIONS'],
      ['OPTIONS', '/admin/merchants/mer_1/keys', 204, 'GET, HEAD, POST, OPTIONS'],
      ['HEAD', '/admin/merchants', 200, null],
      ['HEAD', '/admin/merchants/mer_1', 404, null],
    ] as const) {
      const { status: answered, headers } = await call(method, path, adminToken)
      expect([method, path, answered, headers.get('allow')]).toEqual([method, path, status, allow])
    }
  })

  test('responses are not cacheable and have a bookmark', async () => {
    const { headers } = await admin('GET')
    expect([headers.get('cache-control'), headers.get('d1-bookmark')]).toEqual([
      'no-store',
      expect.stringMatching(/^[0-9a-f-]{59}$/),
    ])
    const { status, body } = await call('GET', '/admin/merchants', adminToken, undefined, { 'd1-bookmark': 'x' })
    expect([status, body.code]).toEqual([400, 'malformed_bookmark'])
  })
})
