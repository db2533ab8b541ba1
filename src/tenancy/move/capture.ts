import { and, asc, eq, getTableColumns, getTableName, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { compile, lazy, param, type Statement } from '../../platform/db/database.ts'
import { db, typed } from '../../platform/db/query.ts'
import { moveChangeTable as changes, homeTable } from '../../platform/db/schema/directory/homes.ts'
import { bareColumn } from '../../platform/db/sql-name.ts'
import { type MovedTable, movedTables } from './moved-tables.ts'

/** Maximum number of changes that are read at once. */
export const maxChanges = 200

function getMerchantColumn(table: SQLiteTable): SQLiteColumn {
  const { merchantId } = getTableColumns(table)
  if (!merchantId) throw new Error(`${getTableName(table)} has no merchant column`)
  return merchantId
}

const joinColumns = (columns: readonly SQL[]) => sql.join([...columns], sql`, `)

/** A table whose changes are captured. */
type CapturedTable = Pick<MovedTable, 'table' | 'identity' | 'parent' | 'owner'>

/** Action of triggers for the change of a row. */
interface Capture {
  /** Prefix of the names of triggers. */
  prefix: string
  /**
   * SQL that records a change. `owner` is SQL for the id of the merchant, and null for a row whose parent is deleted: a cascade deletes the
   * row or changes it. `key` is SQL for the JSON list of the values that identify the row.
   */
  record: (entry: string, owner: SQL, key: SQL) => SQL
  /** They also record the previous key of a row whose key changes. */
  hasOldKeys: boolean
}

/** Triggers that record the key of each changed row, by their names. */
export function createTriggers(
  { table, identity, parent, owner: column }: CapturedTable,
  { prefix, record, hasOldKeys }: Capture,
): Map<string, Statement> {
  const name = getTableName(table)
  const keyOf = (row: SQL) =>
    sql`json_array(${joinColumns(identity.map((column) => sql`${row}.${bareColumn(column)}`))})`
  const capture = (row: SQL): SQL => {
    const ofParent = parent
      ? sql`(select ${bareColumn(getMerchantColumn(parent[0].table))} from ${parent[0].table} where ${bareColumn(parent[0])} = ${row}.${bareColumn(parent[1])})`
      : sql`${row}.${bareColumn(getMerchantColumn(table))}`
    const owner = column ? sql`coalesce(${row}.${bareColumn(column)}, ${ofParent})` : ofParent
    return record(name, owner, keyOf(row))
  }
  const [inserted, deleted] = [capture(sql`new`), capture(sql`old`)]
  const events = { insert: inserted, update: hasOldKeys ? sql`${deleted} ${inserted}` : inserted, delete: deleted }
  return new Map(
    Object.entries(events).map(([event, body]) => {
      const trigger = `${prefix}_${name}_${event}`
      const statement = sql`create trigger ${sql.identifier(trigger)} after ${sql.raw(event)} on ${table} begin ${body} end`
      return [trigger, compile(statement)]
    }),
  )
}

/**
 * Triggers that insert the key of each changed row of a merchant that moves away from this database. `homes_moving` contains only merchants that
 * move, so that changes of others read no rows. A cascade that deletes the rows of a parent is not captured, because it also runs at the target.
 */
const moveCapture: Capture = {
  prefix: 'move',
  record: (
    entry,
    owner,
    key,
  ) => sql`insert into ${changes} (${bareColumn(changes.merchantId)}, ${bareColumn(changes.entry)}, ${bareColumn(changes.key)})
      select ${homeTable.merchantId}, ${sql.raw(`'${entry}'`)}, ${key}
      from ${homeTable} where ${homeTable.moving} and ${homeTable.kind} = 'd1' and ${homeTable.merchantId} = ${owner};`,
  hasOldKeys: false,
}

/** A statement that removes a trigger if it exists. */
export const dropTrigger = (name: string): Statement => compile(sql`drop trigger if exists ${sql.identifier(name)}`)

const ofMerchant = eq(changes.merchantId, param('merchantId'))
export const captureStatements = {
  /**
   * Create the triggers of this release. Migrations do not create them: only databases from which merchants move need them, and they follow from the
   * list of tables.
   */
  install: lazy(() =>
    [...new Map(movedTables.map((table) => [table.name, table])).values()].flatMap((table) =>
      Array.from(createTriggers(table, moveCapture), ([name, create]) => [dropTrigger(name), create]).flat(),
    ),
  ),
  /** Start and stop capturing the changes of a merchant in the database of an object, which has no table of homes. */
  begin: lazy(() =>
    compile(
      db
        .insert(homeTable)
        .values({ merchantId: param('merchantId'), kind: 'd1', moving: true })
        .onConflictDoUpdate({ target: homeTable.merchantId, set: { moving: true } }),
    ),
  ),
  stop: lazy(() => compile(db.delete(homeTable).where(eq(homeTable.merchantId, param('merchantId'))))),
  read: lazy(() =>
    typed({ number: changes.number, entry: changes.entry, key: sql<string>`${changes.key}` }, (select) =>
      db.select(select).from(changes).where(ofMerchant).orderBy(asc(changes.number)).limit(maxChanges),
    ),
  ),
  /** Removes changes that the target already has, or that are no longer needed. */
  remove: lazy(() => compile(db.delete(changes).where(and(ofMerchant, lte(changes.number, param('last')))))),
}
