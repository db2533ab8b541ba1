import * as z from 'zod/mini'
import { coupons } from '../../catalogue/resources/coupons.ts'
import { redemptionView } from './redemption-view.ts'

const coupon = coupons.view

/** Data of `coupon.redeemed` and `coupon.released`. */
export const redemptionData = z.object({
  redemption: redemptionView.check(z.describe('The redemption after the change.')),
  coupon: z.optional(coupon),
})

/** Data of `coupon.limit_reached`. */
export const limitReachedData = z.object({
  coupon,
  maxRedemptions: z.int().check(z.describe('Number of times that the coupon can be redeemed.')),
})
