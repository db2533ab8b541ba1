import { afterEach, describe, expect, test, vi } from 'vitest'
import { damagedBounds } from '../../src/admin/damaged-parts.ts'
import { clearKeyCache } from '../../src/platform/auth/api-keys.ts'
import { adminToken, createKey } from '../support/api.ts'
import { createMember, invite } from '../support/authenticator.ts'
import { multiply } from '../support/d1.ts'
import { createWebhookHarness } from '../support/webhook-harness.ts'
import { admin, damage, toNextPage } from './damage.ts'

afterEach(() => vi.restoreAllMocks())

test('a damaged key is not listed, gives no access, and can be revoked', async () => {
  const harness = await createWebhookHarness()
  const { key, keyId } = await createKey(harness.venue.id, { mode: 'live', scopes: ['tags:read'] })
  await damage(`update keys set scopes = '[5]' where id = ?`, keyId)
  clearKeyCache()
  expect((await harness.request('GET', harness.path('/tags'), undefined, key)).status).toBe(401)
  const { body } = await admin(harness, '/keys')
  expect(body.map(({ id }: { id: string }) => id)).toEqual([harness.venue.keyId])
  expect((await admin(harness, '/damaged')).body).toEqual([{ table: 'keys', id: keyId, fields: ['scopes'] }])
  const path = `/admin/merchants/${harness.venue.id}/keys/${keyId}`
  expect((await harness.request('POST', `${path}/roll`, {}, adminToken)).body.code).toBe('damaged')
  const { status, body: removed } = await harness.request('DELETE', path, undefined, adminToken)
  expect([status, removed.object]).toEqual([200, { id: keyId }])
})

test('a damaged merchant is not listed; the others are', async () => {
  const [first, second, third] = [
    await createWebhookHarness(),
    await createWebhookHarness(),
    await createWebhookHarness(),
  ]
  await damage(`update merchants set name = x'00' where id = ?`, second.venue.id)
  const { status, body } = await first.request('GET', '/admin/merchants?limit=3', undefined, adminToken)
  expect([status, body.map(({ id }: { id: string }) => id)]).toEqual([200, [third.venue.id, first.venue.id]])
  const one = await first.request('GET', `/admin/merchants/${second.venue.id}`, undefined, adminToken)
  expect([one.status, one.body.code]).toEqual([409, 'damaged'])
  expect((await admin(second, '/damaged')).body).toEqual([
    { table: 'merchants', id: second.venue.id, fields: ['name'] },
  ])
  expect((await admin(first, '/damaged')).body).toEqual([])
})

describe('the list of damaged rows', () => {
  test('reads a bounded number of rows in each request and finds every damaged row', async () => {
    const harness = await createWebhookHarness()
    const { body: product } = await harness.post('/products', { title: 'Tea', price: 1 })
    const count = damagedBounds.rows * (damagedBounds.statements + 1)
    await multiply('products', product.id, count)
    const expected = await harness.query(
      'select id from products where merchant_id = ? and seq % 1000 = 7 order by id',
      harness.venue.id,
    )
    await damage(`update products set images = '[5]' where merchant_id = ? and seq % 1000 = 7`, harness.venue.id)
    const found: string[] = []
    let requests = 0
    for (let path: string | undefined = '/damaged'; path !== undefined; requests++) {
      const response = await admin(harness, path)
      expect(response.body.length).toBeLessThanOrEqual(damagedBounds.rows * damagedBounds.statements)
      found.push(...response.body.map(({ id }: { id: string }) => id))
      const next = toNextPage(response)
      path = next && `/damaged${next.search}`
    }
    expect([found, requests]).toEqual([expected.map(({ id }) => id), 2])
    expect(found.length).toBeGreaterThan(2)
  })

  test('contains members, their passkeys, and invitations', async () => {
    const harness = await createWebhookHarness()
    const { id } = harness.venue
    const { authenticator } = await createMember(id)
    await invite(id, 'staff')
    await harness.query(
      `insert into users select ?1 || '-' || value, ?1, ?1 || value, 'staff', 'Bo', 1, null from json_each(?2)`,
      id,
      JSON.stringify(Array.from({ length: 25 }, (_, index) => 10 + index)),
    )
    await harness.query(
      `insert into passkeys select users.person || 'key', users.person, public_key, algorithm, 0, transports, 1, null, null
       from users, passkeys where merchant_id = ? and users.id like '%-%' and passkeys.id = ?`,
      id,
      authenticator.id,
    )
    expect((await admin(harness, '/damaged')).body).toEqual([])
    await damage(`update users set role = 'king', name = x'00' where id = ?`, `${id}-12`)
    await damage(`update passkeys set counter = 'many' where id in (?, ?)`, authenticator.id, `${id}34key`)
    await damage(`update invitations set expires_at = 'late' where merchant_id = ?`, id)
    const { body } = await admin(harness, '/damaged')
    expect(body).toHaveLength(4)
    expect(body).toEqual(
      expect.arrayContaining([
        { table: 'users', id: `${id}-12`, fields: ['role', 'name'] },
        { table: 'passkeys', id: authenticator.id, fields: ['counter'] },
        { table: 'passkeys', id: `${id}34key`, fields: ['counter'] },
        { table: 'invitations', id: expect.stringMatching(/^inv_/), fields: ['expiresAt'] },
      ]),
    )
  })

  test.each(['live', 'test'] as const)('contains limits and redemptions of coupons in %s mode', async (mode) => {
    const harness = await createWebhookHarness()
    const { post } = await createKey(harness.venue.id, { mode })
    const body = { title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10 }
    const { id: coupon } = (await post('/coupons', body)).body
    const { id: other } = (await post('/coupons', { ...body, code: 'TWENTY' })).body
    for (const id of [coupon, other]) await post(`/coupons/${id}/limits`, { endsAt: 9_999_999_999 })
    const { id: redemption } = (await post('/redemptions', { code: 'TEN', order: '1' })).body
    expect((await post('/redemptions', { code: 'TEN', order: '2' })).status).toBe(201)
    expect((await admin(harness, '/damaged')).body).toEqual([])
    await damage(
      `update coupon_limits set ends_at = 'late', max_discount = 'much' where coupon = (select seq from coupons where id = ?)`,
      coupon,
    )
    await damage(`update redemptions set amount = 'much' where id = ?`, redemption)
    expect((await admin(harness, '/damaged')).body).toEqual([
      { table: 'coupon_limits', id: coupon, fields: ['endsAt', 'maxDiscount'] },
      { table: 'redemptions', id: redemption, fields: ['amount'] },
    ])
  })

  test.each([
    ['?cursor=x', 422],
    ['?limit=1', 422],
  ] as const)('with %s returns %i', async (search, status) => {
    const harness = await createWebhookHarness()
    expect((await admin(harness, `/damaged${search}`)).status).toBe(status)
  })

  test('of an unknown merchant returns `not_found`', async () => {
    const harness = await createWebhookHarness()
    const response = await harness.request('GET', '/admin/merchants/mer_none/damaged', undefined, adminToken)
    expect(response.status).toBe(404)
  })
})
