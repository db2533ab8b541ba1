import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { sqlName } from '../../db/sql-name.ts'

/** An expression for each column of a table; optional where the table does not require a value. */
type ColumnValues<Table extends SQLiteTable> = { [Key in keyof Table['$inferInsert']]: SQLWrapper }

/** SQL that inserts one row for each row of `source`, which is all behind the selected columns: `from … where … returning …`. */
export function insertSelect<Table extends SQLiteTable>(table: Table, values: ColumnValues<Table>, source: SQL): SQL {
  const entries = Object.entries<SQLWrapper>(values)
  const columns = entries.map(([key]) => sql.identifier(sqlName(key)))
  const expressions = entries.map(([, value]) => sql`${value}`)
  return sql`insert into ${table} (${sql.join(columns, sql`, `)}) select ${sql.join(expressions, sql`, `)} ${source}`
}
