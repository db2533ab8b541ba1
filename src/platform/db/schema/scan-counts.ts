import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Ids of counted scans, so that a redelivered message counts once. Retained as long as a queue retains a message. */
export const scanReceiptTable = sqliteTable('scan_receipts', {
  id: text().primaryKey(),
  /** Absent for receipts of earlier releases. */
  merchantId: text(),
})

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
