import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Choices about files of one shape. Headings are stored as hashes: a file without a heading row has data in its first row. */
export const importMappingTable = sqliteTable(
  'import_mappings',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    resource: text().notNull(),
    /** Hash of the set of headings. */
    headings: text().notNull(),
    /** JSON object: `{columns, numberFormat?, encoding?}`, with the field or null by the hash of a heading. */
    choices: text({ mode: 'json' }).notNull(),
    /** Time of the last use, in seconds. */
    usedAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.resource, table.headings] }),
    index('import_mappings_used').on(table.merchantId, table.testMode, table.usedAt),
  ],
)
