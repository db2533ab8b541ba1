import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * Stored responses of requests with an `Idempotency-Key`. `seq` increases with time. `id` is a hash of key and scope; the response is encrypted with
 * key and body. The table therefore reveals neither. A response that is too long for one row has further rows with ids of `toPartId`.
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
    /** JSON that the transaction computed, from which the response is rendered. */
    computed: text({ mode: 'json' }),
    /** Absent for responses to the operator. */
    merchantId: text(),
    /** Ids of the customers in the response, as a JSON list. Absent if it contains none. */
    subjects: text({ mode: 'json' }),
  },
  (table) => [
    index('idempotency_keys_subjects')
      .on(table.merchantId)
      .where(sql`coalesce(${table.subjects}, ${table.computed}) is not null`),
    uniqueIndex('idempotency_keys_id').on(table.id),
  ],
)
