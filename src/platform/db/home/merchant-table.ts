import { eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { getColumn, param } from '../database.ts'

/** A table with rows of merchants. */
export interface MerchantTable {
  table: SQLiteTable
  /** SQL behind `from`: the rows of `:merchantId`, with `where` as its last clause. */
  rows: SQL
  /** Columns that order the rows of a merchant and are unique among them. Those of the parent come first. */
  key: readonly SQLiteColumn[]
  /** Columns that identify a row of the table, in the order of an index. */
  identity: readonly SQLiteColumn[]
  /** A column of the parent rows, and the column that holds its value. Absent if each row has the merchant id. */
  parent?: readonly [parentColumn: SQLiteColumn, column: SQLiteColumn]
  /** A column that holds the merchant id of rows without a parent row. */
  owner?: SQLiteColumn
}

const isOwn = (table: SQLiteTable) => eq(getColumn(table, 'merchantId'), param('merchantId'))

/** A table with a merchant id. An index begins with the merchant and the key. */
export const ownTable = (table: SQLiteTable, ...key: SQLiteColumn[]): MerchantTable => ({
  table,
  rows: sql`${table} where ${isOwn(table)}`,
  key,
  identity: [getColumn(table, 'merchantId'), ...key],
})

/** A table whose rows belong to rows of another one: `column` holds the value of `parentColumn`. */
export const partTable = (
  parent: MerchantTable,
  parentColumn: SQLiteColumn,
  column: SQLiteColumn,
  ...key: SQLiteColumn[]
): MerchantTable => ({
  table: column.table,
  rows: sql`${parent.table} cross join ${column.table} on ${column} = ${parentColumn} where ${isOwn(parent.table)}`,
  key: [...parent.key, ...key],
  identity: [column, ...key],
  parent: [parentColumn, column],
})
