import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Audit log: one row for each change, written in the transaction of the change. */
export const auditTable = sqliteTable(
  'audit',
  {
    merchantId: text().notNull(),
    /** Mode of the key. Changes by the operator count as live. */
    testMode: integer({ mode: 'boolean' }).notNull(),
    id: text().notNull(),
    /** In seconds. */
    at: integer().notNull(),
    /** The id of an API key or a member, `operator`, or `system` for changes by the service. */
    key: text().notNull(),
    /** Absent if no request caused the change. */
    requestId: text(),
    /** Path without ids, and the verb: `products.update`. */
    operation: text().notNull(),
    object: text().notNull(),
    /** Title that the object had. Erasing a customer removes it. */
    title: text(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.id] }),
    index('audit_object').on(table.merchantId, table.testMode, table.object, table.id),
  ],
)
