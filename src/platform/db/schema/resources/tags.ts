import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { baseColumns, isJsonList, isZeroOrOne, resourceConstraints } from '../resource-columns.ts'

export const tagTable = sqliteTable(
  'tags',
  {
    ...baseColumns,
    nfc: integer({ mode: 'boolean' }).notNull(),
    metadata: text({ mode: 'json' }).notNull(),
    code: text().notNull(),
    legacy: text({ mode: 'json' }),
  },
  (table) => [
    ...resourceConstraints('tags', table, {
      lookups: { nfc: table.nfc },
      checks: {
        flags: isZeroOrOne(table.nfc, table.testMode),
        metadata: isJsonList(table.metadata),
      },
    }),
    // A live key lists the tags of both modes as one.
    uniqueIndex('tags_both').on(table.merchantId, table.id),
    index('tags_both_updated').on(table.merchantId, table.updatedAt),
    index('tags_both_nfc').on(table.merchantId, table.nfc, table.id),
  ],
)
