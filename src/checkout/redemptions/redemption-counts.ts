import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { withoutIndex } from '../../platform/db/query.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { isInScope } from '../../platform/db/scope.ts'

/** SQL for a state, where other conditions select few redemptions: each state has many. */
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

/** SQL for how often a customer has redeemed a coupon, or holds it at a time in seconds. */
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
 * SQL for "the limit leaves no room to confirm a hold": it may have been lowered meanwhile, or the number of redemptions raised. Other holds
 * do not count, as the hold has a place of its own.
 */
export const isLimitReached = ({ coupon, limits }: HoldTables): SQL =>
  sql`coalesce(${limits.maxRedemptions} <= ${coupon.timesRedeemed}, 0)`

/** The same for the limit of a customer. */
export const isCustomerLimitReached = ({ limits, redemption }: HoldTables): SQL =>
  sql`coalesce(${limits.maxRedemptionsPerCustomer} <= (select count(*) from ${redemptionTable} as ${counted}
    where ${isInScope(counted)} and ${counted.customer} = ${redemption.customer} and ${counted.coupon} = ${redemption.coupon}
      and ${counted.state} = 'redeemed'), 0)`
