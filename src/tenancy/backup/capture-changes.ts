import { asc, eq, getTableColumns, getTableName, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { merchantTables } from '../../catalogue/resources/merchant-tables.ts'
import { allOf, compile, type Database, getColumn, lazy, param, type Statement } from '../../platform/db/database.ts'
import type { MerchantTable } from '../../platform/db/home/merchant-table.ts'
import { getRowBytes } from '../../platform/db/home/row-pages.ts'
import { db, insertSelect, listed, selectList, typed } from '../../platform/db/query.ts'
import {
  backupCaptureTable as captures,
  backupChangeTable as changes,
} from '../../platform/db/schema/directory/backups.ts'
import { bareColumn, sqlName } from '../../platform/db/sql-name.ts'
import { UnavailableError } from '../../platform/errors.ts'
import { fingerprint } from '../../platform/lib/encoding/fnv1a.ts'
import { createTriggers, dropTrigger } from '../move/capture.ts'

/** Maximum number of changes in one read, and maximum bytes of rows of one table that are read with them. */
export const changeBounds = { changes: 200, bytes: 1024 * 1024 }
/** Time after which the capture of an interrupted backup ends, in seconds. It exceeds the duration of an invocation. */
const captureSeconds = 1_200

const join = (parts: readonly SQL[], separator = sql`, `) => sql.join([...parts], separator)
const quoted = (text: string) => sql.raw(`'${text}'`)

/**
 * Triggers that insert the key of each changed row for each running backup of its merchant. A row whose parent is deleted counts as a row of all
 * merchants: reading the key later finds it only if it belongs to the merchant.
 */
const triggers = lazy(() => {
  const record = (entry: string, owner: SQL, key: SQL) => sql`
    insert into ${changes} (${join([changes.capture, changes.entry, changes.key].map(bareColumn))})
      select ${captures.number}, ${quoted(entry)}, ${key} from ${captures}
        where ${captures.merchantId} = ${owner} and ${captures.endsAt} > unixepoch()
      union all select ${captures.number}, ${quoted(entry)}, ${key} from ${captures}
        where ${owner} is null and ${captures.endsAt} > unixepoch();`
  const create = (prefix: string) =>
    new Map(merchantTables.flatMap((table) => [...createTriggers(table, { prefix, record, hasOldKeys: true })]))
  const texts = Array.from(create('').values(), (statement) => statement.sql)
  // The names depend on the text, so that a release can detect whether a database has its triggers.
  return create(`backup_${fingerprint(texts.join())}`)
})

const isCapture = eq(captures.number, param('capture'))
const ofCapture = eq(changes.capture, param('capture'))
const isRead = allOf(ofCapture, lte(changes.number, param('after')))
/** Condition for the next changes to read. */
const isNext = lazy(() => {
  const isBehind = sql`${ofCapture} and ${changes.number} > ${param('after')}`
  const first = sql`select ${changes.number} from ${changes} where ${isBehind} order by ${changes.number} limit ${param('limit')}`
  return sql`${isBehind} and ${changes.number} <= (select max(number) from (${first}))`
})

export const changeStatements = {
  listTriggers: lazy(() =>
    typed({ name: sql<string>`name` }, (select) =>
      db.select(select).from(sql`sqlite_master`).where(sql`type = 'trigger' and name glob 'backup_*'`),
    ),
  ),
  /** Returns a row if the database has the triggers of this release. */
  begin: lazy(() => {
    const isComplete = sql`(select count(*) from sqlite_master where type = 'trigger' and name in ${listed('triggers')}) = ${triggers().size}`
    const insert = insertSelect(
      captures,
      { merchantId: sql`${param('merchantId')}`, endsAt: sql`unixepoch() + ${captureSeconds}` },
      sql`where ${isComplete}`,
    )
    const fields = { number: captures.number }
    return typed(fields, () => sql`${insert} returning ${selectList(fields)}`)
  }),
  /** Returns a row while changes are captured. */
  find: lazy(() =>
    typed({ number: captures.number }, (select) =>
      db
        .select(select)
        .from(captures)
        .where(allOf(isCapture, eq(captures.merchantId, param('merchantId')), sql`${captures.endsAt} > unixepoch()`)),
    ),
  ),
  changes: lazy(() =>
    typed({ number: changes.number, entry: changes.entry, key: sql<string>`${changes.key}` }, (select) =>
      db.select(select).from(changes).where(isNext()).orderBy(asc(changes.number)),
    ),
  ),
  removeRead: lazy(() => compile(db.delete(changes).where(isRead))),
  end: lazy(() => compile(db.delete(captures).where(isCapture))),
  endAll: lazy(() => compile(db.delete(captures).where(eq(captures.merchantId, param('merchantId'))))),
  endExpired: lazy(() => compile(db.delete(captures).where(sql`${captures.endsAt} <= unixepoch()`))),
  /** Returns a row if there are captured changes. */
  findAny: lazy(() => typed({ number: changes.number }, (select) => db.select(select).from(changes).limit(1))),
  removeEnded: lazy(() => {
    // One index lookup for each capture: those that are under way can have many changes.
    const first = (where = sql``) => sql`(select min(${changes.capture}) from ${changes} ${where})`
    const ended = sql`
      with recursive named(capture) as (
        select ${first()}
        union all select ${first(sql`where ${changes.capture} > named.capture`)} from named where named.capture is not null
      )
      select ${changes.number} from named cross join ${changes} on ${changes.capture} = named.capture
      where named.capture not in (select ${captures.number} from ${captures}) limit 5000`
    return compile(sql`delete from ${changes} where ${changes.number} in (${ended})`)
  }),
}

/** A table of a backup. */
export interface CapturedTable {
  name: string
  /** The JSON list that identifies a row. */
  getKey: (row: Readonly<Record<string, unknown>>) => string
  /** Names of the columns in the rows of a backup. */
  columns: readonly string[]
  /**
   * The rows of the merchant in the next changes and the list `:pending`, each with its `key`. `fits` is 0 for a row that would exceed the budget:
   * its columns are null.
   */
  read: () => Statement
}

function toCapturedTable(entry: MerchantTable): CapturedTable {
  const { table, identity, parent } = entry
  const name = getTableName(table)
  const keyNames = identity.map((_, index) => sql.identifier(`id ${index}`))
  const isOwn = (column: SQLiteColumn) => sql`${column} = ${param('merchantId')}`
  const isOfMerchant = parent
    ? sql`exists (select 1 from ${parent[0].table} where ${parent[0]} = ${parent[1]} and ${isOwn(getColumn(parent[0].table, 'merchantId'))})`
    : isOwn(getColumn(table, 'merchantId'))
  const columns = Object.entries(getTableColumns(table))
  return {
    name,
    columns: columns.map(([key]) => sqlName(key)),
    getKey: (row) => JSON.stringify(identity.map((column) => row[sqlName(column.name)])),
    read: lazy(() => {
      const named = (values: readonly SQL[]) =>
        join(values.map((value, index) => sql`${value} as ${sql.identifier(`id ${index}`)}`))
      const elements = (list: SQL) => identity.map((_, index) => sql`${list} ->> ${sql.raw(String(index))}`)
      const keys = sql`
        select ${named(elements(sql`value`))} from json_each(${param('pending')}) union
        select ${join(elements(sql`${changes.key}`))} from ${changes} where ${isNext()} and ${changes.entry} = ${quoted(name)}`
      const isSameAs = (other: string) =>
        join(
          identity.map((column, index) => sql`${column} = ${sql.identifier(other)}.${sql.identifier(`id ${index}`)}`),
          sql` and `,
        )
      const fits = sql`page.total - page.size < ${sql.raw(String(changeBounds.bytes))}`
      return compile(sql`
        select json_array(${join(keyNames.map((key) => sql`page.${key}`))}) as ${sql.identifier('key list')}, ${fits} as ${sql.identifier('fits page')},
          ${join(columns.map(([key, column]) => sql`${column} as ${sql.identifier(sqlName(key))}`))}
        from (
          select *, sum(size) over (order by ${join(keyNames.map((key) => sql`${key}`))} rows unbounded preceding) as total from (
            select ${join(keyNames.map((key) => sql`wanted.${key}`))}, ${getRowBytes(entry)} as size
            from (${keys}) as wanted cross join ${table} on ${isSameAs('wanted')} where ${isOfMerchant}
          )
        ) as page left join ${table} on ${isSameAs('page')} and ${fits}`)
    }),
  }
}

/** The tables of a backup, in its order. */
export const capturedTables: readonly CapturedTable[] = merchantTables.map(toCapturedTable)

/** Starts to capture the changes of a merchant at its home. Returns the number of the capture. */
export async function beginCapture(database: Database, merchantId: string): Promise<number> {
  const names = [...triggers().keys()]
  const begin = [
    [changeStatements.endExpired(), {}],
    [changeStatements.removeEnded(), {}],
    [changeStatements.begin(), { merchantId, triggers: JSON.stringify(names) }],
  ] as const
  const [, , [begun]] = await database.run(...begin)
  if (begun) return begun.number
  // Includes triggers of other releases, which capture the same changes.
  const [found] = await database.run([changeStatements.listTriggers(), {}])
  const dropped = new Set([...names, ...found.map(({ name }) => name)])
  await database.run(
    ...Array.from(dropped, (name) => [dropTrigger(name), {}] as const),
    ...Array.from(triggers().values(), (create) => [create, {}] as const),
  )
  const [, , [second]] = await database.run(...begin)
  if (!second) throw new UnavailableError('changes are not captured')
  return second.number
}

/** Ends a capture. Its changes are removed later. */
export const endCapture = (database: Database, capture: number) =>
  database.run([changeStatements.end(), { capture }], [changeStatements.removeEnded(), {}])

/** Removes captures of backups that were interrupted, or all of a merchant. */
export async function removeCaptures(database: Database, merchantId?: string): Promise<void> {
  const [, changed] = await database.run(
    merchantId === undefined ? [changeStatements.endExpired(), {}] : [changeStatements.endAll(), { merchantId }],
    [changeStatements.findAny(), {}],
  )
  if (changed.length > 0) await database.run([changeStatements.removeEnded(), {}])
}
