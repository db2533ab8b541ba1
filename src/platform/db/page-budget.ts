import { getTableColumns, is, type SQL, sql } from 'drizzle-orm'
import { SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { readRows } from './damaged-rows.ts'
import { param } from './database.ts'
import type { Row } from './row.ts'
import { plainName, sqlName } from './sql-name.ts'

/** Maximum bytes of one page of a list, and of the rows read for it at once. An isolate has 128 MB for all its requests. */
export const pageBytes = 4 * 1024 * 1024

/** Maximum bytes in JSON of one byte, or one UTF-16 unit, of stored text: a control character becomes `\u0001`. */
const escapedBytes = 6
/** Upper bound in bytes of the field names and computed fields of one object. */
const overheadBytes = 4096

/** SQL for the total bytes of columns. Reads their lengths, not their contents. */
export const bytesOf = (columns: readonly SQL[]) =>
  sql.join(
    columns.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    sql` + `,
  )

/** The columns of a row that may be large, or expressions, by their names in the row. */
export type LargeColumns = Readonly<Record<string, SQLiteColumn | SQL>>

/** Bytes that each large column may have so that `rows` complete rows stay within the budget. */
export const columnShare = (rows: number, large: LargeColumns, budget = pageBytes) =>
  Math.floor(budget / rows / Math.max(1, Object.keys(large).length))

/** The parameter with the share of a column. */
export const shareParameter = 'column share'

/**
 * SQL for large columns: the value within the share, else its length in bytes. One length for each column, because the text and the
 * functions of a list's statement are a measurable part of its time.
 */
export const withinShare = (large: LargeColumns): SQL[] =>
  Object.entries(large).map(
    ([name, column]) =>
      sql`case when octet_length(${column}) <= ${param(shareParameter)} then ${column} else octet_length(${column}) end as ${sql.identifier(name)}`,
  )

/** The JSON columns of a table, by their SQL names. The limits of fields bound all other columns. */
export const getJsonColumns = (table: SQLiteTable): LargeColumns =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).flatMap(([key, column]) =>
      column.dataType === 'json' ? [[sqlName(key), column]] : [],
    ),
  )

/** SQL for all columns of a table, and for the large columns within their share. The statement selects from no other table with such columns. */
export const columnsWithinShare = (table: SQLiteTable, large: LargeColumns): SQL =>
  sql.join(
    [
      ...Object.entries(getTableColumns(table)).flatMap(([key, column]) =>
        column.dataType === 'json' ? [] : [plainName(key)],
      ),
      ...withinShare(
        Object.fromEntries(
          Object.entries(large).map(([name, column]) => [name, is(column, SQLiteColumn) ? plainName(name) : column]),
        ),
      ),
    ],
    sql`, `,
  )

/** Size of a row: UTF-16 units of its texts, and bytes of large columns that were not read. */
function measureRow(row: Row, large: readonly string[]): number {
  let size = 0
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'string') size += value.length
  }
  for (const name of large) {
    const bytes = row[name]
    if (typeof bytes === 'number') size += bytes
  }
  return size
}

/** How many of the sizes, from the first on, fit the budget together: at least one. */
function countWithin(sizes: Iterable<number>, budget = pageBytes): number {
  let [count, sum] = [0, 0]
  for (const size of sizes) {
    sum += size
    if (count > 0 && sum > budget) break
    count++
  }
  return count
}

/** The rows of one page. */
export interface RowPage<PageRow extends Row = Row> {
  rows: readonly PageRow[]
  /** Key of the last row, even if it was deleted during the read. Undefined on an empty page. */
  last: string | undefined
  hasMore: boolean
  /** The page as JSON may exceed the budget. */
  isLarge: boolean
}

/**
 * Takes the first rows, at most `limit`, that fit the budget together. Reads rows with a column larger than its share again, with all columns.
 */
export async function readPageWithin<PageRow extends Row>(
  found: readonly PageRow[],
  limit: number,
  key: keyof PageRow & string,
  large: LargeColumns,
  readWhole: (keys: readonly string[]) => Promise<PageRow[]>,
  budget = pageBytes,
): Promise<RowPage<PageRow>> {
  const getKey = (row: Row) => String(row[key])
  const names = Object.keys(large)
  const isPartial = (row: Row) => names.some((name) => typeof row[name] === 'number')
  const sizes = found.slice(0, limit).map((row) => measureRow(row, names))
  const page = found.slice(0, countWithin(sizes, budget))
  const bytes = sizes.slice(0, page.length).reduce((sum, size) => sum + size * escapedBytes + overheadBytes, 0)
  const last = page.at(-1)
  const partial = page.filter(isPartial).map(getKey)
  const whole = new Map<string, PageRow>()
  if (partial.length > 0) for (const row of await readWhole(partial)) whole.set(getKey(row), row)
  return {
    // Leaves out rows that were deleted between the two reads.
    rows:
      partial.length === 0
        ? page
        : page.flatMap<PageRow>((row) => (isPartial(row) ? (whole.get(getKey(row)) ?? []) : [row])),
    last: last && getKey(last),
    hasMore: found.length > page.length,
    isLarge: bytes > pageBytes,
  }
}

const utf8 = new TextEncoder()

/** How many of the JSON texts fit the budget as one array: at least one. */
function countJsonWithin(texts: Iterable<string>): number {
  function* sizes() {
    // One byte in front of each: a bracket or a comma. One more for the closing bracket.
    let closing = 1
    for (const text of texts) {
      yield utf8.encode(text).length + 1 + closing
      closing = 0
    }
  }
  return countWithin(sizes())
}

/**
 * Renders the rows of a page that fit the budget as JSON. `end` is the key of the last rendered row, if more rows follow. Damaged rows
 * are left out and reported.
 */
export function showPage<PageRow extends Row, Shown>(
  database: Parameters<typeof readRows>[0],
  { rows, last, hasMore, isLarge }: RowPage<PageRow>,
  key: keyof PageRow & string,
  show: (row: PageRow) => Shown,
  toJson: (shown: Shown) => string = (shown) => JSON.stringify(shown),
): { shown: Shown[]; end: string | undefined } {
  const readable = readRows(database, rows, (row) => ({ key: String(row[key]), shown: show(row) }))
  const count = isLarge ? countJsonWithin(readable.values().map(({ shown }) => toJson(shown))) : readable.length
  const end = hasMore ? last : undefined
  return {
    shown: readable.slice(0, count).map(({ shown }) => shown),
    end: count < readable.length ? readable[count - 1]?.key : end,
  }
}
