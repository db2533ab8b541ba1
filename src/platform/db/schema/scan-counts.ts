import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Number of scans of a tag by local date and channel. */
export const scanCountTable = sqliteTable(
  'scan_counts',
  {
    merchantId: text().notNull(),
    tag: text().notNull(),
    /** YYYY-MM-DD. */
    day: text().notNull(),
    channel: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.tag, table.day, table.channel] }),
    check('scan_counts_channel', sql`${table.channel} in ('qr', 'nfc', 'link')`),
  ],
)
