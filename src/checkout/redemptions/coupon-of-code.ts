import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { couponCodeTable } from '../../platform/db/schema/checkout/coupon-codes.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { isHeld } from './redemption-counts.ts'

const named = alias(couponTable, 'named')
const findNumber = (condition: SQL) =>
  sql`(select ${named.seq} from ${couponTable} as ${named} where ${isInScope(named)} and ${condition})`

/**
 * SQL that joins the coupon that a code names: its own code, or a single-use code of it. `key` and `oldKey` are SQL for the keys of the code, as
 * `toCodeKeys` returns them. Single-use codes are younger than `foldCode`.
 */
export const joinCoupons = (key: SQL, oldKey: SQL): SQL => sql`
  left join ${couponCodeTable} on ${isInScope(couponCodeTable)} and ${couponCodeTable.codeKey} = ${key}
  left join ${couponTable} on ${couponTable.seq} = coalesce(
    ${findNumber(sql`${named.codeKey} = ${oldKey}`)}, ${findNumber(sql`${named.codeKey} = ${key}`)}, ${findNumber(sql`${named.id} = ${couponCodeTable.coupon}`)})`

/** SQL for "the code is a single-use code of the joined coupon". */
export const isSingleUse = sql<number>`coalesce(${couponCodeTable.coupon} = ${couponTable.id}, 0)`

const user = alias(redemptionTable, 'user')
/** SQL for "a redemption uses the joined single-use code at a time in seconds". */
export const isCodeUsed = (at: SQLWrapper) => sql<number>`(${isSingleUse} and exists (
  select 1 from ${redemptionTable} as ${user} where ${isInScope(user)}
    and ${user.id} = ${couponCodeTable.redemption} and (${user.state} = 'redeemed' or (${isHeld(user, at)}))))`
