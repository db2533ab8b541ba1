import { asc, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { allOf, lazy, param } from './db/database.ts'
import { isHere } from './db/home/home.ts'
import { db, typed } from './db/query.ts'

const gone = { gone: sql<number>`1` }

/** Statements of the purge of a table whose ids contain the time. */
export const createIdRetention = (table: SQLiteTable & { id: SQLiteColumn }) => ({
  /** Deletes at most `:limit` rows with ids before `:before`. Returns a row for each. */
  purge: lazy(() => {
    const isBefore = lt(table.id, param('before'))
    const expired = db.select({ id: table.id }).from(table).where(isBefore).limit(param('limit'))
    return typed(gone, (select) => db.delete(table).where(inArray(table.id, expired)).returning(select))
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
  /** Deletes at most `:limit` rows of `:before` or earlier, in seconds. Returns a row for each. */
  purge: lazy(() => {
    const oldestFirst = db
      .select({ seq: table.seq })
      .from(table)
      .where(condition)
      .orderBy(asc(table.seq))
      .limit(param('limit'))
    const expired = allOf(lte(table.at, param('before')), inArray(table.seq, oldestFirst))
    return typed(gone, (select) => db.delete(table).where(expired).returning(select))
  }),
  /** Returns the time of the oldest row. */
  oldest: lazy(() =>
    typed({ oldest: table.at }, (select) =>
      db.select(select).from(table).where(condition).orderBy(asc(table.seq)).limit(1),
    ),
  ),
})
