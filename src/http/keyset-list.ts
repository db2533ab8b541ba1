import { asc, desc, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { readRows } from '../db/damaged-rows.ts'
import { allOf, type Database, lazy, param, type Statement, type Values } from '../db/database.ts'
import { db, type Selection, typed, withRawRows } from '../db/query.ts'
import { createCursor, type ListQuery, pageSize, readPosition } from './pagination.ts'

/** Sorts behind every id. */
const afterEveryId = '~'

/** Statements that read a page of a table by id, in both directions. `from` may name an index: `table indexed by …`. */
export function createPageStatements<Fields extends Selection & { id: SQLiteColumn }>(
  fields: Fields,
  where?: SQL,
  from: SQL = sql`${fields.id.table}`,
) {
  const page = (isBehind: SQL, order: SQL) =>
    lazy(() =>
      typed(fields, (select) =>
        db.select(select).from(from).where(allOf(where, isBehind)).orderBy(order).limit(param('rows')),
      ),
    )
  return {
    asc: page(gt(fields.id, param('after')), asc(fields.id)),
    desc: page(lt(fields.id, param('after')), desc(fields.id)),
  }
}

/**
 * Reads a page of a list without a mode, and the cursor of the next one. `values` are the parameters of `where`. Damaged rows are left out and
 * reported, but the cursor counts them.
 */
export async function readPage<Item>(
  database: Database,
  pages: Record<'asc' | 'desc', () => Statement<Item>>,
  list: string,
  values: Values & { merchantId?: string },
  query: ListQuery,
): Promise<{ items: Item[]; next: string | undefined }> {
  const scope = { merchantId: values.merchantId ?? '', testMode: false }
  const { ascending, after = ascending ? '' : afterEveryId } = readPosition(list, scope, query)
  const limit = query.limit ?? pageSize.default
  const statement = pages[ascending ? 'asc' : 'desc']()
  const [rows = []] = await database.run([withRawRows(statement), { ...values, after, rows: limit + 1 }])
  const last = rows[limit - 1]
  return {
    items: readRows(database, rows.slice(0, limit), statement.read),
    next: last && rows.length > limit ? createCursor(list, scope, query, String(last['id'])) : undefined,
  }
}
