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

/** `seq` is what other tables point at, small and stable; `version` grows by one with every change. */
export const baseColumns = {
  seq: integer().primaryKey(),
  id: text().notNull(),
  merchantId: text()
    .notNull()
    .references(() => merchantTable.id),
  testMode: integer({ mode: 'boolean' }).notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
  version: integer().notNull(),
}

/** What generic code may assume of a table: the base columns, whatever else it has. */
export type ResourceTable = SQLiteTable & Record<keyof typeof baseColumns, SQLiteColumn>

type BaseTable = Record<keyof typeof baseColumns, SQLiteColumn>

/**
 * Lists are read by merchant and mode, newest first or by when they changed; then come the table's own indexes, and what
 * the database itself insists on, whatever a handler may do. Names are global to a database, hence the table's in front.
 * CHECKs state types, flags, JSON shapes and invariants. Limits on length and range are not CHECKs but validation
 * (`fields.ts`): SQLite cannot change a CHECK without rebuilding the table.
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
    index(`${name}_updated`).on(merchantId, testMode, updatedAt),
    ...Object.entries(lookups).map(([suffix, column]) => createLookupIndex(`${name}_${suffix}`, table, column)),
    ...Object.entries({ ...always, ...checks }).map(([suffix, rule]) => check(`${name}_${suffix}`, rule)),
  ]
}

/** An index for a filter; rows without a value are never looked up by it. */
function createLookupIndex(name: string, { merchantId, testMode, id }: BaseTable, column: SQLiteColumn) {
  const built = index(name).on(merchantId, testMode, column, id)
  return column.notNull ? built : built.where(sql`${column} is not null`)
}

/** SQL for "a JSON list", "a JSON object" and "0 or 1". */
export const isJsonList = (column: SQLiteColumn) => sql`json_type(${column}) = 'array'`
export const isJsonObject = (column: SQLiteColumn) => sql`json_type(${column}) = 'object'`
export const isZeroOrOne = (...columns: readonly SQLiteColumn[]) =>
  and(...columns.map((column) => sql`${column} in (0, 1)`)) ?? sql`1`
/** SQL for "stored as a number"; an absent one passes. */
export const isNumber = (column: SQLiteColumn) => sql`typeof(${column}) in ('integer', 'real', 'null')`

/** The table of a reference: one row for each pair of an object and another that it names. */
export const linkTable = (name: string, owner: () => SQLiteColumn, target: () => SQLiteColumn) =>
  sqliteTable(
    name,
    {
      owner: integer().notNull().references(owner, { onDelete: 'cascade' }),
      target: integer().notNull().references(target),
    },
    (table) => [primaryKey({ columns: [table.owner, table.target] }), index(`${name}_target`).on(table.target)],
  )

/** SQL for a list of ids without the one bound to `:id`, in its order. */
export const jsonListWithout = (column: SQLiteColumn, id: Placeholder) =>
  sql`(select json_group_array(value) from (select value from json_each(${column}) where value <> ${id} order by key))`

/** Who names whom: one row for each object that an owner names, so that what is named cannot vanish unnoticed. */
export type LinkTable = SQLiteTable & Record<'owner' | 'target', SQLiteColumn>
