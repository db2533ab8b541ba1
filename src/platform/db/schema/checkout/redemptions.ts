import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const redemptionStates = ['held', 'redeemed', 'released', 'expired'] as const

/**
 * Redemptions of coupons. From `expiresAt` on, a hold has no effect, even if its state is still `held`. The state becomes `expired` when its order
 * redeems the coupon again. Rows outlive their coupon and customer.
 */
export const redemptionTable = sqliteTable(
  'redemptions',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    id: text().notNull(),
    coupon: text().notNull(),
    /** The code of the coupon at that time, as written and normalized for comparison. */
    code: text().notNull(),
    codeKey: text().notNull(),
    /** The caller's id of the order. */
    orderId: text().notNull(),
    customer: text(),
    amount: real(),
    state: text({ enum: redemptionStates }).notNull(),
    /** In seconds. */
    createdAt: integer().notNull(),
    /** End of the hold in seconds. Absent unless the coupon was held and not redeemed. */
    expiresAt: integer(),
    /** Id that the last transaction that changed the row generated for its events. */
    change: text().notNull(),
    /** Id of the `order.created` event that the redemption is an effect of. */
    orderEvent: text(),
    /** Reference of that order. Absent in rows of earlier releases. */
    orderReference: text(),
    /** SHA-256 of all effects of that order. */
    orderHash: text(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.id] }),
    uniqueIndex('redemptions_once')
      .on(table.merchantId, table.testMode, table.coupon, table.orderId)
      .where(sql`${table.state} <> 'expired'`),
    index('redemptions_order').on(table.merchantId, table.testMode, table.orderId, table.id),
    index('redemptions_coupon').on(table.merchantId, table.testMode, table.coupon, table.id),
    index('redemptions_customer')
      .on(table.merchantId, table.testMode, table.customer, table.id)
      .where(sql`${table.customer} is not null`),
    index('redemptions_state').on(table.merchantId, table.testMode, table.state, table.id),
    index('redemptions_holds')
      .on(table.merchantId, table.testMode, table.coupon, table.expiresAt)
      .where(sql`${table.state} = 'held'`),
    check('redemptions_state', sql`${table.state} in ('held', 'redeemed', 'released', 'expired')`),
  ],
)
