import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Ids of counted scans, so that a redelivered message counts once. Retained as long as a queue retains a message. */
export const scanReceiptTable = sqliteTable('scan_receipts', {
  id: text().primaryKey(),
  /** Absent for receipts of earlier releases. */
  merchantId: text(),
})
