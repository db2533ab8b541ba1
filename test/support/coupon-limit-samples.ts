import type { limitView } from '../../src/checkout/coupon-limit-fields.ts'

/** Every limit of a coupon, with a value of its own. */
export const allLimits: Required<Record<keyof typeof limitView.shape, unknown>> = {
  startsAt: 1_700_000_000,
  endsAt: 1_900_000_000,
  maxRedemptions: 5,
  maxRedemptionsPerCustomer: 2,
  maxDiscount: 7.25,
  codesOnly: false,
  days: ['mon', 'sun'],
  begin: '0930',
  end: '1700',
  orderTypes: ['takeaway', 'delivery'],
  automatic: true,
}
