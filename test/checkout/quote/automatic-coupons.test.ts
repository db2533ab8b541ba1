import { expect, test } from 'vitest'
import { createVenue, toIssues, type Venue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { createCoupon } from '../redemptions/coupons.ts'

/** A venue in Lisbon with a product that costs 10. Monday, 5 January 2026, is at `monday` in UTC, which is Lisbon's time in winter. */
async function createShop() {
  const venue = await createVenue({ currency: 'EUR', timezone: 'Europe/Lisbon' })
  const { id: product } = (await venue.post('/products', { title: 'Tea', price: 10 })).body
  const quote = async (fields: object = {}) =>
    (await venue.post('/quotes', { items: [{ product, quantity: 1 }], at: monday(12), ...fields })).body
  return { venue, product, quote }
}
const monday = (hour: number, days = 0) => Date.UTC(2026, 0, 5 + days, hour) / 1000
let codes = 0
const automatic = (venue: Venue, value: number, limits: object = {}, fields: object = {}) =>
  createCoupon(venue, { automatic: true, ...limits }, { code: `AUTO${++codes}`, value, ...fields })
const applied = ({ coupons }: { coupons: { coupon?: string; status: string; automatic?: boolean }[] }) =>
  coupons.map(({ coupon, status, automatic: own }) => [coupon, status, own ?? false])

test('a coupon applies without its code while its conditions hold, and is told only then', async () => {
  const { venue, product, quote } = await createShop()
  const id = await automatic(venue, 10, {}, { minimumOrderAmount: 15 })
  expect(await quote()).toMatchObject({ coupons: [], total: 10 })
  const priced = await quote({ items: [{ product, quantity: 2 }] })
  expect([applied(priced), priced.total, priced.items[0].discounts]).toEqual([
    [[id, 'applied', true]],
    18,
    [{ coupon: id, amount: 2 }],
  ])
  const { code } = (await venue.get(`/coupons/${id}`)).body
  expect(priced.coupons[0].code).toBe(code)
  // Named by the request, it is told like the others, once.
  expect(applied(await quote({ items: [{ product, quantity: 2 }], coupons: [code] }))).toEqual([[id, 'applied', false]])
  expect((await venue.post('/redemptions', { code, order: 'A', amount: 2 })).status).toBe(201)
  await venue.post(`/coupons/${id}/limits`, { maxRedemptions: 1 })
  expect((await quote({ items: [{ product, quantity: 2 }] })).coupons).toEqual([])
  await venue.post(`/coupons/${id}/limits`, { maxRedemptions: null, automatic: null })
  expect((await quote({ items: [{ product, quantity: 2 }] })).coupons).toEqual([])
})

test('a coupon beside an individual one: the combination that is cheapest for the guest wins', async () => {
  const { venue, quote } = await createShop()
  const id = await automatic(venue, 20)
  const individual = await createCoupon(venue, undefined, { code: 'SMALL', value: 15, individualUse: true })
  const large = await createCoupon(venue, undefined, { code: 'LARGE', value: 25, individualUse: true })
  const plain = await createCoupon(venue, undefined, { code: 'PLAIN', value: 10 })
  const small = await quote({ coupons: ['SMALL'] })
  expect([applied(small), small.total]).toEqual([
    [
      [individual, 'not_applied', false],
      [id, 'applied', true],
    ],
    8,
  ])
  expect(small.coupons[0].reasons).toMatchObject([{ code: 'not_combinable' }])
  const priced = await quote({ coupons: ['LARGE'] })
  expect([applied(priced), priced.total]).toEqual([[[large, 'applied', false]], 7.5])
  const both = await quote({ coupons: ['PLAIN'] })
  expect([applied(both), both.total]).toEqual([
    [
      [plain, 'applied', false],
      [id, 'applied', true],
    ],
    7.2,
  ])
  await venue.post(`/coupons/${id}`, { individualUse: true })
  const alone = await quote({ coupons: ['PLAIN'] })
  expect([applied(alone), alone.total]).toEqual([
    [
      [plain, 'not_applied', false],
      [id, 'applied', true],
    ],
    8,
  ])
})

test('days and hours are those of the venue, and a quote with the code says `not_now`', async () => {
  const { venue, quote } = await createShop()
  const id = await automatic(venue, 10, { days: ['mon'], begin: '2200', end: '0200' }, { code: 'LATE' })
  const isApplied = async (at: number) => (await quote({ at })).coupons.length === 1
  expect(await Promise.all([21, 22, 25, 26].map((hour) => isApplied(monday(hour))))).toEqual([false, true, true, false])
  expect(await isApplied(monday(23, 1))).toBe(false)
  // In summer, Lisbon is an hour ahead: 22:00 is 21:00 in UTC. 6 July 2026 is a Monday.
  expect(await isApplied(Date.UTC(2026, 6, 6, 21) / 1000)).toBe(true)
  expect((await quote({ coupons: ['LATE'] })).coupons).toMatchObject([
    { coupon: id, status: 'not_applied', reasons: [{ code: 'not_now' }] },
  ])
  // A till redeems what its quote applied, also some minutes later.
  expect((await venue.post('/redemptions', { code: 'LATE', order: 'A' })).status).toBe(201)
})

test('order types are those of the coupon', async () => {
  const { venue, quote } = await createShop()
  const id = await automatic(venue, 10, { orderTypes: ['takeaway'] }, { code: 'AWAY' })
  expect((await quote()).coupons).toEqual([])
  expect(applied(await quote({ orderType: 'takeaway' }))).toEqual([[id, 'applied', true]])
  expect((await quote({ coupons: ['AWAY'] })).coupons).toMatchObject([{ reasons: [{ code: 'wrong_order_type' }] }])
  expect(toIssues(await venue.post(`/coupons/${id}/limits`, { orderTypes: [] }))).toEqual(['/orderTypes too_short'])
  expect((await venue.post(`/coupons/${id}/limits`, { orderTypes: null })).body).toEqual({ automatic: true })
})

test('at most 20 of a mode are automatic, and at most 10 coupons apply to an order', async () => {
  const { venue, quote } = await createShop()
  const ids: string[] = []
  for (let value = 1; value <= 20; value++) ids.push(await automatic(venue, value / 10))
  const more = await createCoupon(venue, undefined, { code: 'MORE' })
  expect((await venue.post(`/coupons/${more}/limits`, { automatic: true })).body.code).toBe('too_many')
  expect((await venue.get(`/coupons/${more}/limits`)).body).toEqual({})
  expect((await venue.post(`/coupons/${ids[0]}/limits`, { automatic: true, maxDiscount: 5 })).status).toBe(200)
  expect(applied(await quote())).toEqual(
    ids
      .slice(10)
      .toReversed()
      .map((id) => [id, 'applied', true]),
  )
  const named = await quote({ coupons: ['MORE'] })
  expect([named.coupons.length, named.coupons[0].coupon]).toEqual([10, more])
  await venue.remove(`/coupons/${ids[0]}`)
  expect((await venue.post(`/coupons/${more}/limits`, { automatic: true })).status).toBe(200)
})

test('a quote reads automatic coupons in its round trip, and no other coupons', async () => {
  const { venue, product } = await createShop()
  await automatic(venue, 10)
  const request = { key: venue.key, json: { items: [{ product, quantity: 1 }] } }
  const { trips, body } = await observe('POST', venue.path('/quotes'), request)
  expect([trips.length, body.coupons.length]).toEqual([1, 1])
})

test('hours have both ends, which differ', async () => {
  const venue = await createVenue()
  const path = `/coupons/${await createCoupon(venue)}/limits`
  const issuesOf = async (body: object) => toIssues(await venue.post(path, body))
  expect(await issuesOf({ begin: '0900' })).toEqual(['/end required'])
  expect(await issuesOf({ end: '0900' })).toEqual(['/begin required'])
  expect(await issuesOf({ begin: '0900', end: '0900' })).toEqual(['/end conflict'])
  expect(await issuesOf({ begin: '2400', end: '25', days: [], automatic: 'yes' })).toEqual([
    '/automatic invalid_type',
    '/begin invalid_format',
    '/days too_short',
    '/end invalid_format',
  ])
  const all = { days: ['mon', 'sun'], begin: '2200', end: '2400', automatic: true, codesOnly: true }
  expect((await venue.post(path, all)).body).toEqual(all)
  expect((await venue.get(path)).body).toEqual(all)
  expect((await venue.post(path, { begin: null, end: null, days: null })).body).toEqual({
    automatic: true,
    codesOnly: true,
  })
})
