import { getTableColumns, getTableName, is, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { SQLiteColumn, SQLiteInteger, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import * as z from 'zod/mini'
import { createGuard } from '../lib/schema-guard.ts'
import { DamagedError } from './damaged-rows.ts'
import { compile, getColumn, lazy, param, type Statement } from './database.ts'
import type { Row } from './row.ts'
import { getValue, plainName, sqlName } from './sql-name.ts'

// All builders of statements, and the reader of their rows. Build a statement with drizzle's `db`. Where it cannot say it, write SQL with
// `insertSelect`, `insertRow` or `setColumns`. `typed` compiles a statement whose rows are used, `compile` any other. `typed` reads rows as
// their columns are declared (`createReader`); the whole row of a resource is read with its schema (`createRowReader`).

/** drizzle's query builder. It builds statements and runs none: `Database` does. */
export const db = drizzle(() => Promise.reject(new Error('Run statements through Database.')), undefined, {
  casing: 'snake_case',
})

/** A parameter encoded as a column stores it, for `set` and for expressions. */
export const columnParam = (column: SQLiteColumn, name: string) => sql`${sql.param(param(name), column)}`

/** A parameter for each of a table's columns, named as the column is. */
export const columnParams = (table: SQLiteTable, keys: readonly string[]): Readonly<Record<string, SQL>> =>
  Object.fromEntries(keys.map((key) => [key, columnParam(getColumn(table, key), key)]))

/** SQL for the values of a JSON list parameter, behind `in`: D1 binds at most 100 parameters. */
export const listed = (name: string) => sql`(select value from json_each(${param(name)}))`

/** Expressions that a statement returns, by the keys of its rows. */
export type Selection = Readonly<Record<string, SQLiteColumn | SQL>>

/** The row that a selection returns: columns as their table declares them, expressions as `sql<Type>` says. */
export type RowOf<Fields extends Selection> = {
  [Key in keyof Fields]: Fields[Key] extends SQLiteColumn
    ? Fields[Key]['_']['notNull'] extends true
      ? Fields[Key]['_']['data']
      : Fields[Key]['_']['data'] | null
    : Fields[Key] extends SQL<infer Value>
      ? Value
      : never
}

/** Columns under their keys as aliases, so that joined tables may share column names. */
const toAliases = (fields: Selection) =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, sql`${field}`.as(key)]))

/** SQL for each field under its key as alias, for statements that the builder cannot express. */
export const toSelectList = (fields: Selection): SQL[] =>
  Object.entries(fields).map(([key, field]) => sql`${field} as ${sql.identifier(key)}`)

/** SQL for each field under its key as alias, as one list with commas. */
export const selectList = (fields: Selection) => sql.join(toSelectList(fields), sql`, `)

/** SQL expressions for the columns of a row. The type requires the columns that an insert requires. */
export type RowExpressions<Table extends SQLiteTable> = { [Key in keyof Table['$inferInsert']]: SQLWrapper }

const columnName = (key: string) => sql`${sql.identifier(sqlName(key))}`
const joinWithCommas = (parts: SQL[]) => sql.join(parts, sql`, `)

/** SQL for `insert into … (columns) select …`. `tail` follows the selected values: `from …`, `where …`, `returning …`. */
export function insertSelect<Table extends SQLiteTable>(table: Table, values: RowExpressions<Table>, tail: SQL): SQL {
  const entries = Object.entries<SQLWrapper | undefined>(values)
  const selected = joinWithCommas(entries.map(([, value]) => sql`${value}`))
  return sql`insert into ${table} (${joinWithCommas(entries.map(([key]) => plainName(key)))}) select ${selected} ${tail}`
}

/** SQL that inserts one row, whose columns are parameters: for tables whose columns the builder does not know. */
export const insertRow = (table: SQLiteTable, keys: readonly string[]): SQL =>
  sql`insert into ${table} (${joinWithCommas(keys.map(plainName))}) values (${joinWithCommas(Object.values(columnParams(table, keys)))})`

/** SQL for the assignments of an `update` that the builder cannot express. */
export const setColumns = <Table extends SQLiteTable>(table: Table, values: Partial<RowExpressions<Table>>): SQL =>
  joinWithCommas(
    Object.entries<SQLWrapper | undefined>(values).map(
      ([key, value]) => sql`${columnName(getColumn(table, key).name)} = ${value}`,
    ),
  )

/** A value of a row, and the member that it becomes. */
interface Field {
  key: string
  /** Its name in the row. */
  name: string
  decode: ((value: unknown) => unknown) | undefined
  fits(value: unknown): boolean
}

/** Decodes the values of a row into `item`, which may be the row itself. Leaves out null. Returns whether all values fit. */
function decodeInto(item: Row, row: Row, fields: readonly Field[]): boolean {
  let isFit = true
  for (const { key, name, decode, fits } of fields) {
    const stored = row[name] ?? undefined
    const value = stored === undefined || !decode ? stored : decode(stored)
    if (value !== undefined) item[key] = value
    isFit &&= fits(value)
  }
  return isFit
}

