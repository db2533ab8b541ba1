import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { databaseNow, lazy, param } from '../../platform/db/database.ts'
import { selectList, typed } from '../../platform/db/query.ts'
import { couponCodeTable } from '../../platform/db/schema/checkout/coupon-codes.ts'
import { couponLimitTable } from '../../platform/db/schema/checkout/coupon-limits.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { customerTable } from '../../platform/db/schema/resources/customers.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { isCodeUsed, isSingleUse, joinCoupons } from './coupon-of-code.ts'
import type { CouponReasonCode } from './coupon-reasons.ts'
import { countHolds, countOfCustomer, isCustomerLimitReached, isHeld, isLimitReached } from './redemption-counts.ts'

/** A member of an element of `:redemptions`, a JSON list of `Requested`. */
export const requested = {
  id: sql`requested.value ->> '$.id'`,
  code: sql`requested.value ->> '$.code'`,
  codeKey: sql`requested.value ->> '$.codeKey'`,
  oldKey: sql`requested.value ->> '$.oldKey'`,
  order: sql`requested.value ->> '$.order'`,
  customer: sql`requested.value ->> '$.customer'`,
  amount: sql`requested.value ->> '$.amount'`,
  /** End of the hold, if one is requested. */
  expiresAt: sql`(${databaseNow} + (requested.value ->> '$.hold'))`,
  hold: sql`requested.value ->> '$.hold'`,
}

/** The existing redemption of the coupon by the order, except expired holds. */
export const own = alias(redemptionTable, 'own')
const earlier = alias(redemptionTable, 'earlier')

/** The coupon of an earlier redemption of the order with this code. The coupon may have been deleted. */
const earlierCoupon = sql`(select ${earlier.coupon} from ${redemptionTable} as ${earlier}
  where ${isInScope(earlier)} and ${earlier.orderId} = ${requested.order} and ${earlier.codeKey} in (${requested.codeKey}, ${requested.oldKey})
  order by ${earlier.id} desc limit 1)`

/** SQL that joins each element of `:redemptions` with the coupon that its code names. */
export const joinedCoupons = joinCoupons(requested.codeKey, requested.oldKey)
/** The code as a redemption shows it: events and lists must not have a single-use code, which a release makes valid again. */
export const shownCode = sql`iif(${isSingleUse}, '…' || substr(${couponCodeTable.code}, -4), ${requested.code})`

/**
 * Each requested redemption with its coupon, its limits, its customer and the order's own redemption. The condition on `expired` matches that of the
 * index by coupon and order.
 */
export const joined = sql`json_each(${param('redemptions')}) as requested
  ${joinedCoupons}
  left join ${couponLimitTable} on ${couponLimitTable.coupon} = ${couponTable.seq}
  left join ${customerTable} on ${isInScope(customerTable)} and ${customerTable.id} = ${requested.customer}
  left join ${redemptionTable} as ${own} on ${isInScope(own)} and ${own.orderId} = ${requested.order}
    and ${own.coupon} = coalesce(${couponTable.id}, ${earlierCoupon}) and ${own.state} <> 'expired'
    and (${own.state} in ('redeemed', 'released') or (${isHeld(own, databaseNow)}))`

const held = countHolds(couponTable.id, databaseNow)
const ofCustomer = countOfCustomer(couponTable.id, requested.customer, databaseNow)

const { codesOnly, startsAt, endsAt, maxRedemptions, maxRedemptionsPerCustomer } = couponLimitTable

/** Why a coupon cannot be redeemed: the conditions by the code of the reason. Null counts as false. */
export const reasons = {
  not_found: sql<number | null>`${couponTable.id} is null or (${codesOnly} and not ${isSingleUse})`,
  inactive: sql<number | null>`not ${couponTable.active}`,
  not_started: sql<number | null>`${startsAt} > ${databaseNow}`,
  expired: sql<number | null>`${endsAt} <= ${databaseNow}`,
  limit_reached: sql<number | null>`${maxRedemptions} <= ${couponTable.timesRedeemed} + ${held}`,
  customer_limit_reached: sql<number | null>`${maxRedemptionsPerCustomer} <= ${ofCustomer}`,
  code_used: isCodeUsed(databaseNow),
  customer_required: sql<number | null>`${maxRedemptionsPerCustomer} is not null and ${requested.customer} is null`,
} as const satisfies Record<CouponReasonCode, unknown>

