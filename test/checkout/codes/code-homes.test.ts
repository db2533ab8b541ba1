import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { purgeBounds } from '../../../src/app/maintenance/purges.ts'
import { goneCodeDays } from '../../../src/checkout/codes/code-retention.ts'
import { retentionDays } from '../../../src/webhooks/event-retention.ts'
import { call, createVenue, type Venue } from '../../support/api.ts'
import { queryHome, ringAlarm } from '../../support/home.ts'
import { moveTo } from '../../support/moves.ts'
import { purgeNow } from '../../support/purges.ts'
import { createCoupon, redeem, toReasons } from '../redemptions/coupons.ts'

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue()
})
afterEach(() => vi.restoreAllMocks())

const homes = ['d1', 'object'] as const

async function createCodes(venue: Venue, count: number, fields: object = {}) {
  const coupon = await createCoupon(venue, undefined, fields)
  const key = { 'idempotency-key': crypto.randomUUID() }
  const { batch } = (await call('POST', venue.path(`/coupons/${coupon}/codes`), venue.key, { count }, key)).body
  const codes = async () => (await venue.get(`/coupons/${coupon}/codes?batch=${batch}`)).body
  return { coupon, batch, codes, first: String((await codes())[0].code) }
}
const countRows = async ({ id }: Venue) =>
  (
    await queryHome(
      id,
      `select (select count(*) from coupon_codes where merchant_id = ?1) as codes,
        (select count(*) from coupon_code_batches where merchant_id = ?1) as batches`,
      id,
    )
  )[0]

describe.each(homes)('codes of a merchant in %s', (home) => {
  test('have no effect without their coupon, and are deleted in bounded steps when it can no longer be restored', async () => {
    const venue = await createVenue({ home })
    const [gone, kept] = [await createCodes(venue, 2_500), await createCodes(venue, 2, { code: 'KEPT' })]
    await venue.remove(`/coupons/${gone.coupon}`)
    expect(toReasons(await redeem(venue, 'A', { code: gone.first }))[2]).toEqual(['not_found'])
    expect(await countRows(venue)).toEqual({ codes: 2_502, batches: 2 })
    // A code of a deleted coupon does not reserve its text.
    await createCoupon(venue, undefined, { code: gone.first })
    expect((await redeem(venue, 'A', { code: gone.first })).status).toBe(201)
    const purge = async () => {
      if (home === 'd1') return purgeNow(env, Date.now() + 2_000)
      await queryHome(venue.id, 'update purges set due_at = 0')
      return ringAlarm(venue.id)
    }
    await purge()
    expect(await countRows(venue)).toEqual({ codes: 2_502, batches: 2 })
    expect(goneCodeDays).toBeGreaterThan(retentionDays)
    const age = goneCodeDays * 86_400 + 1
    await queryHome(venue.id, 'update coupon_code_batches set gone_at = gone_at - ?', age)
    await purge()
    expect(await countRows(venue)).toEqual({ codes: 2, batches: 2 })
    await queryHome(venue.id, 'update purges set due_at = 0')
    await purge()
    expect(await countRows(venue)).toEqual({ codes: 2, batches: 1 })
    expect(await kept.codes()).toHaveLength(2)
    expect(purgeBounds.rows).toBeLessThan(2_500)
  })

  test('return with their coupon, with their states', async () => {
    const venue = await createVenue({ home })
    const { coupon, codes, first } = await createCodes(venue, 3)
    await redeem(venue, 'A', { code: first })
    const before = await codes()
    const free = before.find(({ state }: { state: string }) => state === 'available').code
    const restore = async () => expect((await venue.post(`/coupons/${coupon}/restore`, {})).status).toBe(200)
    const undo = async () => {
      const { body } = await venue.get('/changes?limit=1')
      expect((await venue.post(`/changes/${body[0].id}/undo`, undefined)).status).toBe(200)
    }
    const removeInBatch = () =>
      venue.post('/batch', { operations: [{ op: 'delete', resource: 'coupons', id: coupon }] })
    const ways = [
      [() => venue.remove(`/coupons/${coupon}`), restore],
      [removeInBatch, undo],
    ] as const
    for (const [remove, bringBack] of ways) {
      expect((await remove()).status).toBe(200)
      expect(toReasons(await redeem(venue, 'B', { code: free }))[2]).toEqual(['not_found'])
      await bringBack()
      expect(await codes()).toEqual(before)
      const gone = await queryHome(venue.id, 'select count(*) as n from coupon_code_batches where gone_at is not null')
      expect(gone).toEqual([{ n: 0 }])
    }
    expect(toReasons(await redeem(venue, 'B', { code: first }))[2]).toEqual(['code_used'])
    expect((await redeem(venue, 'B', { code: free })).status).toBe(201)
  })

  test('move to the other home with their states', async () => {
    const venue = await createVenue({ home })
    const { codes, first } = await createCodes(venue, 3)
    await redeem(venue, 'A', { code: first })
    const before = await codes()
    expect(before.map(({ state }: { state: string }) => state).toSorted()).toEqual([
      'available',
      'available',
      'redeemed',
    ])
    await moveTo(venue.id, home === 'd1' ? 'object' : 'd1')
    expect(await codes()).toEqual(before)
    expect(toReasons(await redeem(venue, 'B', { code: first }))[2]).toEqual(['code_used'])
    expect(
      (await redeem(venue, 'B', { code: before[1].code === first ? before[2].code : before[1].code })).status,
    ).toBe(201)
  })
})
