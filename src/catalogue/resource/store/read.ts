import { getTableName } from 'drizzle-orm'
import { readRows } from '../../../platform/db/damaged-rows.ts'
import {
  columnShare,
  type RowPage,
  readPageWithin,
  shareParameter,
  showPage,
} from '../../../platform/db/page-budget.ts'
import type { Row } from '../../../platform/db/row.ts'
import { notFound } from '../../../platform/errors.ts'
import {
  createCursor,
  type Include,
  invalidCursor,
  type ListQuery,
  maxExamined,
  pageSize,
  readPosition,
} from '../../../platform/http/pagination.ts'
import { createMatcher, matchExpression, mayBeMisspelt } from '../../../platform/lib/search-terms.ts'
import type { Caller } from '../caller.ts'
import { getSearchPartition, spansBothModes } from '../plan.ts'
import type { StoredObject } from '../row-mapping.ts'
import {
  getFilterParam,
  getListOrder,
  getListShape,
  hasFurtherConditions,
  isComparedInRows,
} from '../statements/list-statements.ts'
import { findRow, type ObjectKey, type Store } from './store.ts'

/** Reads an object. Throws `not_found` or `DamagedError`. */
export async function retrieveObject<Item extends object>(
  store: Store<Item>,
  caller: Caller,
  key: ObjectKey,
  include: Include = [],
): Promise<StoredObject<Item>> {
  if (include.includes('details')) await store.resource.details?.load()
  const found = await caller.database.findNamed(() => findRow(store, caller, key, include.includes('details')))
  if (!found) throw notFound()
  return store.mapping.read(found)
}

interface ListPage<View> {
  items: View[]
  /** Cursor of the next page. Undefined on the last one. */
  next: string | undefined
  /** The objects have words that are similar to those of the search, which itself finds nothing. */
  isSimilar?: boolean
}

const positionForm = /^(\d+)_([\w-]*)$/

/**
 * Position in a list that is not ordered by id: a time or a number, and an id. Cursors of earlier releases have only an id. The number stays a text,
 * which SQLite converts: D1 binds numbers as floating-point numbers, and the full-text index would read all matches before one.
 */
function splitPosition(order: ReturnType<typeof getListOrder>, position: string | undefined) {
  if (order === 'id' || position === undefined) return { after: position }
  const [, number, after] = positionForm.exec(position) ?? []
  if (number === undefined) throw invalidCursor()
  return { [order === 'change' ? 'afterChange' : 'afterNumber']: number, after }
}

/** The first rows of a page that match, at most `limit`. Damaged rows are left out and reported. */
function selectRows(
  database: Caller['database'],
  page: RowPage,
  limit: number,
  matches: (row: Row) => boolean,
): RowPage {
  const found = readRows(database, page.rows, (row) => (matches(row) ? [row] : [])).flat()
  if (found.length <= limit) return { ...page, rows: found }
  const rows = found.slice(0, limit)
  return { ...page, rows, last: String(rows.at(-1)?.['id']), hasMore: true }
}

/**
 * Reads one page: at most `pageBytes` of the JSON that `show` returns, but at least one object. If a search finds nothing, objects with similar names,
 * without a next page.
 */
export async function listObjects<Item extends object, View>(
  store: Store<Item>,
  caller: Caller,
  query: ListQuery,
  show: (stored: StoredObject<Item>) => View,
): Promise<ListPage<View>> {
  const page = await listMatches(store, caller, query, show)
  const { q, ids, cursor, limit, ...others } = query
  if (page.items.length > 0 || page.next !== undefined || cursor !== undefined || !mayBeMisspelt(q)) return page
  const { findSimilar } = await import('./similar.ts')
  const found = await findSimilar(store, caller, q)
  const similar = ids && found ? found.filter((id) => ids.includes(id)) : found
  if (!similar || similar.length === 0) return page
  const { items } = await listMatches(store, caller, { ...others, limit, ids: similar }, show)
  return items.length === 0 ? page : { items, next: undefined, isSimilar: true }
}

/** Reads one page of the objects that match every part of a query. */
async function listMatches<Item extends object, View>(
  { resource, statements, mapping }: Store<Item>,
  { database, scope }: Caller,
  query: ListQuery,
  show: (stored: StoredObject<Item>) => View,
): Promise<ListPage<View>> {
  const list = getTableName(resource.table)
  const bothModes = spansBothModes(resource, scope)
  const partition = getSearchPartition(resource, scope.testMode)
  const match = query.q === undefined ? undefined : matchExpression(scope.merchantId, partition, query.q)
  const shape = getListShape(resource, query, match !== undefined)
  const order = getListOrder(resource, shape)
  const isFiltered = hasFurtherConditions(resource, shape)
  const { after } = readPosition(list, scope, query)
  const limit = query.limit ?? (query.ids || query.externalIds ? pageSize.max : pageSize.default)
  const matches = isComparedInRows(resource, shape) ? createMatcher(query.q ?? '') : undefined
  const read = matches ? pageSize.max : limit
  const includesDetails = query.include?.includes('details') === true
  if (includesDetails) await resource.details?.load()
  const large = statements.largeColumns(includesDetails)
  const filters = Object.fromEntries(Object.entries(query).map(([name, value]) => [getFilterParam(name), value]))
  const values = {
    ...filters,
    ...scope,
    updatedSince: query.updatedSince,
    externalIds: JSON.stringify(query.externalIds),
    ids: JSON.stringify(query.ids),
    match,
    ...splitPosition(order, after),
    examined: isFiltered ? maxExamined : read + 1,
    rows: read + 1,
    [shareParameter]: columnShare(read + 1, large),
  }
  const [all = [], [examined = all[read]] = []] = await database.run<Row[]>(
    [statements.list.page(bothModes, shape), values],
    ...(isFiltered ? [[statements.list.lastExamined(bothModes, shape), values] as const] : []),
  )
  const found = all.filter(({ id }) => id)
  const readWhole = async (ids: readonly string[]) =>
    (
      await database.run([statements.findAll(bothModes, includesDetails), { ...scope, ids: JSON.stringify(ids) }])
    ).flat()
  const whole = await readPageWithin(found, read, 'id', large, readWhole)
  const page = matches
    ? selectRows(database, whole, limit, (row) =>
        matches(resource.hooks.searchTexts(mapping.toRow(mapping.read(row).item))),
      )
    : whole
  const { shown, end } = showPage(database, page, 'id', (row) => show(mapping.read(row)))
  // An empty page continues behind the last object that it examined.
  const last = end === undefined ? examined : found.find(({ id }) => id === end)
  const key = { id: '', change: `${last?.['updated_at']}_`, number: `${last?.['number']}_` }[order]
  const position = last ? `${key}${last['id'] ?? ''}` : end
  return { items: shown, next: position === undefined ? undefined : createCursor(list, scope, query, position) }
}
