import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { setColumns } from '../../platform/db/query.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { isInState } from '../redemptions/redemption-counts.ts'
import { movedCoupon } from '../redemptions/redemption-statements.ts'
import { joinedCoupons, requested } from '../redemptions/verdict.ts'

/** A redemption keeps the code that its coupon had. It is matched by code only if no coupon has this code. */
const isOfRequestedCoupon = sql`iif(${couponTable.id} is null,
  ${redemptionTable.codeKey} in (${requested.codeKey}, ${requested.oldKey}), ${redemptionTable.coupon} = ${couponTable.id})`

/** SQL for the existing redemptions of the requested coupons by these orders. */
export const ofRequested = sql`json_each(${param('redemptions')}) as requested cross join ${redemptionTable}
  ${joinedCoupons}
  where ${isInScope(redemptionTable)} and ${redemptionTable.orderId} = ${requested.order}
    and ${isOfRequestedCoupon} and ${isInState(redemptionTable, 'redeemed')}`

/** Assigns earlier redemptions of the order to its event, if `isDone`. */
export const createAssignment = (isDone: SQL, orderEvent: SQLWrapper) =>
  lazy(() =>
    compile(sql`
      update ${redemptionTable} set ${setColumns(redemptionTable, {
        orderEvent,
        orderHash: param('orderHash'),
        orderReference: param('orderReference'),
      })}
      where ${isInScope(redemptionTable)} and ${redemptionTable.orderEvent} is null and ${isDone}
        and ${redemptionTable.id} in (select ${redemptionTable.id} from ${ofRequested})`),
  )

/** Statements that release redemptions. `isReleased` selects them before, by their ids. */
export function createRelease(isReleased: SQL) {
  const isRedeemed = sql`${isReleased} and ${isInState(redemptionTable, 'redeemed')}`
  const count = sql`(select count(*) from ${redemptionTable} where ${isRedeemed} and ${redemptionTable.coupon} = ${couponTable.id})`
  return {
    /** Runs before `release`, because it counts what is still redeemed. */
    uncountCoupons: lazy(() =>
      compile(sql`
        update ${couponTable} set ${setColumns(couponTable, {
          timesRedeemed: sql`max(0, ${couponTable.timesRedeemed} - ${count})`,
          ...movedCoupon,
        })}
        where ${isInScope(couponTable)} and ${couponTable.id} in (select ${redemptionTable.coupon} from ${redemptionTable} where ${isRedeemed})`),
    ),
    release: lazy(() =>
      compile(sql`
        update ${redemptionTable} set ${setColumns(redemptionTable, { state: sql`'released'`, expiresAt: sql`null`, change: param('event') })}
        where ${isRedeemed}`),
    ),
  }
}
