import { asc, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { byKey } from './by-index.ts'
import { lazy, param } from './db/database.ts'
import { isHere } from './db/home/home.ts'
import { db, selectList, typed } from './db/query.ts'

const gone = { gone: sql<number>`1` }

/** Statements of the purge of a table whose ids contain the time. */
export const createIdRetention = (table: SQLiteTable & { id: SQLiteColumn }) => ({
  /** Deletes at most `:limit` rows with ids before `:before`. Returns a row for each. */
  purge: lazy(() => {
    const expired = sql`select ${table.id} from ${byKey(table)} where ${lt(table.id, param('before'))} limit ${param('limit')}`
    return typed(
      gone,
      () => sql`delete from ${byKey(table)} where ${table.id} in (${expired}) returning ${selectList(gone)}`,
    )
  }),
  oldest: lazy(() =>
    typed({ oldest: sql<string | null>`min(${table.id})` }, (select) => db.select(select).from(table)),
  ),
})

/**
 * Statements of the purge of a table whose row numbers increase with time. Rows that do not meet `condition` stay: by default those of
 * merchants whose data is elsewhere or is being restored.
 */
export const createAgeRetention = (
  table: SQLiteTable & Record<'seq' | 'at' | 'merchantId', SQLiteColumn>,
  condition: SQL = isHere(table.merchantId),
) => ({
  /** Deletes at most `:limit` rows of `:before` or earlier, in seconds. Reads one row more than it deletes. Returns a row for each. */
  purge: lazy(() => {
    const next = (after: SQL) => sql`(select min(${table.seq}) from ${table} where ${after} and ${condition})`
    const isExpired = sql`(select ${table.at} from ${table} where ${table.seq} = oldest.seq) <= ${param('before')}`
    const walk = sql`
      with recursive oldest(seq, n) as (
        select ${next(sql`true`)}, 1
        union all select ${next(sql`${table.seq} > oldest.seq`)}, n + 1 from oldest where ${isExpired} and n < ${param('limit')}
      )
      select max(seq) from oldest where ${isExpired}`
    // A range of row numbers, which SQLite never searches by reading the whole table.
    const isOld = sql`${table.seq} <= (${walk}) and ${condition}`
    return typed(gone, (select) => db.delete(table).where(isOld).returning(select))
  }),
  /** Returns the time of the oldest row. */
  oldest: lazy(() =>
    typed({ oldest: table.at }, (select) =>
      db.select(select).from(table).where(condition).orderBy(asc(table.seq)).limit(1),
    ),
  ),
})
