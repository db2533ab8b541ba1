import { asc, gt, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { allOf, lazy, param, type Statement, type Values } from '../platform/db/database.ts'
import { db, type RowOf, type Selection, typed, withRawRows } from '../platform/db/query.ts'
import type { Row } from '../platform/db/row.ts'

/** Maximum number of rows that a statement reads, and of statements that a request runs in sequence. */
export const damagedBounds = { rows: 100, statements: 30 } as const

/** A part of a merchant's data, read in the order of its keys. */
export interface DataPart {
  /** The rows are in the directory, and not in the home of the merchant. */
  isInDirectory?: true
  /** Statement of the next page; its rows stay as D1 returns them. */
  page(): Statement
  /** Parameters of the page after a key. */
  values(after: string): Values
  /** Throws `DamagedError` for a damaged row. */
  read(row: Row, merchantId: string): unknown
  /** Key after which the next page starts; undefined on the last page. */
  next(rows: readonly Row[]): string | undefined
}

/** Schema of keys that fit into a cursor. A damaged key is skipped. */
export const keyPattern = /^[\w-]{1,48}$/
const lastKey = (rows: readonly Row[]) => {
  if (rows.length < damagedBounds.rows) return undefined
  return rows.map((row) => String(row['id'])).findLast((key) => keyPattern.test(key))
}
/** A part whose pages continue after the id of the last row. */
export const createPart = (page: () => Statement, read: DataPart['read']): DataPart => ({
  page,
  values: (after) => ({ after }),
  read,
  next: lastKey,
})

/** A part of typed rows. */
export function createTypedPart<Fields extends Selection & { id: SQLiteColumn }>(
  fields: Fields,
  where: SQL,
  convert: (row: RowOf<Fields>) => unknown = (row) => row,
): DataPart {
  const statement = lazy(() =>
    typed(fields, (select) =>
      db
        .select(select)
        .from(fields.id.table)
        .where(allOf(where, gt(fields.id, param('after'))))
        .orderBy(asc(fields.id))
        .limit(damagedBounds.rows),
    ),
  )
  return createPart(
    () => withRawRows(statement()),
    (row) => convert(statement().read(row)),
  )
}
