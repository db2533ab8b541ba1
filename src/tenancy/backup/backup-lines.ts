import { eq, getTableName, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { merchantTables } from '../../catalogue/resources/merchant-tables.ts'
import { compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { createRowPages } from '../../platform/db/home/row-pages.ts'
import { db, typed } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { auditTable } from '../../platform/db/schema/audit.ts'
import { homeTable } from '../../platform/db/schema/directory/homes.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { importTable } from '../../platform/db/schema/imports/imports.ts'
import { keyTable } from '../../platform/db/schema/keys.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { scrubRow } from '../../webhooks/rows/scrub-row.ts'

/** Version of the format of a backup. */
export const backupFormat = 1

/** SQL for the newest value of a column in a mode. An index that begins with merchant and mode serves it. */
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

/**
 * Changes with every event (and so with every change of an object), every change of settings and every import. Scan counts and deliveries do not
 * change it.
 */
export async function readFingerprint(database: Database, merchantId: string): Promise<string> {
  const [[row]] = await database.run([statements.fingerprint(), { merchantId }])
  return row?.fingerprint ?? ''
}

/** The entries of `merchantTables` with their names and pages. */
const parts = lazy(() =>
  merchantTables.map((entry) => ({ name: getTableName(entry.table), readPages: createRowPages(entry) })),
)

const toLine = (value: object) => `${JSON.stringify(value)}\n`

/** The first line of a backup: the merchant, its keys and its home. Undefined if the merchant does not exist. */
export async function readHeaderLine(directory: Database, merchantId: string, takenAt: number) {
  const [[merchant], keys = [], [home] = []] = await directory.run(
    [statements.merchant(), { merchantId }],
    [statements.keys(), { merchantId }],
    [statements.home(), { merchantId }],
  )
  return merchant && toLine({ backup: { format: backupFormat, merchantId, takenAt }, merchant, keys, home })
}

/** A line with a stored row. */
export const toRowLine = (table: string, row: Row) => toLine({ table, row: scrubRow(table, row) })

/** The last line of a backup: the number of rows of each table. */
export const toEndLine = (counts: Readonly<Record<string, number>>) => toLine({ end: { counts } })

/** The lines of a backup, with all rows. One page of rows is in memory. `countCall` is called before each call of the database. */
export async function* createLines(
  header: string,
  database: Database,
  merchantId: string,
  countCall: () => void,
): AsyncGenerator<string, void, undefined> {
  yield header
  const counts: Record<string, number> = {}
  for (const { name, readPages } of parts()) {
    countCall()
    for await (const rows of readPages(database, merchantId)) {
      countCall()
      counts[name] = (counts[name] ?? 0) + rows.length
      yield rows.map((row) => toRowLine(name, row)).join('')
    }
  }
  yield toEndLine(counts)
}
