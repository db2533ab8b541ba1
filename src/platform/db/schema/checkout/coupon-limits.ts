import { sql } from 'drizzle-orm'
import { check, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { isNumber } from '../resource-columns.ts'
import { couponTable } from '../resources/coupons.ts'

/** Optional limits of coupons. A coupon without limits has no row. */
export const couponLimitTable = sqliteTable(
  'coupon_limits',
  {
    /** `seq` of the coupon. */
    coupon: integer()
      .primaryKey()
      .references(() => couponTable.seq, { onDelete: 'cascade' }),
    startsAt: integer(),
    /** First second at which the coupon is no longer valid. */
    endsAt: integer(),
    maxRedemptions: integer(),
    maxRedemptionsPerCustomer: integer(),
    maxDiscount: real(),
    /** Whether the coupon's own code is not valid. */
    codesOnly: integer({ mode: 'boolean' }),
    /** Weekdays and hours by the clock of the venue, like those of menus. Absent: all. */
    days: text({ mode: 'json' }),
    begin: text(),
    end: text(),
    orderTypes: text({ mode: 'json' }),
    /** Increases by one with every change. */
    version: integer().notNull(),
  },
  (table) => [
    check('coupon_limits_period', sql`${table.endsAt} > ${table.startsAt}`),
    check('coupon_limits_redemptions', sql`${table.maxRedemptions} >= 1 and ${table.maxRedemptionsPerCustomer} >= 1`),
    check('coupon_limits_discount', isNumber(table.maxDiscount)),
    check('coupon_limits_version', sql`${table.version} >= 1`),
  ],
)