export const isUnknownCustomer = sql<number>`${requested.customer} is not null and ${customerTable.id} is null`

export const isRefused = sql.join(
  [...Object.values(reasons), isUnknownCustomer].map((condition) => sql`coalesce(${condition}, 0)`),
  sql` or `,
)
const ownSingleUse = alias(couponCodeTable, 'own_single_use')
/** The order has redeemed the coupon with another code, and one of the two is for single use. Other codes are names of the same coupon. */
export const isOtherCode = sql<number | null>`(${own.codeKey} <> ${requested.codeKey} and (${isSingleUse} or exists (
  select 1 from ${couponCodeTable} as ${ownSingleUse} where ${isInScope(ownSingleUse)}
    and ${ownSingleUse.codeKey} = ${own.codeKey} and ${ownSingleUse.coupon} = ${own.coupon})))`
export const isSame = sql`${own.amount} is ${requested.amount} and ${own.customer} is ${requested.customer} and not ${isOtherCode}`

/** The coupon gets a new redemption or hold. */
const isNew = sql`${own.id} is null and not (${isRefused})`
/** The order requests confirmation of its own hold. */
const confirms = sql`${own.state} = 'held' and ${requested.hold} is null and ${isSame}`
const confirmed = { coupon: couponTable, limits: couponLimitTable, redemption: own }
/** Limits that leave no room to confirm the hold. */
export const limitsOfHold = { ofCoupon: isLimitReached(confirmed), ofCustomer: isCustomerLimitReached(confirmed) }
export const isConfirmation = sql`${confirms} and not coalesce(${limitsOfHold.ofCoupon} or ${limitsOfHold.ofCustomer}, 0)`
/** The redemption is written. */
export const isWritten = sql`((${isNew}) or coalesce(${isConfirmation}, 0))`

/**
 * Whether an order may be accepted: it redeems each coupon now, or redeemed it before in a separate request. If a coupon was renamed after its
 * redemption, both codes match it. The order may use only one of them.
 */
export const isEachAllowed = sql`(select count(${own.id}) = count(distinct ${own.id})
  and count(${couponTable.id}) = count(distinct ${couponTable.id}) and count(*) filter (
  where not (${isWritten} or coalesce(${own.state} = 'redeemed' and ${own.orderEvent} is null and ${isSame}, 0))) = 0
  from ${joined})`

export const verdictFields = {
  place: sql<number>`requested.key`,
  ...reasons,
  limit_reached: sql<
    number | null
  >`iif(${own.id} is null, ${reasons.limit_reached}, ${confirms} and ${limitsOfHold.ofCoupon})`,
  customer_limit_reached: sql<number | null>`iif(${own.id} is null, ${reasons.customer_limit_reached},
    ${confirms} and ${limitsOfHold.ofCustomer})`,
  isUnknownCustomer,
  coupon: sql<string | null>`${couponTable.id}`,
  isOtherCode,
  ownId: sql<string | null>`${own.id}`,
  ownCoupon: sql<string | null>`${own.coupon}`,
  ownCode: sql<string | null>`${own.code}`,
  ownOrder: sql<string | null>`${own.orderId}`,
  ownCustomer: sql<string | null>`${own.customer}`,
  ownAmount: sql<number | null>`${own.amount}`,
  ownState: sql<(typeof redemptionTable)['state']['_']['data'] | null>`${own.state}`,
  ownCreatedAt: sql<number | null>`${own.createdAt}`,
  ownExpiresAt: sql<number | null>`${own.expiresAt}`,
  ownOrderEvent: sql<string | null>`${own.orderEvent}`,
  ownOrderHash: sql<string | null>`${own.orderHash}`,
}

/** The outcome of each requested redemption. */
export const findVerdicts = lazy(() =>
  typed(verdictFields, () => sql`select ${selectList(verdictFields)} from ${joined} order by requested.key`),
)
/** Why a requested redemption cannot be written, and the order's own redemption of the coupon. */
export type Verdict = ReturnType<ReturnType<typeof findVerdicts>['read']>
