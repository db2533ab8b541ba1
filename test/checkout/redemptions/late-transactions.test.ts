import { afterEach, describe, expect, test, vi } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { withLateDatabase } from '../../support/database-clock.ts'
import { createCoupon, createCustomer, readCount, redeem, settle, start, stopClock, toReasons } from './coupons.ts'

afterEach(() => vi.useRealTimers())

/** Seconds between a request and its transaction. */
const late = 5

describe('a transaction that starts seconds after its request', () => {
  test('confirms no hold that has expired: the limit holds', async () => {
    stopClock()
    const venue = await createVenue()
    const coupon = await createCoupon(venue, { maxRedemptions: 1 })
    const { id } = (await redeem(venue, 'A-1', { hold: late })).body
    const [second, confirmed, again] = await withLateDatabase(late, async () => [
      await redeem(venue, 'A-2'),
      await settle(venue, id, 'confirm'),
      await redeem(venue, 'A-1'),
    ])
    expect(second?.status).toBe(201)
    expect([confirmed?.status, confirmed?.body.code, confirmed?.body.detail]).toEqual([
      409,
      'conflict',
      expect.stringContaining('expired'),
    ])
    expect(toReasons(again ?? second)).toEqual([409, 'coupon_not_redeemable', ['limit_reached']])
    expect(await readCount(venue, coupon)).toBe(1)
  })

  test('releases no hold that has ended: it stays expired', async () => {
    stopClock()
    const venue = await createVenue()
    await createCoupon(venue)
    const { id } = (await redeem(venue, 'A-1', { hold: late })).body
    await withLateDatabase(late, () => settle(venue, id, 'release'))
    vi.setSystemTime((start + late) * 1000)
    expect((await venue.get(`/redemptions/${id}`)).body.state).toBe('expired')
  })

  test('holds for as long as the request says', async () => {
    stopClock()
    const venue = await createVenue()
    await createCoupon(venue, { maxRedemptions: 1 })
    const held = await withLateDatabase(late, () => redeem(venue, 'A-1', { hold: 10 }))
    expect(held.body).toMatchObject({ state: 'held', createdAt: start + late, expiresAt: start + late + 10 })
    const { id } = held.body
    expect((await withLateDatabase(late + 9, () => settle(venue, id, 'confirm'))).body.state).toBe('redeemed')
  })

  test('redeems nothing outside the period of a coupon', async () => {
    stopClock()
    const venue = await createVenue()
    await createCoupon(venue, { startsAt: start + late, endsAt: start + 2 * late })
    expect(toReasons(await redeem(venue, 'A-1'))[2]).toEqual(['not_started'])
    expect((await withLateDatabase(late, () => redeem(venue, 'A-2'))).status).toBe(201)
    expect(toReasons(await withLateDatabase(2 * late, () => redeem(venue, 'A-3')))[2]).toEqual(['expired'])
    const order = { type: 'order.created', data: {}, effects: { redemptions: [{ code: 'TEN', order: 'A-4' }] } }
    const taken = await withLateDatabase(2 * late, () => venue.post('/events', order))
    expect(toReasons(taken)).toEqual([409, 'coupon_not_redeemable', ['expired']])
  })
})

describe('a hold is confirmed only if the limits leave room', () => {
  /** The ways to confirm the hold of order A-1. */
  const ways = {
    confirm: (venue: Venue, id: string, _customer: string) => settle(venue, id, 'confirm'),
    redeem: (venue: Venue, _id: string, customer: string) => redeem(venue, 'A-1', { customer }),
    order: (venue: Venue, _id: string, customer: string) =>
      venue.post('/events', {
        type: 'order.created',
        data: {},
        effects: { redemptions: [{ code: 'TEN', order: 'A-1', customer }] },
      }),
  }

  test.each(['confirm', 'redeem', 'order'] as const)('by %s', async (way) => {
    const venue = await createVenue()
    const customer = await createCustomer(venue)
    const coupon = await createCoupon(venue, { maxRedemptions: 3 })
    const { id } = (await redeem(venue, 'A-1', { hold: 600, customer })).body
    expect((await redeem(venue, 'A-2', { customer })).status).toBe(201)
    await venue.post(`/coupons/${coupon}/limits`, { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 })
    expect(toReasons(await ways[way](venue, id, customer))).toEqual([
      409,
      'coupon_not_redeemable',
      ['limit_reached', 'customer_limit_reached'],
    ])
    expect(await readCount(venue, coupon)).toBe(1)
    expect((await venue.get(`/redemptions/${id}`)).body.state).toBe('held')

    await venue.post(`/coupons/${coupon}/limits`, { maxRedemptions: 2, maxRedemptionsPerCustomer: 2 })
    expect((await ways[way](venue, id, customer)).status).toBeLessThan(300)
    expect(await readCount(venue, coupon)).toBe(2)
  })
})
