import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const stockReasons = ['sale', 'return', 'waste', 'delivery', 'count'] as const

/**
 * Applied stock adjustments. The reference is unique, so that an adjustment is applied once. `seq` increases with time. The transaction of
 * an adjustment writes this row first; its other statements read `changes`.
 */
export const stockAdjustmentTable = sqliteTable(
  'stock_adjustments',
  {
    seq: integer().primaryKey(),
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    reference: text().notNull(),
    reason: text({ enum: stockReasons }).notNull(),
    /** Half of the SHA-256 of the request, to tell a repeated request from a different one. Earlier releases stored all of it. */
    requestHash: text().notNull(),
    /** Id that the transaction generated for its events. */
    change: text().notNull(),
    /** Id of the `order.created` event that the adjustment is an effect of. */
    orderEvent: text(),
    /** Reference of that order. Absent in rows of earlier releases. */
    orderReference: text(),
    /** Id of the stored response of that order's request, if its `Idempotency-Key` is not the reference. */
    orderKey: text(),
    /**
     * JSON list with one element for each product: a list of its id, the difference, the quantity, version and time after it, and flags; see
     * `recorded-changes.ts`. Earlier releases recorded objects, the first ones without differences.
     */
    changes: text({ mode: 'json' }).notNull(),
    /** In seconds. */
    at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('stock_adjustments_reference').on(table.merchantId, table.testMode, table.reference),
    check('stock_adjustments_changes', sql`json_type(${table.changes}) = 'array'`),
  ],
)
