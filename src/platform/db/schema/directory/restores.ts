import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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
    /** Identifies the backup of the state before. Absent until it is taken, and if there was no merchant. */
    savedAt: integer(),
    /** Number of lines of the backup that are loaded, of all its lines. */
    lines: integer().notNull(),
    /** Rows that were left out, as a JSON object: number by table. */
    omitted: text({ mode: 'json' }).notNull(),
    /** Time when the loaded rows were found to be those of the backup. From then on customers are erased again. */
    comparedAt: integer(),
    /** Until then one request works on the restore. */
    leasedUntil: integer().notNull(),
    finishedAt: integer(),
    /** Times that the backup was loaded in vain. */
    attempts: integer().notNull().default(0),
    /** Why the backup cannot be loaded. From then on, the data before the restore is loaded again. */
    reason: text(),
  },
  (table) => [
    check('restores_state', sql`${table.state} in ('saving', 'deleting', 'loading', 'done')`),
    check('restores_omitted', sql`json_type(${table.omitted}) = 'object'`),
  ],
)
