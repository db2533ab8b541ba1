import { asc, desc, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { readRows } from '../db/damaged-rows.ts'
import { allOf, type Database, lazy, param, type Statement, type Values } from '../db/database.ts'
import { db, type Selection, typed, withRawRows } from '../db/query.ts'
import type { Scope } from '../db/scope.ts'
import { createCursor, type ListQuery, pageSize, readPosition } from './pagination.ts'

/** Sorts after every id. */
const afterEveryId = '~'

/** Position of a page: the direction of its rows, the id before its first row, and the maximum number of rows. */
export function readKeyset(list: string, scope: Scope, query: ListQuery) {
  const { ascending, after = ascending ? '' : afterEveryId } = readPosition(list, scope, query)
  const [direction, limit] = [ascending ? 'asc' : 'desc', query.limit ?? pageSize.default] as const
  return {
    direction,
    limit,
    /** Parameters of a page statement. One row more than the page shows whether another page follows. */
    values: { after, rows: limit + 1 },
    /** Returns the cursor of the page after the row `id`. */
    createNext: (id: string) => createCursor(list, scope, query, id),
  }
}

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
  const page = readKeyset(list, scope, query)
  const { direction, limit } = page
  const statement = pages[direction]()
  const [rows = []] = await database.run([withRawRows(statement), { ...values, ...page.values }])
  const last = rows[limit - 1]
  return {
    items: readRows(database, rows.slice(0, limit), statement.read),
    next: last && rows.length > limit ? page.createNext(String(last['id'])) : undefined,
  }
}
