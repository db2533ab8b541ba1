import { type SQL, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { selectList, setColumns, typed } from '../../platform/db/query.ts'
import { couponCodeTable } from '../../platform/db/schema/checkout/coupon-codes.ts'
import { orderTable } from '../../platform/db/schema/checkout/orders.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { createRedemptionFollowers, createRedemptionStatement } from '../redemptions/redemption-statements.ts'
import {
  isConfirmation,
  isOtherCode,
  isRefused,
  isSame,
  isUnknownCustomer,
  joined,
  limitsOfHold,
  own,
  reasons,
  requested,
  shownCode,
  verdictFields,
} from '../redemptions/verdict.ts'
import { isChanged, isOfOrder } from './changed-order.ts'
import { found, ofClaimed } from './order-record.ts'
import { createAssignment, createRelease, ofRequested } from './order-redemptions.ts'

/** SQL for columns of an order: the ids of its redemptions, and of those that a replacement released. */
type OrderColumns = Readonly<Record<'redemptions' | 'released', SQL>>

const isOwnIn = (list: SQL) => sql`coalesce(${own.id} in (select value from json_each(${list})), 0)`
const isOtherCustomer = sql`(${own.customer} is not ${requested.customer})`
const isCustomerRefused = sql`coalesce(${isUnknownCustomer} or ${reasons.customer_limit_reached} or ${reasons.customer_required}, 0)`

/** The redemption of the order stays, with another amount or customer or as it is. Its coupon may have ended since. */
const isKept = ({ redemptions }: OrderColumns) =>
  sql`(${own.state} = 'redeemed' and ${isOwnIn(redemptions)} and not ${isOtherCode} and not (${isOtherCustomer} and ${isCustomerRefused}))`
/** The order redeems again what a replacement released. */
const isRegained = ({ released }: OrderColumns) => sql`(${own.state} = 'released' and ${isOwnIn(released)})`
/** The order redeemed the coupon before, in a separate request. */
const isAssigned = sql`(${own.state} = 'redeemed' and ${own.orderEvent} is null and ${isSame})`
const isAllowed = (order: OrderColumns) =>
  sql`coalesce((${own.id} is null or ${isRegained(order)}) and not (${isRefused}) or ${isConfirmation} or ${isKept(order)} or ${isAssigned}, 0)`

/** SQL for "the order may have exactly the redemptions `:redemptions`". */
export const isEachReplaceable = (order: OrderColumns) => sql`(select count(${own.id}) = count(distinct ${own.id})
  and count(${couponTable.id}) = count(distinct ${couponTable.id}) and count(*) filter (where not ${isAllowed(order)}) = 0 from ${joined})`

const replacementFields = {
  ...verdictFields,
  // Those of a new redemption, unless the order has a hold.
  limit_reached: sql<number | null>`iif(${own.state} = 'held', ${limitsOfHold.ofCoupon}, ${reasons.limit_reached})`,
  customer_limit_reached: sql<number | null>`iif(${own.state} = 'held', ${limitsOfHold.ofCustomer},
    ${reasons.customer_limit_reached})`,
  isOfOrder: sql<number>`${isOwnIn(sql`changed.redemptions`)}`,
  isReleasedByOrder: sql<number>`${isOwnIn(sql`changed.released`)}`,
}
/** The outcome of each requested redemption of the order `:order`. */
export const findReplacements = lazy(() =>
  typed(
    replacementFields,
    () => sql`with changed as materialized (select redemptions, released from ${found} limit 1)
      select ${selectList(replacementFields)} from ${joined} left join changed order by requested.key`,
  ),
)
export type Replacement = ReturnType<ReturnType<typeof findReplacements>['read']>

const ofOrder = {
  redemptions: ofClaimed(sql`${orderTable.redemptions}`),
  released: ofClaimed(sql`coalesce(${orderTable.released}, '[]')`),
}
const orderEvent = ofClaimed(sql`${orderTable.event}`)
const isReleasedBefore = sql`${own.state} = 'released' and ${isOwnIn(ofOrder.released)}`
const isOwnRow = sql`${isInScope(redemptionTable)} and ${redemptionTable.id} = ${own.id}`
/** The redemptions that `:redemptions` no longer has. */
const isDropped = sql`${param('replacesRedemptions')} and ${isOfOrder}
  and ${redemptionTable.id} not in (select ${own.id} from ${joined} where ${own.id} is not null)`

/** Statements that replace the redemptions of the order that this transaction changes, in the order in which they run. */
export const replacedRedemptions = {
  ...createRelease(isDropped),
  ...createRedemptionFollowers(sql`${isOfOrder} and ${redemptionTable.change} = ${param('event')}`),
  /** A redemption that is redeemed again may have another code. */
  freeCodes: lazy(() => {
    const regained = (column: SQL) => sql`(select ${column} from ${joined} where ${isReleasedBefore})`
    return compile(sql`
      update ${couponCodeTable} set ${setColumns(couponCodeTable, { redemption: sql`null` })}
      where ${isInScope(couponCodeTable)} and ${couponCodeTable.codeKey} in ${regained(sql`${own.codeKey}`)}
        and ${couponCodeTable.redemption} in ${regained(sql`${own.id}`)}`)
  }),
  record: createRedemptionStatement(
    sql`${isChanged} and coalesce(${own.state} = 'held', ${own.id} is null)`,
    orderEvent,
  ),
  regain: lazy(() =>
    compile(sql`
      update ${redemptionTable} set ${setColumns(redemptionTable, {
        state: sql`'redeemed'`,
        code: shownCode,
        codeKey: requested.codeKey,
        customer: requested.customer,
        amount: requested.amount,
        change: param('event'),
      })}
      from ${joined} where ${isOwnRow} and ${isReleasedBefore}`),
  ),
  assign: createAssignment(isChanged, orderEvent),
  /** Runs after `countCoupons` and `raiseRedeemed`: a new amount raises no event of the coupon. */
  amend: lazy(() =>
    compile(sql`
      update ${redemptionTable} set ${setColumns(redemptionTable, {
        customer: requested.customer,
        amount: requested.amount,
        change: param('event'),
      })}
      from ${joined} where ${isOwnRow} and ${own.state} = 'redeemed' and ${isOwnIn(ofOrder.redemptions)}
        and (${isOtherCustomer} or ${own.amount} is not ${requested.amount})`),
  ),
}

const listed = sql`(select value as id from json_each(${orderTable.redemptions}) union select ${redemptionTable.id} from ${ofRequested})`
/** SQL for the columns of the order after its redemptions were replaced. */
export const settledRedemptions = {
  redemptions: sql`(select json_group_array(id) from ${listed})`,
  released: sql`(select json_group_array(${redemptionTable.id}) from ${redemptionTable}
    where ${isInScope(redemptionTable)} and ${redemptionTable.id} in (select value from json_each(${orderTable.redemptions}))
      and ${redemptionTable.state} = 'released' and (${redemptionTable.change} = ${param('event')}
        or ${redemptionTable.id} in (select value from json_each(${orderTable.released}))))`,
}
