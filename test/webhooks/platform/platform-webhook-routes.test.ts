import { afterEach, describe, expect, test } from 'vitest'
import { platformWebhookLimits } from '../../../src/webhooks/platform/platform-webhook-fields.ts'
import { adminToken, call, createVenue, toIssues } from '../../support/api.ts'
import { createOperator } from '../../support/operators.ts'
import { removePlatformWebhooks } from '../../support/platform-webhook.ts'

afterEach(removePlatformWebhooks)

const path = '/admin/webhooks'
const valid = { title: 'Warehouse', url: 'https://warehouse.example.com/in', events: ['*'], merchants: 'all' }
const create = (fields: object = {}, token = adminToken) => call('POST', path, token, { ...valid, ...fields })

test('a platform webhook is created, listed, changed and deleted; only its creation shows the token', async () => {
  const { status, body } = await create()
  expect(status).toBe(201)
  const { secret, bearerToken, ...shown } = body
  expect([secret, bearerToken]).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^whtok_/)])
  expect(shown).toMatchObject({ ...valid, active: true, failures: 0, createdBy: 'operator' })
  const one = `${path}/${body.id}`
  expect((await call('GET', path, adminToken)).body).toEqual([shown])
  expect((await call('GET', one, adminToken)).body).toEqual(shown)
  const { id } = await createVenue()
  const changed = await call('POST', one, adminToken, { merchants: [id], active: false })
  expect([changed.status, changed.body]).toEqual([200, expect.objectContaining({ merchants: [id], active: false })])
  expect((await call('GET', one, adminToken)).body).toEqual(changed.body)
  expect((await call('GET', `${one}/secret`, adminToken)).body).toEqual({ secret })
  const rotated = await call('POST', `${one}/secret/rotate`, adminToken)
  expect(rotated.body.secret).not.toBe(secret)
  expect((await call('POST', `${one}/token/rotate`, adminToken)).body.bearerToken).not.toBe(bearerToken)
  expect((await call('POST', `${one}/secret/rotate`, adminToken)).status).toBe(200)
  expect((await call('POST', `${one}/secret/rotate`, adminToken)).body.code).toBe('conflict')
  const keys = await call('GET', `/.well-known/webhook-keys?webhook=${body.id}`, undefined)
  expect([keys.status, keys.body.keys.length]).toEqual([200, 3])
  expect((await call('DELETE', one, adminToken)).body).toMatchObject({ id: body.id, deleted: true })
  for (const [method, part] of [
    ['GET', ''],
    ['POST', ''],
    ['DELETE', ''],
    ['GET', '/secret'],
    ['GET', '/filter'],
    ['GET', '/deliveries'],
    ['POST', '/token/rotate'],
  ] as const)
    expect([part, (await call(method, one + part, adminToken, method === 'POST' ? {} : undefined)).status]).toEqual([
      part,
      404,
    ])
})

test('there are at most ten', async () => {
  for (let i = 0; i < platformWebhookLimits.webhooks; i++) expect((await create()).status).toBe(201)
  expect((await create()).body.code).toBe('too_many')
})

const ids = (count: number) => Array.from({ length: count }, (_, index) => `mer_${index}`)
test.each([
  [{ events: [] }, ['/events too_short']],
  [{ events: ['tea.created'] }, ['/events/0 invalid_value']],
  [{ url: 'http://warehouse.example.com' }, ['/url invalid_value']],
  [{ url: 'https://10.0.0.1/' }, ['/url invalid_value']],
  [{ url: 'https://api.test/in' }, ['/url invalid_value']],
  [{ merchants: ['mer_none'] }, ['/merchants/0 not_found']],
  [
    { merchants: ids(platformWebhookLimits.merchants) },
    ids(platformWebhookLimits.merchants)
      .map((_, index) => `/merchants/${index} not_found`)
      .sort(),
  ],
  [{ x: 1 }, ['/x unknown_field']],
])('%j is rejected', async (fields, issues) => {
  expect(toIssues(await create(fields))).toEqual(issues)
})

test.each([
  { merchants: 'some' },
  { merchants: [] },
  { merchants: ids(platformWebhookLimits.merchants + 1) },
  { merchants: null },
])('%j is no list of merchants', async (fields) => {
  expect((await create(fields)).status).toBe(422)
})

test('an order of deliveries is no member of its filter', async () => {
  const { body } = await create()
  expect(toIssues(await call('POST', `${path}/${body.id}/filter`, adminToken, { order: 'object' }))).toEqual([
    '/order unknown_field',
  ])
})

describe('only an admin, or a platform key with the scope,', () => {
  test('reads and writes platform webhooks', async () => {
    const { send } = await createOperator('support')
    expect((await send('GET', path)).status).toBe(403)
    expect((await send('POST', path, valid)).status).toBe(403)
    const createKey = async (scope: string) =>
      (await call('POST', '/admin/keys', adminToken, { title: 'Feed', scopes: [scope] })).body.key as string
    const reader = await createKey('platform:webhooks:read')
    expect([(await call('GET', path, reader)).status, (await create({}, reader)).status]).toEqual([200, 403])
    const writer = await createKey('platform:webhooks:write')
    const { status, body } = await create({}, writer)
    expect([status, body.createdBy]).toEqual([201, expect.stringMatching(/^key_/)])
    expect((await call('GET', `${path}/${body.id}/secret`, reader)).status).toBe(403)
    expect((await create({}, await createKey('platform:merchants:write'))).status).toBe(403)
  })
})
