import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { readRows } from './damaged-rows.ts'
import { param } from './database.ts'
import type { Row } from './row.ts'
import { sqlName } from './sql-name.ts'

/** Maximum bytes of one page of a list, and of the rows read for it at once. An isolate has 128 MB for all its requests. */
export const pageBytes = 4 * 1024 * 1024

/** Maximum bytes in JSON of one byte of stored text: a control character becomes `\u0001`. */
const escapedBytes = 6
/** Upper bound in bytes of the field names and computed fields of one object. */
const overheadBytes = 4096

/** Bytes that a row may have so that `rows` of them, read whole, stay within the budget. */
export const rowShare = (rows: number) => Math.floor(pageBytes / rows)

/** The column with a row's bytes, and the parameter with its maximum. */
const sizeColumn = 'row_bytes'
export const shareParameter = 'row share'

/** SQL for the total bytes of columns. Reads their lengths, not their contents. */
export const bytesOf = (columns: readonly SQL[]) =>
  sql.join(
    columns.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    sql` + `,
  )

/** SQL for the fields of a row, with its bytes. The large columns are null if the row has more bytes than its share. */
export const withinShare = (small: readonly SQL[], large: Readonly<Record<string, SQL>>, bytes: SQL) =>
  sql.join(
    [
      ...small,
      ...Object.entries(large).map(
        ([name, column]) =>
          sql`case when ${bytes} <= ${param(shareParameter)} then ${column} end as ${sql.identifier(name)}`,
      ),
      sql`${bytes} as ${sql.identifier(sizeColumn)}`,
    ],
    sql`, `,
  )

/** The same for all columns of a table. JSON columns are the large ones. */
export function columnsWithinShare(table: SQLiteTable) {
  const columns = Object.entries(getTableColumns(table))
  const large = columns.filter(([, { dataType }]) => dataType === 'json')
  const texts = columns.filter(([, column]) => column.getSQLType() === 'text')
  return withinShare(
    columns.filter(([, { dataType }]) => dataType !== 'json').map(([, column]) => sql`${column}`),
    Object.fromEntries(large.map(([key, column]) => [sqlName(key), sql`${column}`])),
    bytesOf(texts.map(([, column]) => sql`${column}`)),
  )
}

/** How many of the sizes, from the first on, fit the budget together: at least one. */
function countWithin(sizes: Iterable<number>): number {
  let [count, sum] = [0, 0]
  for (const size of sizes) {
    sum += size
    if (count > 0 && sum > pageBytes) break
    count++
  }
  return count
}

/** The rows of one page. */
export interface RowPage<PageRow extends Row = Row> {
  rows: readonly PageRow[]
  /** Key of the last row, even if it was deleted meanwhile. Undefined on an empty page. */
  last: string | undefined
  hasMore: boolean
  /** The page as JSON may exceed the budget. */
  isLarge: boolean
}

/**
 * Takes the first rows, at most `limit`, that fit the budget together. Reads rows larger than their share again, whole. That happens
 * only on pages near the budget.
 */
export async function readPageWithin<PageRow extends Row>(
  found: readonly PageRow[],
  limit: number,
  key: keyof PageRow & string,
  readWhole: (keys: readonly string[]) => Promise<PageRow[]>,
): Promise<RowPage<PageRow>> {
  const share = rowShare(limit + 1)
  const getSize = (row: Row) => Number(row[sizeColumn])
  const getKey = (row: Row) => String(row[key])
  const page = found.slice(0, countWithin(found.slice(0, limit).map(getSize)))
  const large = page.filter((row) => getSize(row) > share).map(getKey)
  const whole = new Map<string, PageRow>()
  if (large.length > 0) for (const row of await readWhole(large)) whole.set(getKey(row), row)
  const bytes = page.reduce((sum, row) => sum + getSize(row) * escapedBytes + overheadBytes, 0)
  const last = page.at(-1)
  return {
    // Leaves out rows that were deleted meanwhile.
    rows: page.flatMap<PageRow>((row) => (getSize(row) <= share ? [row] : (whole.get(getKey(row)) ?? []))),
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
