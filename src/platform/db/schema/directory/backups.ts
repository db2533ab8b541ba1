import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Steps of a restore, in their order. */
export const restoreStates = ['saving', 'deleting', 'loading', 'done'] as const

/** The last restore of each merchant. Rows outlive their merchant. All times are in seconds. */
export const restoreTable = sqliteTable(
  'restores',
  {
    merchantId: text().primaryKey(),
    /** Identifies the backup. */
    takenAt: integer().notNull(),
    startedAt: integer().notNull(),
    state: text({ enum: restoreStates }).notNull(),
    /** Time from which no isolate accepts the merchant's keys. */
    settledAt: integer().notNull(),
    /** `suspendedAt` of the merchant before the restore. */
    suspendedAt: integer(),
    /** Identifies the backup of the previous state. Absent until it is taken, and if the merchant did not exist. */
    savedAt: integer(),
    /** Number of loaded lines of the backup, and number of all its lines. */
    lines: integer().notNull(),
    /** Number of omitted rows by table, as a JSON object. */
    omitted: text({ mode: 'json' }).notNull(),
    /** Time when a comparison showed that the loaded rows equal the backup. After it, customers are erased again. */
    comparedAt: integer(),
    /** End of the lease of the request that works on the restore. */
    leasedUntil: integer().notNull(),
    finishedAt: integer(),
    /** Number of failed attempts to load the backup. */
    attempts: integer().notNull().default(0),
    /** Why the backup cannot be loaded. If set, the data before the restore is loaded again. */
    reason: text(),
  },
  (table) => [
    check('restores_state', sql`${table.state} in ('saving', 'deleting', 'loading', 'done')`),
    check('restores_omitted', sql`json_type(${table.omitted}) = 'object'`),
  ],
)

/** Backups of merchants in the bucket `BACKUPS`. Rows outlive their merchant. A row without `rows` is of an unfinished upload. */
export const backupTable = sqliteTable(
  'backups',
  {
    merchantId: text().notNull(),
    /** Time of the backup, in seconds. */
    takenAt: integer().notNull(),
    /** Size of the file in bytes, and number of its rows. */
    bytes: integer(),
    rows: integer(),
    /** Time from which the file is searched for secrets that earlier releases wrote, in seconds. Null: it has none. */
    scrubAt: integer().default(0),
    /** SHA-256 of the file in hexadecimal digits. Absent in backups of earlier releases. */
    sha256: text(),
    /** Time in seconds when the file was last loaded into memory and checked. Absent in backups of earlier releases. */
    checkedAt: integer(),
    /** Why the file cannot be restored, as the last check found. */
    damage: text(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.takenAt] }),
    index('backups_scrub').on(table.scrubAt).where(sql`${table.scrubAt} is not null`),
    index('backups_taken').on(table.takenAt),
  ],
)

/**
 * The last nightly check of each merchant: whether it has changed since its last backup. Triggers on the merchants insert and delete these
 * rows.
 */
export const backupCheckTable = sqliteTable(
  'backup_checks',
  {
    merchantId: text().primaryKey(),
    /** Times in seconds at which the check was enqueued and finished. */
    enqueuedAt: integer().notNull(),
    checkedAt: integer(),
    /** Time of the newest backup, and what the merchant's data was like. */
    takenAt: integer(),
    fingerprint: text(),
  },
  (table) => [index('backup_checks_due').on(table.checkedAt, table.enqueuedAt)],
)

/** Backups that are being read. Triggers capture the changes of a merchant for each of them; see `tenancy/backup/capture-changes.ts`. */
export const backupCaptureTable = sqliteTable(
  'backup_captures',
  {
    number: integer().primaryKey({ autoIncrement: true }),
    merchantId: text().notNull(),
    /** Time in seconds after which nothing is captured: the backup was interrupted. */
    endsAt: integer().notNull(),
  },
  (table) => [index('backup_captures_merchant').on(table.merchantId)],
)

/** Rows that have changed since the start of a backup, in the order of the changes. Written by triggers. */
export const backupChangeTable = sqliteTable(
  'backup_changes',
  {
    number: integer().primaryKey({ autoIncrement: true }),
    capture: integer().notNull(),
    /** Name of the table, and the values that identify the row, as a JSON list. */
    entry: text().notNull(),
    key: text({ mode: 'json' }).notNull(),
  },
  (table) => [index('backup_changes_capture').on(table.capture, table.number)],
)
