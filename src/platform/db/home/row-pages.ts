import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { compile, type Database, lazy, param, type Statement, type Values } from '../database.ts'
import { pageBytes } from '../page-budget.ts'
import type { Row } from '../row.ts'
import { sqlName } from '../sql-name.ts'
import type { MerchantTable } from './merchant-table.ts'

/** Maximum number of rows on a page. A page of large rows has fewer: see `pageBytes`. */
const maxPageRows = 1_000

/** Bytes counted for each column of a row, without texts. */
const columnBytes = 8

const join = (parts: readonly SQL[], separator = sql`, `) => sql.join([...parts], separator)
const list = (columns: readonly SQLiteColumn[]) => join(columns.map((column) => sql`${column}`))
const keyNames = (columns: readonly SQLiteColumn[], from: number) => columns.map((_, index) => `key ${from + index}`)

/**
 * Sorts before every number in a column. Row numbers of merchants that were moved are negative; see `toTargetNumber` in
 * `tenancy/move/moved-tables.ts`.
 */
const lowestNumber = Number.MIN_SAFE_INTEGER
/** Sorts before every value of the column. */
const lowest = (column: SQLiteColumn) => sql.raw(column.getSQLType() === 'text' ? `''` : `${lowestNumber}`)

/** SQL for the size of a row in bytes. */
export function getRowBytes({ table }: Pick<MerchantTable, 'table'>): SQL {
  const columns = Object.values(getTableColumns(table))
  const texts = columns.filter((column) => column.getSQLType() === 'text')
  const sizes = texts.map((column) => sql`coalesce(octet_length(${column}), 0)`)
  return join([sql.raw(String(columns.length * columnBytes)), ...sizes], sql` + `)
}

/** SQL for "the row comes after the position". An index serves it: first the parent's key, then the key of the row. */
function isBehind({ key, identity }: MerchantTable): SQL {
  const parents = key.slice(0, key.length - (identity.length - 1))
  const own = key.slice(parents.length)
  const position = (columns: readonly SQLiteColumn[], from: number) =>
    join(keyNames(columns, from).map((name) => sql`${param(name)}`))
  if (parents.length === 0) return sql`(${list(own)}) > (${position(own, 0)})`
  const [child] = own
  if (!child) return sql`(${list(parents)}) > (${position(parents, 0)})`
  return sql`(${list(parents)}) >= (${position(parents, 0)})
    and ${child} > iif((${list(parents)}) = (${position(parents, 0)}), ${param(`key ${parents.length}`)}, ${lowest(child)})`
}

/** Alias of the size of a row and of all rows before it on the page. */
const totalName = 'key total'

/** Aliases of the key columns in the rows of a page. Names of columns have no blanks. */
const aliased = ({ key }: MerchantTable) =>
  key.map((column, index) => sql`${column} as ${sql.identifier(`key ${index}`)}`)

/**
 * A statement that returns the next rows of a table after a position, each with its key, up to `pageBytes`. `toValue` is SQL for the value of a
 * column.
 */
export function createPage(entry: MerchantTable, toValue = (column: SQLiteColumn): SQL => sql`${column}`): Statement {
  const { table, rows, key, identity } = entry
  const identifiers = identity.map((column, index) => sql`${column} as ${sql.identifier(`id ${index}`)}`)
  const keys = join(keyNames(key, 0).map((name) => sql`${sql.identifier(name)}`))
  const columns = Object.entries(getTableColumns(table)).map(
    ([name, column]) => sql`${toValue(column)} as ${sql.identifier(sqlName(name))}`,
  )
  const isSame = join(
    identity.map((column, index) => sql`${column} = page.${sql.identifier(`id ${index}`)}`),
    sql` and `,
  )
  return compile(sql`
    select ${keys}, total as ${sql.identifier(totalName)}, ${join(columns)} from (
      select *, sum(size) over (order by ${keys} rows unbounded preceding) as total from (
        select ${join([...aliased(entry), ...identifiers])}, ${getRowBytes(entry)} as size
        from ${rows} and ${isBehind(entry)} order by ${list(key)} limit ${sql.raw(String(maxPageRows))}
      )
    ) as page cross join ${table} on ${isSame}
    where page.total - page.size < ${sql.raw(String(pageBytes))} order by page.total`)
}

/** The position before the first row. */
export const firstPosition = ({ key }: Pick<MerchantTable, 'key'>): Values =>
  Object.fromEntries(key.map((column, index) => [`key ${index}`, column.getSQLType() === 'text' ? '' : lowestNumber]))

const isKey = (name: string) => name.startsWith('key ')

/** The rows of a page without their keys, and the position of the next page; undefined after the last page. */
export function splitPage(found: readonly Row[]): { rows: Row[]; next: Values | undefined } {
  const last = found.at(-1)
  const isLast = !last || (found.length < maxPageRows && Number(last[totalName]) < pageBytes)
  const pick = (row: Row, wanted: boolean) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => isKey(name) === wanted))
  return { rows: found.map((row) => pick(row, false)), next: isLast ? undefined : pick(last, true) }
}

/** Returns a function that reads all rows of a merchant in a table, as they are stored, page by page. One round trip for each page. */
export function createRowPages(entry: MerchantTable) {
  const page = lazy(() => createPage(entry))
  return async function* (database: Database, merchantId: string): AsyncGenerator<Row[], void> {
    for (let position: Values | undefined = firstPosition(entry); position !== undefined; ) {
      const [found = []]: Row[][] = await database.run([page(), { merchantId, ...position }])
      const { rows, next } = splitPage(found)
      if (rows.length > 0) yield rows
      position = next
    }
  }
}
