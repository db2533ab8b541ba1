import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { isJsonList, isZeroOrOne } from './resource-columns.ts'

/**
 * Ids of counted scans whose receipt is not in the row of the count: of earlier releases, and of tags with many scans on a day. Retained as long as
 * a queue retains a message.
 */
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
    /** Receipts of counted scans, so that a redelivered message counts once: the ends of their ids, each between blanks. */
    receipts: text().notNull().default(''),
    /** Whether receipts are added to the row. False in rows of earlier releases, and in rows whose receipts have expired. */
    keepsReceipts: integer({ mode: 'boolean' }).notNull().default(false),
    /**
     * Number of scans in each hour of the day: 24 numbers as a JSON list. Absent in rows of earlier releases, and in rows whose hours were added to
     * `scan_hours`.
     */
    hours: text({ mode: 'json' }),
    /** Mode of the tag. Absent in rows of earlier releases, whose hours are in `scan_hours`. */
    testMode: integer({ mode: 'boolean' }),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.tag, table.day, table.channel] }),
    // Counting changes no column of the indexes, so that it writes one row.
    index('scan_counts_receipts').on(table.day).where(sql`${table.keepsReceipts}`),
    index('scan_counts_hours').on(table.merchantId, table.day).where(sql`${table.testMode} is not null`),
    check('scan_counts_channel', sql`${table.channel} in ('qr', 'nfc', 'link')`),
  ],
)

/**
 * Number of scans of all tags of a merchant's mode by local date, for each hour of the day. Those of deleted tags stay. Scans of the last days are in
 * the rows of their counts, which a scan writes anyway; the purge of receipts adds them here.
 */
export const scanHourTable = sqliteTable(
  'scan_hours',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    /** YYYY-MM-DD. */
    day: text().notNull(),
    /** 24 numbers as a JSON list. */
    counts: text({ mode: 'json' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.day] }),
    check('scan_hours_mode', isZeroOrOne(table.testMode)),
    check('scan_hours_counts', isJsonList(table.counts)),
  ],
)
