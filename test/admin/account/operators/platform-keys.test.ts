import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorApp } from '../../../../src/app/operator-app.ts'
import { openRoutes } from '../../../../src/platform/auth/operator/operator-rights.ts'
import { platformScopes } from '../../../../src/platform/auth/operator/platform-keys.ts'
import { adminToken, call, createVenue } from '../../../support/api.ts'
import { sameOrigin } from '../../../support/authenticator.ts'
import { withLateDatabase } from '../../../support/database-clock.ts'
import { createOperator } from '../../../support/operators.ts'

const create = async (fields: object = {}) => {
  const json = { title: 'Billing', scopes: platformScopes, ...fields }
  const { status, body } = await call('POST', '/admin/keys', adminToken, json)
  expect([status, body.key]).toEqual([201, expect.stringMatching(/^sk_platform_[0-9A-HJKMNP-TV-Z]{39}$/)])
  return body as { id: string; key: string }
}

const webhookReads = [
  'GET /admin/webhooks',
  'GET /admin/webhooks/:webhookId',
  'GET /admin/webhooks/:webhookId/filter',
  'GET /admin/webhooks/:webhookId/deliveries',
]
/** The routes that a key with these scopes may use, written down once more: a new route is closed until it is listed. */
const allowed: Readonly<Record<(typeof platformScopes)[number], readonly string[]>> = {
  'platform:merchants:read': [
    'GET /admin/merchants',
    'GET /admin/merchants/:merchantId',
    'GET /admin/merchants/:merchantId/move',
  ],
  'platform:merchants:write': [
    'GET /admin/merchants',
    'POST /admin/merchants',
    'GET /admin/merchants/:merchantId',
    'POST /admin/merchants/:merchantId',
    'POST /admin/merchants/:merchantId/suspend',
    'POST /admin/merchants/:merchantId/resume',
    'POST /admin/merchants/:merchantId/close',
    'POST /admin/merchants/:merchantId/reopen',
    'GET /admin/merchants/:merchantId/move',
  ],
  'platform:webhooks:read': webhookReads,
  'platform:webhooks:write': [
    ...webhookReads,
    'POST /admin/webhooks',
    'POST /admin/webhooks/:webhookId',
    'DELETE /admin/webhooks/:webhookId',
    'GET /admin/webhooks/:webhookId/secret',
    'POST /admin/webhooks/:webhookId/filter',
    'POST /admin/webhooks/:webhookId/recover',
    'POST /admin/webhooks/:webhookId/secret/rotate',
    'POST /admin/webhooks/:webhookId/token/rotate',
  ],
  'platform:usage:read': ['GET /admin/merchants/:merchantId/usage', 'GET /admin/metrics'],
}
const routes = [
  ...new Set(
    operatorApp.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/admin/'))
      .map(({ method, path }) => `${method} ${path.replace(/\/$/, '').replaceAll(/\{[^}]*\}/g, '')}`),
  ),
]

test.each(platformScopes)('a key with %s may use its routes, and no other', async (scope) => {
  const { key } = await create({ scopes: [scope] })
  const outcomes: Record<string, string> = {}
  for (const route of routes) {
    const { id } = await createVenue()
    const [method = '', pattern = ''] = route.split(' ')
    const path = pattern.replace(':merchantId', id).replaceAll(/:\w+/g, 'x')
    const { status, body } = await call(method, path, key, method === 'POST' ? {} : undefined)
    outcomes[route] = status === 403 ? body.code : status === 401 ? 'rejected' : 'passed'
  }
  expect(routes).toEqual(expect.arrayContaining([...allowed[scope]]))
  const wanted = routes.map((route) => [route, allowed[scope].includes(route) ? 'passed' : 'forbidden'])
  expect(outcomes).toEqual(Object.fromEntries(wanted))
})

test('no platform key opens a merchant, and no key of a merchant the platform', async () => {
  const [venue, { key }] = [await createVenue(), await create()]
  for (const path of ['/products', '/customers', '/events', '/audit', '']) {
    expect([path, (await call('GET', `/merchants/${venue.id}${path}`, key)).status]).toEqual([path, 401])
  }
  expect((await call('POST', '/console/session', undefined, { key }, sameOrigin)).status).toBe(401)
  expect((await call('POST', '/console/operator', undefined, { token: key }, sameOrigin)).status).toBe(401)
  expect((await call('GET', '/admin/merchants', venue.key)).status).toBe(401)
  // Neither the last character nor the prefix can be changed.
  const other = key.endsWith('0') ? '1' : '0'
  expect((await call('GET', '/admin/merchants', key.slice(0, -1) + other)).status).toBe(401)
  expect((await call('GET', `/merchants/${venue.id}/products`, key.replace('platform', 'live'))).status).toBe(401)
})

