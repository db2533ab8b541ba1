import { and, type Placeholder, type SQL, sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  type SQLiteTable,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { merchantTable } from './merchants.ts'

/** Other tables refer to `seq`, which is small and stable. `version` increases by one with every change. */
export const baseColumns = {
  seq: integer().primaryKey(),
  id: text().notNull(),
  merchantId: text()
    .notNull()
    .references(() => merchantTable.id),
  /** Of a deleted object with `hiddenModes`. */
  testMode: integer({ mode: 'boolean' }).notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
  version: integer().notNull(),
}

/** Any table with the base columns. */
export type ResourceTable = SQLiteTable & Record<keyof typeof baseColumns, SQLiteColumn>

type BaseTable = Record<keyof typeof baseColumns, SQLiteColumn>

/**
 * Indexes and CHECKs of a resource's table: indexes for lists by id and by change time, for the filters in `lookups`, and the CHECKs. Their names are
 * global in a database, so the table's name is the prefix. CHECKs cover types, flags, JSON shapes and invariants. Validation (`fields.ts`) limits
 * lengths and ranges: to change a CHECK, SQLite must rebuild the table.
 */
export function resourceConstraints(
  name: string,
  table: BaseTable,
  { lookups = {}, checks = {} }: { lookups?: Record<string, SQLiteColumn>; checks?: Record<string, SQL> },
) {
  const { merchantId, testMode, id, createdAt, updatedAt, version } = table
  const always = {
    times: sql`${updatedAt} >= ${createdAt}`,
    version: sql`${version} >= 1`,
  }
  return [
    uniqueIndex(`${name}_id`).on(merchantId, testMode, id),
    index(`${name}_updated`).on(merchantId, testMode, updatedAt, id),
    ...Object.entries(lookups).map(([suffix, column]) => createLookupIndex(`${name}_${suffix}`, table, column)),
    ...Object.entries({ ...always, ...checks }).map(([suffix, rule]) => check(`${name}_${suffix}`, rule)),
  ]
}

/** An index for a filter. Omits rows without a value: no filter matches them. */
function createLookupIndex(name: string, { merchantId, testMode, id }: BaseTable, column: SQLiteColumn) {
  const built = index(name).on(merchantId, testMode, column, id)
  return column.notNull ? built : built.where(sql`${column} is not null`)
}

/**
 * Added to the mode of a deleted object that others still name. No scope has the sum, so nobody reads the row; it is deleted when no object
 * names it any more.
 */
export const hiddenModes = 2

/** An index of the deleted objects that others still name: of a resource that others refer to. */
export const createHiddenIndex = (name: string, { merchantId, testMode, id }: BaseTable) =>
  index(`${name}_hidden`).on(merchantId, testMode, id).where(sql`${testMode} > 1`)

/** SQL for "a JSON list". */
export const isJsonList = (column: SQLiteColumn) => sql`json_type(${column}) = 'array'`
/** SQL for "a JSON object". */
export const isJsonObject = (column: SQLiteColumn) => sql`json_type(${column}) = 'object'`
/** SQL for "each is 0 or 1". */
export const isZeroOrOne = (...columns: readonly SQLiteColumn[]) =>
  and(...columns.map((column) => sql`${column} in (0, 1)`)) ?? sql`1`
/** SQL for "stored as a number or absent". */
export const isNumber = (column: SQLiteColumn) => sql`typeof(${column}) in ('integer', 'real', 'null')`

/** The table of a reference: one row for each object and each object that it refers to. */
export const linkTable = (name: string, owner: () => SQLiteColumn, target: () => SQLiteColumn) =>
  sqliteTable(
    name,
    {
      owner: integer().notNull().references(owner, { onDelete: 'cascade' }),
      target: integer().notNull().references(target),
    },
    (table) => [
      primaryKey({ columns: [table.owner, table.target] }),
      index(`${name}_target`).on(table.target, table.owner),
    ],
  )

/** SQL for a JSON list of ids without the ids in another JSON list. Keeps the order. */
export const jsonListWithout = (column: SQLiteColumn, ids: Placeholder) =>
  sql`(select json_group_array(value) from (
    select value from json_each(${column}) where value not in (select value from json_each(${ids})) order by key
  ))`

/** A table of references. Its foreign key prevents the deletion of an object that another refers to. */
export type LinkTable = SQLiteTable & Record<'owner' | 'target', SQLiteColumn>
