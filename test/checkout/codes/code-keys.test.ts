import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { maintain } from '../../../src/app/maintenance/maintenance.ts'
import { sharedDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { foldCodeBefore } from '../../../src/platform/lib/languages/code-keys.ts'
import { adminToken, call, createVenue, toIssues, type Venue } from '../../support/api.ts'
import { queryHome, ringAlarm } from '../../support/home.ts'
import { createCoupon, redeem } from '../redemptions/coupons.ts'

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue()
})
afterEach(() => vi.restoreAllMocks())

/** A coupon whose key an earlier release made. */
async function createOld(venue: Venue, code: string): Promise<string> {
  const id = await createCoupon(venue, undefined, { code: `NEW${Math.random()}` })
  const set = 'update coupons set code = ?, code_key = ?, key_form = 0 where id = ?'
  await queryHome(venue.id, set, code, foldCodeBefore(code), id)
  return id
}
const keysOf = (venue: Venue) =>
  queryHome(venue.id, 'select code_key, key_form from coupons where merchant_id = ? order by seq', venue.id)
let orders = 0
const couponOf = async (venue: Venue, code: string) => (await redeem(venue, `order-${++orders}`, { code })).body.coupon
const listed = async (venue: Venue, code: string): Promise<string[]> =>
  (await venue.get(`/coupons?code=${encodeURIComponent(code)}`)).body.map(({ id }: { id: string }) => id).toSorted()
const soft = 'SOFT\u00adTEA'

describe.each(['d1', 'object'] as const)('codes of earlier releases of a merchant in %s', (home) => {
  const rewrite = (venue: Venue) => (home === 'd1' ? maintain(env, sharedDatabase(env)) : ringAlarm(venue.id))

  test('are found by their spelling, and by every other one after their keys are rewritten', async () => {
    const venue = await createVenue({ home })
    const [id, ten] = [await createOld(venue, soft), await createOld(venue, 'TEN')]
    expect([await couponOf(venue, soft.toLowerCase()), await couponOf(venue, 'softtea')]).toEqual([id, undefined])
    const { id: product } = (await venue.post('/products', { title: 'Tea', price: 10 })).body
    const quote = { items: [{ product, quantity: 1 }], coupons: [soft] }
    expect((await venue.post('/quotes', quote)).body.coupons).toMatchObject([{ coupon: id, status: 'applied' }])
    expect([await listed(venue, soft), await listed(venue, 'softtea')]).toEqual([[id], []])
    await rewrite(venue)
    expect([await listed(venue, soft), await listed(venue, 'softtea')]).toEqual([[id], [id]])
    expect(await keysOf(venue)).toEqual([
      { code_key: 'softtea', key_form: 1 },
      { code_key: 'ten', key_form: 1 },
    ])
    expect([await couponOf(venue, 'soft\u200btea'), await couponOf(venue, soft), await couponOf(venue, 'ten')]).toEqual(
      [id, id, ten],
    )
  })

  test('that clash with another one keep their keys, stay valid, can be changed and are logged', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const venue = await createVenue({ home })
    const [first, second, third] = [
      await createOld(venue, soft),
      await createOld(venue, 'SOFTTEA'),
      await createOld(venue, 'soft\u200btea'),
    ]
    await rewrite(venue)
    expect(await keysOf(venue)).toEqual([
      { code_key: 'soft\u00adtea', key_form: 2 },
      { code_key: 'softtea', key_form: 1 },
      { code_key: 'soft\u200btea', key_form: 2 },
    ])
    const logged = warn.mock.calls.flat().join()
    expect([logged.includes(first), logged.includes(third), logged.includes('SOFT')]).toEqual([true, true, false])
    expect([await couponOf(venue, soft), await couponOf(venue, 'softtea')]).toEqual([first, second])
    expect([await listed(venue, soft), await listed(venue, 'SoftTea')]).toEqual([[first, second], [second]])
    const clashes = async (query = '') => call('GET', `/admin/merchants/${venue.id}/code-clashes${query}`, adminToken)
    expect((await clashes()).body).toEqual([
      { coupon: first, testMode: false, other: second },
      { coupon: third, testMode: false, other: second },
    ])
    const [page, link] = await clashes('?limit=1').then(({ body, headers }) => [body, headers.get('link')])
    const [, next] = /<[^>?]*(\?[^>]*)>; rel="next"/.exec(link ?? '') ?? []
    expect([...page, ...(await clashes(next)).body]).toEqual((await clashes()).body)
    expect((await venue.post(`/coupons/${first}`, { title: 'Renamed' })).status).toBe(200)
    expect(await couponOf(venue, soft)).toBe(first)
    expect((await venue.post(`/coupons/${third}`, { code: 'OTHER' })).status).toBe(200)
    expect(await couponOf(venue, 'other')).toBe(third)
    expect((await clashes()).body).toEqual([{ coupon: first, testMode: false, other: second }])
    await venue.remove(`/coupons/${second}`)
    expect((await clashes()).body).toEqual([{ coupon: first, testMode: false }])
  })
})

test('a code without a visible character is rejected', async () => {
  const venue = await createVenue()
  const body = { title: 'None', code: '\u200b\u2060', type: 'FIXED', value: 1 }
  expect(toIssues(await venue.post('/coupons', body))).toEqual(['/code invalid_format'])
  expect(toIssues(await redeem(venue, 'A', { code: '\u00ad' }))).toEqual(['/code invalid_format'])
})
