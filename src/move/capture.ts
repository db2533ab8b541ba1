import { and, asc, eq, getTableColumns, getTableName, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { compile, lazy, param, type Statement } from '../db/database.ts'
import { db, typed } from '../db/query.ts'
import { homeTable } from '../db/schema/directory/homes.ts'
import { moveChangeTable as changes } from '../db/schema/directory/moves.ts'
import { bareColumn } from '../db/sql-name.ts'
import { type MovedTable, movedTables } from './moved-tables.ts'

/** Most changes that are read at once. */
export const maxChanges = 200

function getMerchantColumn(table: SQLiteTable): SQLiteColumn {
  const { merchantId } = getTableColumns(table)
  if (!merchantId) throw new Error(`${getTableName(table)} names no merchant`)
  return merchantId
}

/**
 * Triggers that insert the key of each changed row of a merchant that moves away from this database. `homes_moving` has only merchants
 * that move, so that the changes of others cost no rows. A cascade that deletes the rows of a parent is not captured: it happens at the target as well.
 */
function createTriggers({ name, table, identity, parent }: MovedTable): Statement[] {
  const isMoving = sql`from ${homeTable} where ${homeTable.moving} and ${homeTable.kind} = 'd1' and ${homeTable.merchantId}`
  const capture = (row: SQL): SQL => {
    const key = sql.join(
      identity.map((column) => sql`${row}.${bareColumn(column)}`),
      sql`, `,
    )
    const owner = parent
      ? sql`(select ${bareColumn(getMerchantColumn(parent[0].table))} from ${parent[0].table} where ${bareColumn(parent[0])} = ${row}.${bareColumn(parent[1])})`
      : sql`${row}.${bareColumn(getMerchantColumn(table))}`
    return sql`insert into ${changes} (${bareColumn(changes.merchantId)}, ${bareColumn(changes.entry)}, ${bareColumn(changes.key)})
      select ${homeTable.merchantId}, ${sql.raw(`'${name}'`)}, json_array(${key}) ${isMoving} = ${owner};`
  }
  const events = { insert: sql`new`, update: sql`new`, delete: sql`old` }
  return Object.entries(events).flatMap(([event, row]) => {
    const trigger = sql.identifier(`move_${name}_${event}`)
    return [
      compile(sql`drop trigger if exists ${trigger}`),
      compile(sql`create trigger ${trigger} after ${sql.raw(event)} on ${table} begin ${capture(row)} end`),
    ]
  })
}

const ofMerchant = eq(changes.merchantId, param('merchantId'))
export const captureStatements = {
  /**
   * Create the triggers of this release. Migrations do not: only databases from which merchants move need them, and they follow from the
   * list of tables.
   */
  install: lazy(() =>
    [...new Map(movedTables.map((table) => [table.name, table])).values()].flatMap((table) => createTriggers(table)),
  ),
  /** Begin and end to capture the changes of a merchant in the database of an object, which has no homes. */
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
  /** Removes changes that the target has, or that nothing needs now. */
  remove: lazy(() => compile(db.delete(changes).where(and(ofMerchant, lte(changes.number, param('last')))))),
}
