import { inArray, lt, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { lazy, param } from '../db/database.ts'
import { db, typed } from '../db/query.ts'

const gone = { gone: sql<number>`1` }

/** Statements of the purge of a table whose ids contain the time. */
export const createRetention = (table: SQLiteTable & { id: SQLiteColumn }) => ({
  /** Deletes at most `:most` rows with ids before `:before`. Returns a row for each. */
  purge: lazy(() => {
    const isBefore = lt(table.id, param('before'))
    const expired = db.select({ id: table.id }).from(table).where(isBefore).limit(param('most'))
    return typed(gone, (select) => db.delete(table).where(inArray(table.id, expired)).returning(select))
  }),
  oldest: lazy(() =>
    typed({ oldest: sql<string | null>`min(${table.id})` }, (select) => db.select(select).from(table)),
  ),
})
