import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Who changed what: a row for each change, written in its transaction. */
export const auditTable = sqliteTable(
  'audit',
  {
    merchantId: text().notNull(),
    /** The mode of the key that was used. What the operator does counts as live. */
    testMode: integer({ mode: 'boolean' }).notNull(),
    id: text().notNull(),
    /** In seconds. */
    at: integer().notNull(),
    /** The id of an API key, `operator`, or `system` for what the service does by itself. */
    key: text().notNull(),
    /** Absent where no request was the cause. */
    requestId: text(),
    /** `products.update`: a path without its ids, and what was done. */
    operation: text().notNull(),
    object: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.id] }),
    index('audit_object').on(table.merchantId, table.testMode, table.object, table.id),
  ],
)
