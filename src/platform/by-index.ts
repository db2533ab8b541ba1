import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

/** SQL for a table that is searched by an index. With statistics of a time when the table was small, SQLite would read all of it. */
export const byIndex = (table: SQLiteTable, name: string): SQL => sql`${table} indexed by ${sql.identifier(name)}`

/** SQL for a table that is searched by its primary key, as in `byIndex`. The key is no row number: SQLite names its index. */
export const byKey = (table: SQLiteTable): SQL => byIndex(table, `sqlite_autoindex_${getTableName(table)}_1`)
