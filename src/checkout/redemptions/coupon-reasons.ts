/** Messages by the code of the reason why no order can use a coupon. Reasons in the order itself are those of quotes only. */
export const couponReasonMessages = {
  not_found: 'No coupon has this code.',
  inactive: 'The coupon is not active.',
  not_started: 'The coupon is not valid yet.',
  expired: 'The coupon is no longer valid.',
  limit_reached: 'The coupon was redeemed as often as it can be.',
  customer_limit_reached: 'The customer has redeemed the coupon as often as one can.',
  customer_required: 'The coupon requires a customer.',
} as const
/** Code of a reason why no order can use a coupon. */
export type CouponReasonCode = keyof typeof couponReasonMessages
