import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { call, createKey, createVenue, toIssues, type Venue } from '../support/api.ts'
import { observe } from '../support/d1.ts'

const venue = await createVenue()
const createCoupon = async (of: Pick<Venue, 'post'> = venue): Promise<string> =>
  (await of.post('/coupons', { title: 'Spring', code: crypto.randomUUID(), type: 'FIXED', value: 1 })).body.id
const all = { startsAt: 100, endsAt: 200, maxRedemptions: 5, maxRedemptionsPerCustomer: 2, maxDiscount: 7.5 }

test('a coupon has no limits until they are set', async () => {
  const path = `/coupons/${await createCoupon()}/limits`
  expect(await venue.get(path)).toMatchObject({ status: 200, body: {} })
  expect((await venue.get(path)).body).toEqual({})
  expect((await venue.post(path, {})).body).toEqual({})
  expect((await venue.post(path, all)).body).toEqual(all)
  expect((await venue.get(path)).body).toEqual(all)
})

test('omitted limits stay, and null clears a limit', async () => {
  const path = `/coupons/${await createCoupon()}/limits`
  await venue.post(path, all)
  expect((await venue.post(path, { maxDiscount: 3 })).body).toEqual({ ...all, maxDiscount: 3 })
  const { startsAt: _, ...rest } = all
  expect((await venue.post(path, { startsAt: null, maxDiscount: '7.50' })).body).toEqual(rest)
  const cleared = Object.fromEntries(Object.keys(all).map((key) => [key, null]))
  expect((await venue.post(path, cleared)).body).toEqual({})
  expect((await venue.get(path)).body).toEqual({})
})

const lastSecond = 253_402_300_799
test.each<[string, unknown[], Record<string, unknown[]>]>([
  ['startsAt', [0, 1, '12', lastSecond], { too_small: [-1], too_large: [lastSecond + 1], too_precise: [1.5] }],
  ['endsAt', [0, lastSecond], { too_small: [-1], too_large: [lastSecond + 1], too_precise: [0.1] }],
  ['maxRedemptions', [1, Number.MAX_SAFE_INTEGER], { too_small: [0, -1], too_large: [2 ** 53], too_precise: [1.5] }],
  ['maxRedemptionsPerCustomer', [1], { too_small: [0, -1], too_large: [2 ** 53], too_precise: [1.5] }],
  ['maxDiscount', [0, 0.0001, 1e9], { too_small: [-1], too_large: [1e9 + 1], too_precise: [0.00001] }],
])('%s has limits', async (field, good, bad) => {
  const path = `/coupons/${await createCoupon()}/limits`
  for (const value of good)
    expect((await venue.post(path, { [field]: value })).body).toEqual({ [field]: Number(value) })
  for (const [code, values] of Object.entries({ ...bad, invalid_type: [true, []], invalid_format: ['soon'] })) {
    for (const value of values)
      expect([value, toIssues(await venue.post(path, { [field]: value }))]).toEqual([value, [`/${field} ${code}`]])
  }
})

test('the period has at least one second, also after a merge', async () => {
  const path = `/coupons/${await createCoupon()}/limits`
  expect((await venue.post(path, { startsAt: 100, endsAt: 101 })).status).toBe(200)
  for (const body of [{ startsAt: 101 }, { endsAt: 100 }, { endsAt: 99 }, { startsAt: 7, endsAt: 7 }]) {
    expect([body, toIssues(await venue.post(path, body))]).toEqual([body, ['/endsAt conflict']])
  }
  expect((await venue.get(path)).body).toEqual({ startsAt: 100, endsAt: 101 })
  expect((await venue.post(path, { startsAt: 500, endsAt: null })).body).toEqual({ startsAt: 500 })
})

test('all issues are reported at once', async () => {
  const path = `/coupons/${await createCoupon()}/limits`
  expect(toIssues(await venue.post(path, { startsAt: 2, endsAt: 1, maxRedemptions: 0, colour: 'red' }))).toEqual([
    '/colour unknown_field',
    '/endsAt conflict',
    '/maxRedemptions too_small',
  ])
  // A period is not checked if its start is invalid.
  await venue.post(path, { startsAt: 100 })
  expect(toIssues(await venue.post(path, { startsAt: 'x', endsAt: 1 }))).toEqual(['/startsAt invalid_format'])
})

test('limits belong to the merchant, mode and scopes of their coupon', async () => {
  const id = await createCoupon()
  await venue.post(`/coupons/${id}/limits`, all)
  const others = [await createVenue(), await createKey(venue.id, { mode: 'test' })]
  for (const other of others) {
    expect((await other.get(`/coupons/${id}/limits`)).status).toBe(404)
    expect((await other.post(`/coupons/${id}/limits`, { maxRedemptions: 9 })).status).toBe(404)
  }
  expect((await venue.get('/coupons/none/limits')).status).toBe(404)
  const reader = await createKey(venue.id, { mode: 'live', scopes: ['coupons:read'] })
  expect((await reader.get(`/coupons/${id}/limits`)).body).toEqual(all)
  expect((await reader.post(`/coupons/${id}/limits`, {})).status).toBe(403)
  expect((await call('GET', venue.path(`/coupons/${id}/limits`), undefined)).status).toBe(401)
})

