import type { Decimal } from './amounts.ts'

/** Codes of issues that prevent an order. */
export const quoteIssueCodes = [
  'unknown_product',
  'not_visible',
  'sold_out',
  'insufficient_stock',
  'modifier_not_offered',
  'unknown_option',
  'required_modifier_missing',
  'too_few_options',
  'too_many_options',
  'option_quantity_not_enabled',
  'option_sold_out',
  'unknown_choice',
  'bundle_choice_missing',
  'too_many_choices',
  'quantity_not_allowed',
  'no_deposit',
  'unknown_charge',
  'charge_not_offered',
  'unknown_menu',
  'wrong_order_type',
  'outside_menu_hours',
  'closed',
  'paused',
  'not_served_now',
  'unknown_customer',
] as const

/** An issue that prevents an order, with a JSON pointer into the request. */
export interface QuoteIssue {
  pointer: string
  code: (typeof quoteIssueCodes)[number]
  message: string
  /** Units in stock, for `insufficient_stock`. */
  available?: number
  /** Id of the modifier whose number of options is wrong. */
  modifier?: string
  /** Id of the group of a bundle whose number of choices is wrong. */
  group?: string
  /** Smallest quantity, for `quantity_not_allowed`. */
  min?: number
  /** Largest quantity, for `quantity_not_allowed`. */
  max?: number
  /** First second at which the venue serves again, for `closed`. Absent if it never does. */
  opensAt?: number
  /** First second at which the venue takes orders again, for `paused`. Absent until the pause is ended by a request. */
  until?: number
  /** Quantities are multiples of it, for `quantity_not_allowed`. */
  step?: number
}

/** Codes of the reasons why a coupon is not applied. */
export const couponReasonCodes = [
  'not_found',
  'inactive',
  'not_started',
  'expired',
  'limit_reached',
  'customer_limit_reached',
  'customer_required',
  'code_used',
  'not_now',
  'wrong_order_type',
  'minimum_not_met',
  'no_matching_product',
  'not_combinable',
  'no_effect',
] as const

/** Reason why a coupon is not applied. */
export interface CouponReason {
  code: (typeof couponReasonCodes)[number]
  message: string
  /** Amount by which the subtotal is too small, for `minimum_not_met`. */
  missing?: Decimal
}

/** Codes for parts of the request that do not exist. */
const unknownCodes = new Set<string>([
  'unknown_product',
  'modifier_not_offered',
  'unknown_option',
  'unknown_choice',
  'unknown_charge',
  'unknown_menu',
  'unknown_customer',
  'not_found',
])

/** Whether a quote has an issue for a part of the request that does not exist. */
export const namesUnknown = (quote: {
  issues: readonly QuoteIssue[]
  coupons: readonly { reasons: readonly CouponReason[] }[]
}): boolean =>
  [...quote.issues, ...quote.coupons.flatMap(({ reasons }) => reasons)].some(({ code }) => unknownCodes.has(code))
