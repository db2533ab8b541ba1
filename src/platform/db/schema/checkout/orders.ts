import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

const orderStates = ['open', 'cancelled'] as const

/**
 * Orders that were cancelled or changed, and orders whose reference is not that of their stock or redemptions. Any other order is found by the rows of
 * its effects, and has no row here. `seq` increases with time. The transaction that changes an order writes this row first; its other statements
 * read it.
 */
export const orderTable = sqliteTable(
  'orders',
  {
    seq: integer().primaryKey(),
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    reference: text().notNull(),
    /** Id of the `order.created` event. */
    event: text().notNull(),
    state: text({ enum: orderStates }).notNull(),
    /** JSON list of the units by which the order has changed the stock in all, by product. */
    stock: text({ mode: 'json' }).notNull(),
    /** JSON list of the ids of the redemptions of the order, of released ones too. */
    redemptions: text({ mode: 'json' }).notNull(),
    /** SHA-256 of the effects that the order was created with. Absent if its other rows have it. */
    requestHash: text(),
    /** Id of the stored response of the request that created the order, if its `Idempotency-Key` is not the reference. */
    keyId: text(),
    /** Id of the event whose transaction changed the row last. */
    change: text().notNull(),
    /** JSON list of the products that the last change could not give back: deleted, or without managed stock. */
    skipped: text({ mode: 'json' }).notNull(),
    /** The revision by which the effects were replaced last, and the SHA-256 of its request. Absent if they were not. */
    revision: integer(),
    revisionHash: text(),
    /** JSON list of the ids of the redemptions that a replacement released, and may redeem again. Absent: none. */
    released: text({ mode: 'json' }),
    /** Time when the row was inserted, in seconds. */
    at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('orders_reference').on(table.merchantId, table.testMode, table.reference),
    check('orders_state', sql`${table.state} in ('open', 'cancelled')`),
    check('orders_stock', sql`json_type(${table.stock}) = 'array'`),
    check('orders_redemptions', sql`json_type(${table.redemptions}) = 'array'`),
    check('orders_skipped', sql`json_type(${table.skipped}) = 'array'`),
  ],
)
