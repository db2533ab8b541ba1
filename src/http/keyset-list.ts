import { asc, desc, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { allOf, compile, type Database, lazy, param, type Statement, type Values } from '../db/database.ts'
import type { Row } from '../db/row.ts'
import { createCursor, type ListQuery, pageSize, readPosition } from './pagination.ts'

/** Sorts behind every id. */
const afterEveryId = '~'

/** The statements that read a table by id, in either direction; where SQLite is to be told, by a certain index. */
export function createPageStatements(table: SQLiteTable | SQL, id: SQLiteColumn, where?: SQL) {
  const page = (behind: SQL, order: SQL) =>
    lazy(() =>
      compile(sql`select * from ${table} where ${allOf(where, behind)} order by ${order} limit ${param('rows')}`),
    )
  return { asc: page(gt(id, param('after')), asc(id)), desc: page(lt(id, param('after')), desc(id)) }
}

/** One page of a list that only operators see, and the cursor of the next. `values` are those that `where` needs. */
export async function readPage(
  database: Database,
  pages: Record<'asc' | 'desc', () => Statement>,
  list: string,
  values: Values & { merchantId?: string },
  query: ListQuery,
): Promise<{ rows: Row[]; next: string | undefined }> {
  const scope = { merchantId: values.merchantId ?? '', testMode: false }
  const { ascending, after = ascending ? '' : afterEveryId } = readPosition(list, scope, query)
  const limit = query.limit ?? pageSize.default
  const [rows = []] = await database.run([pages[ascending ? 'asc' : 'desc'](), { ...values, after, rows: limit + 1 }])
  const last = rows[limit - 1]
  return {
    rows: rows.slice(0, limit),
    next: last && rows.length > limit ? createCursor(list, scope, query, String(last['id'])) : undefined,
  }
}
