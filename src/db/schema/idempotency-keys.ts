import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * Stored responses of requests with an `Idempotency-Key`. `seq` increases with time. `id` is a hash of key and scope; the response is
 * encrypted with key and body. The table therefore reveals neither.
 */
export const idempotencyKeyTable = sqliteTable(
  'idempotency_keys',
  {
    seq: integer().primaryKey(),
    id: text().notNull(),
    /** In seconds. */
    at: integer().notNull(),
    answer: text().notNull(),
    /** Number of rows that the change wrote, which the response may contain. */
    count: integer().notNull(),
  },
  (table) => [uniqueIndex('idempotency_keys_id').on(table.id)],
)
