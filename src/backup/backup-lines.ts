import { eq, getTableName, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { compile, type Database, lazy, param } from '../db/database.ts'
import { createRowPages } from '../db/home/row-pages.ts'
import { db, typed } from '../db/query.ts'
import { auditTable } from '../db/schema/audit.ts'
import { homeTable } from '../db/schema/directory/homes.ts'
import { eventTable } from '../db/schema/events.ts'
import { importTable } from '../db/schema/imports/imports.ts'
import { keyTable } from '../db/schema/keys.ts'
import { merchantTable } from '../db/schema/merchants.ts'
import { merchantTables } from '../resources/merchant-tables.ts'
import { scrubRow } from '../webhooks/rows/scrub-row.ts'

/** Version of the format of a backup. */
export const backupFormat = 1

/** SQL for the newest value of a column in a mode. An index that begins with merchant and mode has it. */
const newest = (table: typeof eventTable | typeof auditTable | typeof importTable, column: SQLiteColumn, mode: 0 | 1) =>
  sql`(select max(${column}) from ${table}
    where ${table.merchantId} = ${param('merchantId')} and ${table.testMode} = ${sql.raw(String(mode))})`
const newestOf = (table: Parameters<typeof newest>[0], column: SQLiteColumn) =>
  sql`${newest(table, column, 0)}, ${newest(table, column, 1)}`

const statements = {
  merchant: lazy(() =>
    compile(
      db
        .select()
        .from(merchantTable)
        .where(eq(merchantTable.id, param('merchantId'))),
    ),
  ),
  keys: lazy(() =>
    compile(
      db
        .select()
        .from(keyTable)
        .where(eq(keyTable.merchantId, param('merchantId')))
        .orderBy(keyTable.id),
    ),
  ),
  home: lazy(() =>
    compile(
      db
        .select()
        .from(homeTable)
        .where(eq(homeTable.merchantId, param('merchantId'))),
    ),
  ),
  /** Changes with every change of an object: each raises an event. */
  changes: lazy(() =>
    typed({ changes: sql<string>`json_array(${newestOf(eventTable, eventTable.seq)})` }, (select) =>
      db.select(select).from(sql`(select 1)`),
    ),
  ),
  fingerprint: lazy(() =>
    typed(
      {
        fingerprint: sql<string>`json_array(${newestOf(eventTable, eventTable.seq)}, ${newestOf(auditTable, auditTable.id)},
          ${newestOf(importTable, importTable.id)})`,
      },
      (select) => db.select(select).from(sql`(select 1)`),
    ),
  ),
}

/** What changes with every change of an object of the merchant. */
export async function readChanges(database: Database, merchantId: string): Promise<string> {
  const [[row]] = await database.run([statements.changes(), { merchantId }])
  return row?.changes ?? ''
}

/** The same, and what changes with every change of settings, and with every import. Scan counts and deliveries do not change it. */
export async function readFingerprint(database: Database, merchantId: string): Promise<string> {
  const [[row]] = await database.run([statements.fingerprint(), { merchantId }])
  return row?.fingerprint ?? ''
}

/** The entries of `merchantTables` with their names and pages. */
const parts = lazy(() =>
  merchantTables.map((entry) => ({ name: getTableName(entry.table), readPages: createRowPages(entry) })),
)

const toLine = (value: object) => `${JSON.stringify(value)}\n`

/** Number of rows in the lines of a backup so far, and the most calls of the database that read them. */
interface Progress {
  rows: number
  calls: number
}

/**
 * Starts a backup. Its lines are a header with the merchant, its keys and its home, each row as it is stored, and the number of rows of each table.
 * One page of rows is in memory. Undefined if there is no such merchant.
 */
export async function startBackup(directory: Database, database: Database, merchantId: string, takenAt: number) {
  const [[merchant], keys = [], [home] = []] = await directory.run(
    [statements.merchant(), { merchantId }],
    [statements.keys(), { merchantId }],
    [statements.home(), { merchantId }],
  )
  if (!merchant) return undefined
  const progress: Progress = { rows: 0, calls: 0 }
  async function* createLines(): AsyncGenerator<string, void, undefined> {
    yield toLine({ backup: { format: backupFormat, merchantId, takenAt }, merchant, keys, home })
    const counts: Record<string, number> = {}
    for (const { name, readPages } of parts()) {
      progress.calls++
      for await (const rows of readPages(database, merchantId)) {
        progress.calls++
        counts[name] = (counts[name] ?? 0) + rows.length
        progress.rows += rows.length
        yield rows.map((row) => toLine({ table: name, row: scrubRow(name, row) })).join('')
      }
    }
    yield toLine({ end: { counts } })
  }
  return { lines: createLines(), progress }
}
