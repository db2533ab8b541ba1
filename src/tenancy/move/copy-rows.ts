import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { ResourceDefinition } from '../../catalogue/resource/definition.ts'
import { planSearchTerms } from '../../catalogue/resource/plan.ts'
import { createRowMapping, type RowMapping } from '../../catalogue/resource/row-mapping.ts'
import { getSearchTable } from '../../catalogue/resource/statements/list-statements.ts'
import { resourceList } from '../../catalogue/resources/registry.ts'
import { DamagedError } from '../../platform/db/damaged-rows.ts'
import { compile, lazy, param, type Statement } from '../../platform/db/database.ts'
import { firstPosition, splitPage } from '../../platform/db/home/row-pages.ts'
import { pageBytes } from '../../platform/db/page-budget.ts'
import type { Row } from '../../platform/db/row.ts'
import { getValue } from '../../platform/db/sql-name.ts'
import type { Write } from '../../platform/db/transaction.ts'
import { toJsonLists } from '../../platform/lib/encoding/json-lists.ts'
import { captureStatements, maxChanges } from './capture.ts'
import type { MoveSide } from './move-side.ts'
import type { MovePosition } from './move-statements.ts'
import { findFilled, getKey, type MovedTable, movedTables, toTargetKey } from './moved-tables.ts'

interface SearchIndex {
  resource: ResourceDefinition
  statements: () => { mapping: RowMapping; remove: Statement; insert: Statement }
}

const isListed = sql`rowid in (select value ->> 0 from json_each(${param('terms')}))`
const all: readonly ResourceDefinition[] = resourceList
const indexes: ReadonlyMap<string, SearchIndex> = new Map(
  all.map((resource) => {
    const index = getSearchTable(resource.table)
    const statements = lazy(() => ({
      mapping: createRowMapping(resource),
      remove: compile(sql`delete from ${index} where ${isListed}`),
      insert: compile(sql`insert into ${index} (rowid, terms)
        select value ->> 0, value ->> 1 from json_each(${param('terms')})`),
    }))
    return [resource.path, { resource, statements }]
  }),
)

/**
 * Statements that index rows of a resource at the target. Terms cannot be read from an index. A damaged row gets no terms until an update repairs it.
 */
function createTermWrites(path: string, rows: readonly Row[]): Write {
  const index = indexes.get(path)
  if (!index) return []
  const { table } = index.resource
  const { mapping, remove, insert } = index.statements()
  const pairs = rows.flatMap((row) => {
    try {
      const testMode = getValue(row, table.testMode) === 1
      const draft = { ...mapping.toRow(mapping.read(row).item), testMode }
      const scope = { merchantId: String(getValue(row, table.merchantId)), testMode }
      return [[getValue(row, table.seq), planSearchTerms(index.resource, scope, undefined, draft)]]
    } catch (error) {
      if (error instanceof DamagedError) return []
      throw error
    }
  })
  return toJsonLists(pairs).flatMap((terms) => [
    [remove, { terms }],
    [insert, { terms }],
  ])
}

/** Parts of a move that copying rows requires. */
export interface Copying {
  merchantId: string
  source: MoveSide
  target: MoveSide
  /** See `toNumberBase`. */
  base: number
}

/** Maximum number of rows that one transaction copies. Other transactions wait for it. In the shared database, these belong to all merchants. */
const maxWrittenRows = 200

const createWrites = (table: MovedTable, rows: readonly Row[]): Write => [
  ...toJsonLists(rows).flatMap((list) =>
    table.statements.write().map((statement) => [statement, { rows: list }] as const),
  ),
  ...(table.isResource ? createTermWrites(table.name, rows) : []),
]

/** Lists the indexes of the tables in which the merchant has rows, because most merchants use few tables. */
export async function listFilledTables({ merchantId, source }: Copying): Promise<number[]> {
  const [[filled] = []]: Row[][] = await source.database.run([findFilled(), { merchantId }])
  return [...movedTables.keys()].filter((table) => filled?.[table] === 1)
}

