import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Batches of single-use codes of coupons. A trigger on the coupons marks those of a deleted coupon. */
export const codeBatchTable = sqliteTable(
  'coupon_code_batches',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    id: text().notNull(),
    /** Id of the coupon. */
    coupon: text().notNull(),
    count: integer().notNull(),
    prefix: text(),
    /** In seconds. */
    createdAt: integer().notNull(),
    /** When the coupon was deleted, in seconds. When it can no longer be restored, the cron deletes the codes, then the batch. */
    goneAt: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.id] }),
    index('coupon_code_batches_coupon').on(table.merchantId, table.testMode, table.coupon, table.id),
    index('coupon_code_batches_gone').on(table.goneAt).where(sql`${table.goneAt} is not null`),
    check('coupon_code_batches_count', sql`${table.count} >= 1`),
  ],
)

/**
 * Single-use codes of coupons. A code is in use while its redemption is redeemed, or held and not expired. A key is unique among codes, and a
 * trigger on the coupons rejects a coupon with the key of a code.
 */
export const couponCodeTable = sqliteTable(
  'coupon_codes',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    /** The code normalized for comparison. */
    codeKey: text().notNull(),
    code: text().notNull(),
    /** Id of the coupon. Codes of a deleted coupon have no effect. */
    coupon: text().notNull(),
    /** Id of the batch. */
    batch: text().notNull(),
    /** Id of the last redemption with the code. */
    redemption: text(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.codeKey] }),
    index('coupon_codes_batch').on(table.merchantId, table.testMode, table.batch, table.codeKey),
  ],
)
