import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Scans that have been counted, so that a message which comes twice counts once. Kept for as long as a queue may keep a message. */
export const scanReceiptTable = sqliteTable('scan_receipts', { id: text().primaryKey() })
