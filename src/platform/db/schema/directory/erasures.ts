import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Customers that were erased, outside the data of their merchants: a restore of old data must erase them again. Stores no id, only a hash. */
export const erasureTable = sqliteTable(
  'erasures',
  {
    merchantId: text().notNull(),
    /** SHA-256 of the merchant's and the customer's id. */
    customerHash: text().notNull(),
    /** In seconds. */
    erasedAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.customerHash] })],
)
