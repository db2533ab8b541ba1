import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { readRows } from './damaged-rows.ts'
import { param, sqlName } from './database.ts'
import type { Row } from './row.ts'

/** Most bytes of one page of a list, and of what is read for it at once: an isolate has 128 MB for all of its requests. */
export const pageBytes = 4 * 1024 * 1024

/** Most bytes that a byte of a stored text can become in JSON: a control character as `\u0001`. */
const escapedBytes = 6
/** More bytes than the names and the computed fields of any object take. */
const overheadBytes = 4096

/** The bytes that each of some rows may have to be read whole at once. */
export const rowShare = (rows: number) => Math.floor(pageBytes / rows)

/** The column that tells how many bytes a row has, and the parameter that tells how many it may have. */
const sizeColumn = 'row_bytes'
export const shareParameter = 'row share'

/** SQL for the bytes of some columns. Reads their lengths, not their contents. */
export const bytesOf = (columns: readonly SQL[]) =>
  sql.join(
    columns.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    sql` + `,
  )

/** SQL for a row whose large columns are null where it has more bytes than its share, and for how many it has. */
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

/** The same for all columns of a table: those that hold JSON are large. */
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

/** How many of some sizes, in order, stay within the budget together: at least one. */
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
export interface RowPage {
  rows: readonly Row[]
  /** The value of the key in the last row, whether or not that still exists; undefined on an empty page. */
  last: string | undefined
  hasMore: boolean
  /** Whether as JSON it may be larger than a page. */
  isLarge: boolean
}

/**
 * The first `limit` of some rows, as many as stay within the budget together. Those that were larger than their share are read again,
 * whole, which happens where a page is near the budget only.
 */
export async function readPageWithin(
  found: readonly Row[],
  limit: number,
  key: string,
  readWhole: (keys: readonly string[]) => Promise<Row[]>,
): Promise<RowPage> {
  const share = rowShare(limit + 1)
  const sizeOf = (row: Row) => Number(row[sizeColumn])
  const keyOf = (row: Row) => String(row[key])
  const page = found.slice(0, countWithin(found.slice(0, limit).map(sizeOf)))
  const large = page.filter((row) => sizeOf(row) > share).map(keyOf)
  const whole = new Map<string, Row>()
  if (large.length > 0) for (const row of await readWhole(large)) whole.set(keyOf(row), row)
  const bytes = page.reduce((sum, row) => sum + sizeOf(row) * escapedBytes + overheadBytes, 0)
  const last = page.at(-1)
  return {
    // One that was deleted meanwhile is left out.
    rows: page.flatMap<Row>((row) => (sizeOf(row) <= share ? [row] : (whole.get(keyOf(row)) ?? []))),
    last: last && keyOf(last),
    hasMore: found.length > page.length,
    isLarge: bytes > pageBytes,
  }
}

const utf8 = new TextEncoder()

/** How many of some JSON texts stay within the budget as one array: at least one. */
function countOfJson(texts: Iterable<string>): number {
  function* sizes() {
    // A bracket or a comma stands in front of each, and one bracket at the end.
    let closing = 1
    for (const text of texts) {
      yield utf8.encode(text).length + 1 + closing
      closing = 0
    }
  }
  return countWithin(sizes())
}

/**
 * What is shown of a page: its readable rows, as many as stay within the budget as JSON, and the key of the last row that was read if
 * there are more behind it. Damaged rows are left out and reported.
 */
export function showPage<Shown>(
  database: Parameters<typeof readRows>[0],
  { rows, last, hasMore, isLarge }: RowPage,
  key: string,
  show: (row: Row) => Shown,
  toJson: (shown: Shown) => string = (shown) => JSON.stringify(shown),
): { shown: Shown[]; end: string | undefined } {
  const readable = readRows(database, rows, (row) => ({ key: String(row[key]), shown: show(row) }))
  const count = isLarge ? countOfJson(readable.values().map(({ shown }) => toJson(shown))) : readable.length
  const end = hasMore ? last : undefined
  return {
    shown: readable.slice(0, count).map(({ shown }) => shown),
    end: count < readable.length ? readable[count - 1]?.key : end,
  }
}
