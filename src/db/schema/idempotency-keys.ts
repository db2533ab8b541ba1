import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * Requests that were answered, so that they have their effect once. `seq` counts up with time. The key is kept as a hash over its
 * scope, the answer sealed with the key and the body: whoever reads the table learns neither.
 */
export const idempotencyKeyTable = sqliteTable(
  'idempotency_keys',
  {
    seq: integer().primaryKey(),
    id: text().notNull(),
    /** In seconds. */
    at: integer().notNull(),
    answer: text().notNull(),
    /** Rows that the change wrote, which the answer may tell. */
    count: integer().notNull(),
  },
  (table) => [uniqueIndex('idempotency_keys_id').on(table.id)],
)
