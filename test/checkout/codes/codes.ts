import { call, type Venue } from '../../support/api.ts'
import { createCoupon } from '../redemptions/coupons.ts'

let keys = 0
/** Makes codes with a new `Idempotency-Key`, unless one is given. */
export const make = (venue: Venue, coupon: string, json: object, key = `codes-${++keys}`) =>
  call('POST', venue.path(`/coupons/${coupon}/codes`), venue.key, json, { 'idempotency-key': key })
export const read = async (venue: Pick<Venue, 'get'>, coupon: string, batch: string): Promise<{ code: string }[]> =>
  (await venue.get(`/coupons/${coupon}/codes?batch=${batch}&limit=100`)).body
/** A coupon with codes. */
export async function createCodes(venue: Venue, count: number, limits?: object) {
  const coupon = await createCoupon(venue, limits)
  const { batch } = (await make(venue, coupon, { count })).body
  return { coupon, batch, codes: (await read(venue, coupon, batch)).map(({ code }) => code) }
}
export const toConflict = ({ status, body }: Awaited<ReturnType<Venue['get']>>) => [
  status,
  ...(body.errors ?? []).map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`),
]
export const states = async (venue: Venue, coupon: string, batch: string) =>
  Object.fromEntries(
    (await venue.get(`/coupons/${coupon}/codes?batch=${batch}`)).body.map(
      ({ code, state }: { code: string; state: string }) => [code, state],
    ),
  )