/** Copies the next page, and skips tables that are not in `filled`. Returns the number of rows, and the start of the next page. */
export async function copyPage(
  { merchantId, source, target, base }: Copying,
  { key, ...from }: MovePosition,
  filled: readonly number[],
): Promise<{ rows: number; position: MovePosition }> {
  const table = movedTables[from.table]
  if (!table) throw new Error(`no table ${from.table}`)
  const values = { merchantId, base, ...(key ?? firstPosition(table)) }
  const [found = []] = await source.database.run([table.statements.page(), values])
  const { rows, next } = splitPage(found)
  for (let start = 0; start < rows.length; start += maxWrittenRows)
    await target.database.run(...createWrites(table, rows.slice(start, start + maxWrittenRows)))
  if (next) return { rows: rows.length, position: { ...from, key: positionKey.parse(next) } }
  const following = filled.find((index) => index > from.table) ?? movedTables.length
  return { rows: rows.length, position: { ...from, table: following } }
}
const positionKey = z.record(z.string(), z.union([z.string(), z.number()]))

/** A row that changed: its table, and its key as JSON. */
interface Change {
  number: number
  entry: string
  key: string
}

const keyList = z.array(z.union([z.string(), z.number(), z.null()]))
const byName = new Map(movedTables.toReversed().map((table) => [table.name, table]))
const toText = (key: readonly unknown[]) => JSON.stringify(key)

/** The changed keys by table, in the order of the tables, so that a row comes after those that it refers to. */
function groupChanges(entries: readonly Change[]) {
  const changed = Map.groupBy(entries, ({ entry }) => entry)
  return [...new Set(movedTables.map(({ name }) => name))].flatMap((name) => {
    const [table, own] = [byName.get(name), changed.get(name)]
    return table && own ? [{ table, keys: [...new Set(own.map(({ key }) => key))] }] : []
  })
}

/** The first changes whose rows together fit `pageBytes`, but at least one. One call to an object has at most 32 MiB. */
async function takeWithin(source: MoveSide, entries: readonly Change[]): Promise<readonly Change[]> {
  const tables = groupChanges(entries)
  const found: Row[][] = await source.database.run(
    ...tables.map(({ table, keys }) => [table.statements.sizes(), { keys: `[${keys.join()}]` }] as const),
  )
  const toId = (name: string, key: unknown) => `${name} ${key}`
  const sizes = new Map(
    tables.flatMap(({ table }, index) =>
      (found[index] ?? []).map(({ key, bytes }) => [toId(table.name, key), Number(bytes)] as const),
    ),
  )
  let left = pageBytes
  const end = entries.findIndex(({ entry, key }, index) => {
    const id = toId(entry, key)
    left -= sizes.get(id) ?? 0
    // A row that changed several times is copied once.
    sizes.delete(id)
    return index > 0 && left < 0
  })
  return end === -1 ? entries : entries.slice(0, end)
}

/** Copies changed rows from the source to the target. Returns the number of changes: `maxChanges` if more may remain. */
export async function applyChanges({ merchantId, source, target, base }: Copying): Promise<number> {
  const [read] = await source.database.run([captureStatements.read(), { merchantId }])
  if (read.length === 0) return 0
  const entries = await takeWithin(source, read)
  const last = entries.at(-1)?.number
  if (last === undefined) return 0
  const tables = groupChanges(entries)
  const found: Row[][] = await source.database.run(
    ...tables.map(({ table, keys }) => [table.statements.find(), { keys: `[${keys.join()}]`, base }] as const),
  )
  const states = tables.map(({ table, keys }, index) => {
    const rows = found[index] ?? []
    const present = new Set(rows.map((row) => toText(getKey(table, row))))
    const missing = keys
      .map((key) => toTargetKey(table, base, keyList.parse(JSON.parse(key))))
      .filter((key) => !present.has(toText(key)))
    return { table, rows, missing }
  })
  const removals: Write = states
    .toReversed()
    .flatMap(({ table, missing }) =>
      missing.length === 0 ? [] : [[table.statements.remove(), { keys: toText(missing) }] as const],
    )
  await target.database.run(...removals, ...states.flatMap(({ table, rows }) => createWrites(table, rows)))
  await source.database.run([captureStatements.remove(), { merchantId, last }])
  return entries.length < read.length ? maxChanges : entries.length
}
