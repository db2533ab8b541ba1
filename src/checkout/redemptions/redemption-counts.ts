import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { withoutIndex } from '../../platform/db/query.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { isInScope } from '../../platform/db/scope.ts'

/**
 * SQL for a state, for statements whose other conditions select few redemptions. SQLite must not use the index of states, which has many rows for
 * each.
 */
export const isInState = ({ state }: Record<'state', SQLiteColumn>, value: 'held' | 'redeemed' | 'released') =>
  sql`${withoutIndex(state)} = ${sql.raw(`'${value}'`)}`

/** SQL for a hold that has not expired at a time in seconds. */
export const isHeld = ({ state, expiresAt }: Record<'state' | 'expiresAt', SQLiteColumn>, at: SQLWrapper): SQL =>
  sql`${state} = 'held' and ${expiresAt} > ${at}`

const counted = alias(redemptionTable, 'counted')

/** SQL for the number of holds of a coupon that have not expired at a time in seconds. */
export const countHolds = (coupon: SQLiteColumn, at: SQLWrapper): SQL =>
  sql`(select count(*) from ${redemptionTable} as ${counted}
    where ${isInScope(counted)} and ${counted.coupon} = ${coupon} and ${isHeld(counted, at)})`

/** SQL for the number of a customer's redemptions of a coupon, plus holds at a time in seconds. */
export const countOfCustomer = (coupon: SQLiteColumn, customer: SQLWrapper, at: SQLWrapper): SQL =>
  sql`(select count(*) from ${redemptionTable} as ${counted}
    where ${isInScope(counted)} and ${counted.customer} = ${customer} and ${counted.coupon} = ${coupon}
      and (${counted.state} = 'redeemed' or (${isHeld(counted, at)})))`

/** The tables, or their aliases, of a hold, its coupon and the limits of the coupon. */
interface HoldTables {
  coupon: Record<'timesRedeemed', SQLiteColumn>
  limits: Record<'maxRedemptions' | 'maxRedemptionsPerCustomer', SQLiteColumn>
  redemption: Record<'coupon' | 'customer', SQLiteColumn>
}

/**
 * SQL for "the limit leaves no room to confirm a hold": since the hold, the limit may have been lowered, or the number of redemptions raised. Other
 * holds do not count, because the hold already has its own place.
 */
export const isLimitReached = ({ coupon, limits }: HoldTables): SQL =>
  sql`coalesce(${limits.maxRedemptions} <= ${coupon.timesRedeemed}, 0)`

/** SQL for "the limit of the customer leaves no room to confirm a hold". */
export const isCustomerLimitReached = ({ limits, redemption }: HoldTables): SQL =>
  sql`coalesce(${limits.maxRedemptionsPerCustomer} <= (select count(*) from ${redemptionTable} as ${counted}
    where ${isInScope(counted)} and ${counted.customer} = ${redemption.customer} and ${counted.coupon} = ${redemption.coupon}
      and ${counted.state} = 'redeemed'), 0)`
