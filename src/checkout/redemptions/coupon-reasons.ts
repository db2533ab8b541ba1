/** Messages by the code of the reason why no order can use a coupon. Only quotes have reasons that depend on the order. */
export const couponReasonMessages = {
  not_found: 'No coupon has this code.',
  inactive: 'The coupon is not active.',
  not_started: 'The coupon is not valid yet.',
  expired: 'The coupon is no longer valid.',
  limit_reached: 'The coupon has reached its maximum number of redemptions.',
  customer_limit_reached: 'The customer has reached the maximum number of redemptions of the coupon.',
  code_used: 'The code was used already.',
  customer_required: 'The coupon requires a customer.',
} as const
/** Code of a reason why no order can use a coupon. */
export type CouponReasonCode = keyof typeof couponReasonMessages
