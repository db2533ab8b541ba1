import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Row } from './row.ts'

/** The SQL name of a column's key, by the rule of drizzle's `casing: 'snake_case'`. */
export const sqlName = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The name of a column in SQL, and its key in a row that SQLite returns. */
export const getColumnName = ({ name }: SQLiteColumn): string => sqlName(name)

/** The value of a column in a row that SQLite returned. */
export const getValue = (row: Row, column: SQLiteColumn): unknown => row[getColumnName(column)]

/**
 * The name of a column without quotes, which every statement would send as four characters of JSON. A test fails if a column has the name of a
 * keyword.
 */
export const plainName = (key: string): SQL => sql.raw(sqlName(key))

/** A column without the name of its table, for `set`, `on conflict` and rows of triggers. */
export const bareColumn = (column: SQLiteColumn): SQL => sql`${sql.identifier(getColumnName(column))}`

/** The value of a column in the row that was not inserted because of `on conflict`. */
export const excluded = (column: SQLiteColumn): SQL => sql`excluded.${bareColumn(column)}`