test('deleting a coupon deletes its limits, and the audit log names their changes', async () => {
  const id = await createCoupon()
  const count = () => env.DB.prepare('select count(*) as n from coupon_limits').first('n')
  const before = Number(await count())
  await venue.post(`/coupons/${id}/limits`, all)
  await venue.post(`/coupons/${id}/limits`, all)
  expect(await count()).toBe(before + 1)
  expect((await venue.remove(`/coupons/${id}`)).status).toBe(200)
  expect(await count()).toBe(before)
  expect((await venue.get(`/coupons/${id}/limits`)).status).toBe(404)
  const { body } = await venue.get(`/audit?object=${id}`)
  expect(body.map(({ operation }: { operation: string }) => operation)).toEqual([
    'coupons.delete',
    'coupons.limits.update',
    'coupons.create',
  ])
})

describe('concurrent changes', () => {
  test('of different limits are all kept', async () => {
    const path = `/coupons/${await createCoupon()}/limits`
    const responses = await Promise.all(Object.entries(all).map(([key, value]) => venue.post(path, { [key]: value })))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await venue.get(path)).body).toEqual(all)
  })

  test('that only together break the period do not both happen', async () => {
    const path = `/coupons/${await createCoupon()}/limits`
    await venue.post(path, { startsAt: 100, endsAt: 200 })
    const responses = await Promise.all([{ startsAt: 180 }, { endsAt: 120 }].map((body) => venue.post(path, body)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test('are detected with If-Match, and If-None-Match saves the body', async () => {
    const path = `/coupons/${await createCoupon()}/limits`
    const first = (await venue.get(path)).headers.get('etag') ?? ''
    expect((await venue.get(path, { 'if-none-match': first })).status).toBe(304)
    expect((await venue.post(path, { maxDiscount: 1 }, { 'if-match': first })).status).toBe(200)
    expect((await venue.post(path, { maxDiscount: 2 }, { 'if-match': first })).status).toBe(412)
    expect((await venue.get(path, { 'if-none-match': first })).body).toEqual({ maxDiscount: 1 })
  })

  const writeElsewhere =
    'insert into coupon_limits (coupon, max_redemptions, version) select seq, 3, 1 from coupons where id = ?'
  test('written between read and write are merged', async () => {
    const id = await createCoupon()
    const path = `/coupons/${id}/limits`
    let trips = 0
    const late = await observe('POST', venue.path(path), {
      key: venue.key,
      json: { maxDiscount: 2 },
      before: async () => {
        // Another isolate, between the read and the write of the first attempt.
        if (++trips === 2) await env.DB.prepare(writeElsewhere).bind(id).run()
      },
    })
    expect([late.status, late.body, late.trips.length]).toEqual([200, { maxRedemptions: 3, maxDiscount: 2 }, 4])
  })
})

test('a repeated request with one Idempotency-Key returns the same response', async () => {
  const path = `/coupons/${await createCoupon()}/limits`
  const key = { 'idempotency-key': crypto.randomUUID() }
  const first = await venue.post(path, { maxRedemptions: 3 }, key)
  await venue.post(path, { maxRedemptions: 4 })
  const again = await venue.post(path, { maxRedemptions: 3 }, key)
  expect([first.body, again.body]).toEqual([{ maxRedemptions: 3 }, { maxRedemptions: 3 }])
  expect((await venue.get(path)).body).toEqual({ maxRedemptions: 4 })
})

test('limits cost one round trip to read and two to write', async () => {
  const path = venue.path(`/coupons/${await createCoupon()}/limits`)
  await venue.get('/coupons')
  expect((await observe('GET', path, { key: venue.key })).trips).toHaveLength(1)
  expect((await observe('POST', path, { key: venue.key, json: all })).trips).toHaveLength(2)
})

test('damaged limits are reported, not ignored', async () => {
  const id = await createCoupon()
  await venue.post(`/coupons/${id}/limits`, { startsAt: 1 })
  await env.DB.prepare(
    `update coupon_limits set starts_at = 'soon' where coupon = (select seq from coupons where id = ?)`,
  )
    .bind(id)
    .run()
  expect((await venue.get(`/coupons/${id}/limits`)).body.code).toBe('damaged')
  expect((await venue.post(`/coupons/${id}/limits`, { maxDiscount: 1 })).body.code).toBe('damaged')
})
