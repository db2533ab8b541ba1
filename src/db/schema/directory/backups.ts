import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Backups of merchants in the bucket `BACKUPS`. Rows outlive their merchant. A row without `rows` is of an upload that was not finished. */
export const backupTable = sqliteTable(
  'backups',
  {
    merchantId: text().notNull(),
    /** Time of the backup, in seconds. */
    takenAt: integer().notNull(),
    /** Size of the file in bytes, and number of its rows. */
    bytes: integer(),
    rows: integer(),
    /** Time from which the file is searched for secrets that releases before wrote, in seconds. Null: it has none. */
    scrubAt: integer().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.takenAt] }),
    index('backups_scrub').on(table.scrubAt).where(sql`${table.scrubAt} is not null`),
  ],
)

/** The last nightly check of each merchant: whether it has changed since its last backup. */
export const backupCheckTable = sqliteTable('backup_checks', {
  merchantId: text().primaryKey(),
  /** Times in seconds at which the check was enqueued and finished. */
  enqueuedAt: integer().notNull(),
  checkedAt: integer(),
  /** Time of the newest backup, and what the merchant's data was like. */
  takenAt: integer(),
  fingerprint: text(),
})
