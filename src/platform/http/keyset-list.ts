import { asc, desc, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { readRows } from '../db/damaged-rows.ts'
import { allOf, compile, type Database, lazy, param, type Statement, type Values } from '../db/database.ts'
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

/** Maximum number of rows that one page examines if no index selects the requested ones in their order. */
export const maxExaminedRows = 1_000

/**
 * The next rows after `:after`, at most `maxExaminedRows`: `where` is SQL for them, `last` returns the key of the last one if there may be more. An
 * index has the rows of `scope` in the order of their keys. The result is empty unless `condition` holds.
 */
export function createWindow(
  key: SQLiteColumn,
  direction: 'asc' | 'desc',
  scope: SQL,
  from: SQL = sql`${key.table}`,
  condition = sql`true`,
) {
  const isAscending = direction === 'asc'
  const behind = allOf(scope, isAscending ? gt(key, param('after')) : lt(key, param('after')))
  const last = sql`select ${key} as key from ${from} where ${behind} order by ${key} ${sql.raw(direction)}
    limit iif(${condition}, 1, 0) offset ${maxExaminedRows - 1}`
  const end = isAscending ? sql`<= coalesce((${last}), ${afterEveryId})` : sql`>= coalesce((${last}), '')`
  return { where: sql`${behind} and ${key} ${end}`, last: lazy(() => compile(last)) }
}

/** Statements for pages of the rows that meet `wanted`, among the rows of `scope` that a page examines. */
export function createExaminedPages<Fields extends Selection & { id: SQLiteColumn }>(
  fields: Fields,
  scope: SQL,
  wanted: SQL,
  from: SQL = sql`${fields.id.table}`,
) {
  const create = (direction: 'asc' | 'desc') => {
    const { where, last } = createWindow(fields.id, direction, scope, from)
    return { page: createPageStatements(fields, allOf(where, wanted), from)[direction], last }
  }
  const [ascending, descending] = [create('asc'), create('desc')]
  return {
    asc: ascending.page,
    desc: descending.page,
    lastExamined: { asc: ascending.last, desc: descending.last },
  }
}

/**
 * Reads a page of a list without a mode, and the cursor of the next one. `values` are the parameters of `where`. Damaged rows are left out and
 * reported, but the cursor counts them. A page that examines a limited number of rows may be empty and have a next one.
 */
export async function readPage<Item>(
  database: Database,
  pages: Record<'asc' | 'desc', () => Statement<Item>> & {
    lastExamined?: Record<'asc' | 'desc', () => Statement>
  },
  list: string,
  values: Values & { merchantId?: string },
  query: ListQuery,
): Promise<{ items: Item[]; next: string | undefined }> {
  const scope = { merchantId: values.merchantId ?? '', testMode: false }
  const page = readKeyset(list, scope, query)
  const { direction, limit } = page
  const statement = pages[direction]()
  const parameters = { ...values, ...page.values }
  const lastExamined = pages.lastExamined?.[direction]()
  const [rows = [], [examined] = []] = await database.run(
    [withRawRows(statement), parameters],
    ...(lastExamined ? [[lastExamined, parameters] as const] : []),
  )
  const end = rows.length > limit ? rows[limit - 1]?.['id'] : examined?.['key']
  return {
    items: readRows(database, rows.slice(0, limit), statement.read),
    next: end === undefined ? undefined : page.createNext(String(end)),
  }
}
