import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { withoutIndex } from '../../db/query.ts'
import { redemptionTable } from '../../db/schema/checkout/redemptions.ts'
import { isInScope } from '../../db/scope.ts'

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
