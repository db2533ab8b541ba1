import { getTableName, is, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { SQLiteColumn, SQLiteInteger, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { DamagedError } from './damaged-rows.ts'
import { compile, getColumn, param, type Statement } from './database.ts'
import type { Row } from './row.ts'
import { sqlName } from './sql-name.ts'

/** drizzle's query builder. It builds statements and runs none: `Database` does. */
export const db = drizzle(() => Promise.reject(new Error('Run statements through Database.')), undefined, {
  casing: 'snake_case',
})

/** A parameter encoded as a column stores it, for `set` and for expressions. */
export const columnParam = (column: SQLiteColumn, name: string) => sql`${sql.param(param(name), column)}`

/** What a statement returns, by the keys of its rows. */
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

const typeNames: Readonly<Record<string, string>> = { number: 'number', string: 'string', boolean: 'boolean' }

/** SQL for each field under its key as alias, for statements that the builder cannot express. */
export const toSelectList = (fields: Selection): SQL[] =>
  Object.entries(fields).map(([key, field]) => sql`${field} as ${sql.identifier(key)}`)

/** The same as one list with commas. */
export const selectList = (fields: Selection) => sql.join(toSelectList(fields), sql`, `)

/** SQL expressions for the columns of a row. The type requires the columns that an insert requires. */
type RowExpressions<Table extends SQLiteTable> = { [Key in keyof Table['$inferInsert']]: SQLWrapper }

/** SQL for `insert into … (columns) select …`. `tail` follows the selected values: `from …`, `where …`, `returning …`. */
export function insertSelect<Table extends SQLiteTable>(table: Table, values: RowExpressions<Table>, tail: SQL): SQL {
  const entries = Object.entries<SQLWrapper | undefined>(values)
  const names = entries.map(([key]) => sql.identifier(sqlName(key)))
  const selected = entries.map(([, value]) => sql`${value}`)
  return sql`insert into ${table} (${sql.join(names, sql`, `)}) select ${sql.join(selected, sql`, `)} ${tail}`
}

/** SQL for the assignments of an `update` that the builder cannot express. */
export const setColumns = <Table extends SQLiteTable>(table: Table, values: Partial<RowExpressions<Table>>): SQL =>
  sql.join(
    Object.entries<SQLWrapper | undefined>(values).map(
      ([key, value]) => sql`${sql.identifier(sqlName(getColumn(table, key).name))} = ${value}`,
    ),
    sql`, `,
  )

/** Decodes a value in place. Returns false where the column declares another type. */
function decodeColumn(row: Row, key: string, column: SQLiteColumn): boolean {
  const value = row[key] ?? null
  if (value === null) return !column.notNull
  try {
    row[key] = column.mapFromDriverValue(value)
  } catch {
    return false
  }
  if (is(column, SQLiteInteger)) return Number.isSafeInteger(row[key])
  const expected = typeNames[column.dataType]
  if (expected !== undefined && typeof row[key] !== expected) return false
  return !column.enumValues?.length || column.enumValues.some((allowed) => allowed === value)
}

/**
 * Returns a function that decodes a row in place, keyed as the selection is. It throws `DamagedError` for a row that holds null or a
 * type that its column does not declare.
 */
export function createReader<Fields extends Selection>(fields: Fields): (row: Row) => RowOf<Fields> {
  const columns = Object.entries(fields).flatMap(([key, column]) => (is(column, SQLiteColumn) ? [{ key, column }] : []))
  const findDamage = (row: Row) => columns.filter(({ key, column }) => !decodeColumn(row, key, column))
  const fits = (row: Row, damaged: readonly unknown[]): row is Row & RowOf<Fields> => damaged.length === 0
  return (row) => {
    const damaged = findDamage(row)
    if (fits(row, damaged)) return row
    throw new DamagedError({
      table: damaged.map(({ column }) => getTableName(column.table))[0] ?? '',
      id: String(row['id'] ?? ''),
      merchantId: String(row['merchantId'] ?? ''),
      fields: damaged.map(({ key }) => key),
    })
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

/** The same statement with a further conversion of its rows. */
export const withRows = <From, To>(statement: Statement<From>, convert: (row: From) => To): Statement<To> => ({
  ...statement,
  read: (row) => convert(statement.read(row)),
})

/** The same statement, whose rows stay as D1 returns them: for callers that handle damaged rows themselves. */
export const withRawRows = (statement: Statement<unknown>): Statement => ({ ...statement, read: (row) => row })

/** A column with a unary plus: the same value, but SQLite chooses no index for it. It has no statistics to choose by. */
export const withoutIndex = (column: SQLiteColumn) => sql`+${column}`
