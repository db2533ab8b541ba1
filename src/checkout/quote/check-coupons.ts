import type { OrderType } from '../../catalogue/resources/details/order-types.ts'
import { foldCode } from '../../platform/lib/languages/code-keys.ts'
import { isOpen } from '../../platform/lib/opening-hours.ts'
import { type CouponReasonCode, couponReasonMessages } from '../redemptions/coupon-reasons.ts'
import { Decimal, min, sum, takePercent, toExact, toMinor } from './amounts.ts'
import type { Discount } from './discounts.ts'
import type { QuotedLine } from './lines/line.ts'
import type { QuoteData, QuotedCoupon } from './load-quote.ts'
import type { CouponReason } from './quote-issues.ts'

/** A coupon of the request: a discount, or the reasons why it cannot be applied to the order. */
export interface CheckedCoupon {
  code: string
  coupon: QuotedCoupon | undefined
  discount: Discount | undefined
  reasons: readonly CouponReason[]
  /** The coupon applies without its code. */
  isAutomatic?: true
}

/** Data that the checks of coupons require. */
interface CouponContext {
  lines: readonly QuotedLine[]
  at: number
  /** The time of the venue at `at`. */
  localTime: number
  orderType: OrderType
  customer: string | undefined
  decimals: number
}

/** Checks the coupons with the given codes, in their order. */
export function checkCoupons(
  codes: readonly string[],
  { coupons }: QuoteData,
  context: CouponContext,
): CheckedCoupon[] {
  const seen = new Set<string>()
  return codes.map((code): CheckedCoupon => {
    const coupon = coupons.get(foldCode(code))
    if (!coupon || (coupon.codesOnly && coupon.isSingleUse === 0)) {
      return {
        code,
        coupon: undefined,
        discount: undefined,
        reasons: [toReason('not_found')],
      }
    }
    const discount = toDiscount(coupon, context)
    const reasons = [...findUseReasons(coupon, context), ...findOrderReasons(coupon, discount, context)]
    // An order redeems a coupon once.
    if (reasons.length === 0 && seen.has(coupon.id)) reasons.push(sameCoupon)
    if (reasons.length === 0) seen.add(coupon.id)
    return { code, coupon, discount: reasons.length === 0 ? discount : undefined, reasons }
  })
}

/** Maximum number of coupons that apply to an order. */
export const maxApplied = 10

/**
 * The automatic coupons whose conditions hold, beside those that the request names. If they are too many, those with the largest discount if they
 * were alone, because few combinations can be compared.
 */
export function checkAutomatic(
  given: readonly CheckedCoupon[],
  { automatic }: QuoteData,
  context: CouponContext,
): CheckedCoupon[] {
  const named = new Set(given.map(({ coupon }) => coupon?.id))
  const applicable = automatic
    .filter(({ id }) => !named.has(id))
    .flatMap((coupon) => {
      const discount = toDiscount(coupon, context)
      const reasons = [...findUseReasons(coupon, context), ...findOrderReasons(coupon, discount, context)]
      return reasons.length === 0 ? [{ coupon, discount, effect: getEffect(discount, context.lines) }] : []
    })
  const room = maxApplied - given.filter(({ discount }) => discount).length
  return applicable
    .toSorted((a, b) => (a.effect === b.effect ? 0 : a.effect < b.effect ? 1 : -1))
    .slice(0, Math.max(0, room))
    .map(({ coupon, discount }) => ({ code: coupon.code, coupon, discount, reasons: [], isAutomatic: true }))
}

function toDiscount(coupon: QuotedCoupon, { lines, decimals }: CouponContext): Discount {
  const { type, value, maxDiscount, individualUse, applyToAllProducts, products } = coupon
  const listed = new Set(products)
  return {
    type,
    value: type === 'FIXED' ? toMinor(toExact(value), decimals) : toExact(value),
    maxAmount: maxDiscount === null ? undefined : toMinor(toExact(maxDiscount), decimals),
    isIndividual: individualUse,
    matches: lines.map(({ product, isKnown }) => isKnown && (applyToAllProducts || listed.has(product))),
  }
}

const toReason = (code: CouponReasonCode): CouponReason => ({ code, message: couponReasonMessages[code] })

/** Reasons that do not depend on the order: state, period and number of redemptions. */
function* findUseReasons(
  coupon: QuotedCoupon,
  { at, localTime, orderType, customer }: CouponContext,
): Iterable<CouponReason> {
  const {
    active,
    isCodeUsed,
    startsAt,
    endsAt,
    maxRedemptions,
    maxRedemptionsPerCustomer,
    timesRedeemed,
    held,
    ofCustomer,
  } = coupon
  if (!active) yield toReason('inactive')
  if (startsAt !== null && at < startsAt) yield toReason('not_started')
  if (endsAt !== null && at >= endsAt) yield toReason('expired')
  const [begin, end] = [coupon.begin ?? undefined, coupon.end ?? undefined]
  if (!isOpen({ allDayMenu: begin === undefined, begin, end, days: coupon.days }, localTime)) yield notNow
  if (coupon.orderTypes?.includes(orderType) === false) yield wrongOrderType
  if (isCodeUsed === 1) yield toReason('code_used')
  if (maxRedemptions !== null && timesRedeemed + held >= maxRedemptions) yield toReason('limit_reached')
  if (maxRedemptionsPerCustomer !== null) {
    if (customer === undefined) yield toReason('customer_required')
    else if (ofCustomer >= maxRedemptionsPerCustomer) yield toReason('customer_limit_reached')
  }
}

/** Reasons that depend on the order. */
function* findOrderReasons(
  { minimumOrderAmount }: QuotedCoupon,
  discount: Discount,
  { lines, decimals }: CouponContext,
): Iterable<CouponReason> {
  const subtotal = sum(lines.map((line) => line.subtotal))
  const minimum = toMinor(toExact(minimumOrderAmount ?? 0), decimals)
  if (subtotal < minimum) {
    const missing = new Decimal(minimum - subtotal, decimals)
    yield { code: 'minimum_not_met', message: `The subtotal is ${missing.text} below the minimum.`, missing }
  }
  if (!discount.matches.includes(true)) {
    yield { code: 'no_matching_product', message: 'The coupon applies to none of the products.' }
  } else if (getEffect(discount, lines) <= 0n) {
    yield noEffect
  }
}

const wrongOrderType: CouponReason = {
  code: 'wrong_order_type',
  message: 'The coupon is not valid for orders of this type.',
}
const notNow: CouponReason = { code: 'not_now', message: 'The coupon is not valid on this day or at this hour.' }
export const noEffect: CouponReason = { code: 'no_effect', message: 'The coupon does not lower the total.' }
const sameCoupon: CouponReason = {
  code: 'not_combinable',
  message: 'Another code of the request belongs to the same coupon.',
}
export const notCombinable: CouponReason = {
  code: 'not_combinable',
  message: 'The coupon cannot be combined with another coupon, which lowers the total more.',
}

/** The amount of a discount if it is the only one, in minor units. */
function getEffect({ type, value, maxAmount, matches }: Discount, lines: readonly QuotedLine[]): bigint {
  const matching = sum(lines.map(({ subtotal }, index) => (matches[index] ? subtotal : 0n)))
  const effect = type === 'FIXED' ? value : takePercent(matching, value)
  return min(effect, min(matching, maxAmount ?? matching))
}
