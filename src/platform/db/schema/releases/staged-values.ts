import { primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Prefix of the id of a staged value. */
export const stagedPrefix = 'stg'
/** Seconds after which a staged value is purged that no transaction has deleted, because it failed or its isolate ended. */
export const stagedSeconds = 3_600

/**
 * Large parameters of a transaction with many objects: lists of rows, search terms, links and events. They are written beside the data in several
 * round trips; the transaction reads and deletes them.
 */
export const stagedValueTable = sqliteTable(
  'staged_values',
  {
    merchantId: text().notNull(),
    id: text().notNull(),
    data: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.id] }), uniqueIndex('staged_values_id').on(table.id)],
)
