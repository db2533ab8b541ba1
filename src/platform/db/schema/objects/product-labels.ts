import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Index of products by the folded labels of their details. Triggers on `details` maintain it from the member `labelKeys`. */
export const productLabelTable = sqliteTable(
  'product_labels',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    label: text().notNull(),
    /** `seq` of the product. */
    owner: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.testMode, table.label, table.owner] })],
)