const typeNames: Readonly<Record<string, string>> = { number: 'number', string: 'string', boolean: 'boolean' }

/** The value of a column that cannot be decoded. */
const undecodable = Symbol('undecodable')

const toColumnField = (key: string, column: SQLiteColumn): Field => {
  const expected = is(column, SQLiteInteger) ? undefined : typeNames[column.dataType]
  return {
    key,
    name: key,
    decode(value) {
      try {
        return column.mapFromDriverValue(value)
      } catch {
        return undecodable
      }
    },
    fits(value) {
      if (value === undefined) return !column.notNull
      if (is(column, SQLiteInteger)) return Number.isSafeInteger(value)
      if (value === undecodable || (expected !== undefined && typeof value !== expected)) return false
      return !column.enumValues?.length || column.enumValues.some((allowed) => allowed === value)
    },
  }
}

/**
 * Returns a function that decodes a row in place, keyed as the selection is. It throws `DamagedError` for a row that holds null or a
 * type that its column does not declare.
 */
export function createReader<Fields extends Selection>(selection: Fields): (row: Row) => RowOf<Fields> {
  const columns = Object.entries(selection).filter((entry): entry is [string, SQLiteColumn] =>
    is(entry[1], SQLiteColumn),
  )
  const fields = columns.map(([key, column]) => toColumnField(key, column))
  const decode = (row: Row): row is Row & RowOf<Fields> => decodeInto(row, row, fields)
  return (row) => {
    if (decode(row)) return row
    const damaged = fields.filter(({ key, fits }) => !fits(row[key] ?? undefined)).map(({ key }) => key)
    const [table] = columns.filter(([key]) => damaged.includes(key)).map(([, column]) => getTableName(column.table))
    const [id, merchantId] = [String(row['id'] ?? ''), String(row['merchantId'] ?? '')]
    throw new DamagedError({ table: table ?? '', id, merchantId, fields: damaged })
  }
}

/** Returns invalid JSON as text, which no schema of a JSON column accepts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const decoders: Readonly<Record<string, Field['decode']>> = {
  // A table stores text. A row recorded in an event has the value itself.
  json: (value) => (typeof value === 'string' ? parseJson(value) : value),
  boolean: (value) => (value === 1 ? true : value === 0 ? false : value),
}

/** An object's schema with its fields. */
export type ObjectSchema<Item extends object = object> = z.ZodMiniType<Item> & {
  shape: Readonly<Record<string, z.core.$ZodType>>
}

/**
 * Returns a function that converts a row, keyed by SQL names, to an item of the schema. Null becomes absent. The function throws a
 * `DamagedError` if the row does not fit the schema.
 */
export function createRowReader<Item extends object>(
  table: SQLiteTable & { id: SQLiteColumn; merchantId?: SQLiteColumn },
  schema: ObjectSchema<Item>,
): (row: Row) => Item {
  const fields = lazy(() => {
    const columns = getTableColumns(table)
    return Object.entries(schema.shape).flatMap(([key, field]) => {
      const column = columns[key]
      return column
        ? [{ key, name: sqlName(key), decode: decoders[column.dataType], fits: createGuard(field), field }]
        : []
    })
  })
  const decode = (item: Row, row: Row): item is Row & Item => decodeInto(item, row, fields())
  const createDamagedError = (row: Row, item: Row) => {
    const damaged = fields()
      .filter(({ key, field }) => !z.safeParse(field, item[key]).success)
      .map(({ key }) => key)
    const readable = Object.fromEntries(Object.entries(item).filter(([key]) => !damaged.includes(key)))
    const id = String(getValue(row, table.id))
    const merchantId = String((table.merchantId && getValue(row, table.merchantId)) ?? '')
    return new DamagedError({ table: getTableName(table), id, merchantId, fields: damaged }, readable)
  }
  return (row) => {
    const item: Row = {}
    if (decode(item, row)) return item
    const parsed = schema.safeParse(item)
    if (parsed.success) return parsed.data
    throw createDamagedError(row, item)
  }
}

/**
 * Compiles a query whose rows are the given fields; `build` selects or returns them. A row that holds null or a type that its column
 * does not declare is damaged: `Database` leaves it out and reports it.
 */
export function typed<Fields extends Selection>(
  fields: Fields,
  build: (aliases: Record<string, SQL.Aliased>) => SQLWrapper,
): Statement<RowOf<Fields>> {
  return { ...compile(build(toAliases(fields))), read: createReader(fields) }
}

/** The statement with a further conversion of its rows. */
export const withRows = <From, To>(statement: Statement<From>, convert: (row: From) => To): Statement<To> => ({
  ...statement,
  read: (row) => convert(statement.read(row)),
})

/** The statement without conversion of its rows, for callers that handle damaged rows themselves. */
export const withRawRows = (statement: Statement<unknown>): Statement => ({ ...statement, read: (row) => row })

/** A column with a unary plus: the same value, but SQLite uses no index for it. Without statistics, SQLite may choose the wrong index. */
export const withoutIndex = (column: SQLiteColumn) => sql`+${column}`