test('a platform key is shown once, stored as a hash, named in audit logs, and revoked at once', async () => {
  const { id: by, send } = await createOperator('admin')
  const { status, body } = await send('POST', '/admin/keys', { title: 'Sync', scopes: ['platform:merchants:write'] })
  expect([status, body.createdBy, body.prefix]).toEqual([201, by, 'sk_platform_'])
  const { key, ...shown } = body
  const { results } = await env.DB.prepare('select * from platform_keys').all()
  expect(JSON.stringify(results)).not.toContain(key.slice(12, 40))
  const made = await call('POST', '/admin/merchants', key, { name: 'Otter', currency: 'EUR' })
  expect(made.status).toBe(201)
  const reader = await call('POST', `/admin/merchants/${made.body.id}/keys`, adminToken, {
    mode: 'live',
    scopes: ['audit:read'],
  })
  const log = await call('GET', `/merchants/${made.body.id}/audit`, reader.body.key)
  expect(log.body.at(-1)).toMatchObject({ key: body.id, operation: 'merchants.create' })
  const list = await send('GET', '/admin/keys')
  expect(list.body).toContainEqual({ ...shown, lastUsedAt: expect.any(Number) })
  // It stays when its creator is removed.
  await call('POST', `/admin/operators/${by}`, adminToken, { name: 'Former' })
  await createOperator('admin', 'Bo')
  expect((await call('DELETE', `/admin/operators/${by}`, adminToken)).status).toBe(200)
  expect((await call('GET', '/admin/merchants', key)).status).toBe(200)
  expect((await call('DELETE', `/admin/keys/${body.id}`, adminToken)).body).toMatchObject({ deleted: true })
  expect((await call('GET', '/admin/merchants', key)).status).toBe(401)
  expect((await call('DELETE', `/admin/keys/${body.id}`, adminToken)).status).toBe(404)
})

test('expiry and addresses limit a platform key', async () => {
  const now = Math.floor(Date.now() / 1000)
  const { key } = await create({ expiresAt: now + 100 })
  const list = () => call('GET', '/admin/merchants', key)
  expect((await list()).status).toBe(200)
  expect((await withLateDatabase(101, list)).status).toBe(401)
  const near = await create({ allowedIps: ['192.0.2.7/24', '2001:db8::1'] })
  const from = (address?: string) =>
    call('GET', '/admin/merchants', near.key, undefined, address === undefined ? {} : { 'cf-connecting-ip': address })
  expect([(await from('192.0.2.200')).status, (await from('2001:db8::1')).status]).toEqual([200, 200])
  for (const address of ['192.0.3.1', '2001:db8::2', undefined]) {
    const { status, body } = await from(address)
    expect([address, status, body.code]).toEqual([address, 403, 'address_not_allowed'])
  }
  const wrong = [
    [{ scopes: [] }, '/scopes too_short'],
    [{ scopes: ['products:read'] }, '/scopes/0 invalid_value'],
    [{ scopes: undefined }, '/scopes required'],
    [{ title: undefined }, '/title required'],
    [{ expiresAt: now - 1 }, '/expiresAt too_small'],
    [{ allowedIps: [] }, '/allowedIps too_short'],
    [{ allowedIps: ['x'] }, '/allowedIps/0 invalid_format'],
  ] as const
  for (const [fields, issue] of wrong) {
    const { status, body } = await call('POST', '/admin/keys', adminToken, {
      title: 'Billing',
      scopes: platformScopes,
      ...fields,
    })
    const [first] = body.errors
    expect([status, `${first.pointer} ${first.code}`]).toEqual([422, issue])
  }
})

test('only an admin who was confirmed creates platform keys', async () => {
  const json = { title: 'Billing', scopes: ['platform:usage:read'] }
  const [admin, support] = [await createOperator('admin', 'Ana'), await createOperator('support', 'Sam')]
  const { key } = await create()
  expect((await support.send('POST', '/admin/keys', json)).body.code).toBe('forbidden')
  expect((await support.send('GET', '/admin/keys')).body.code).toBe('forbidden')
  expect((await call('POST', '/admin/keys', key, json)).body.code).toBe('forbidden')
  expect((await admin.send('POST', '/admin/keys', json)).status).toBe(201)
  await env.DB.prepare('update operator_sessions set asserted_at = asserted_at - 301').run()
  expect((await admin.send('POST', '/admin/keys', json)).body.code).toBe('assertion_required')
  // A right that is listed belongs to a route that exists.
  const listed = openRoutes.map(({ method, path }) => `${method} /admin/${path}`)
  expect(routes).toEqual(expect.arrayContaining(listed))
})
