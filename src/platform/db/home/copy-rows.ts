import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { compile, param, type Statement } from '../database.ts'
import { sqlName } from '../sql-name.ts'

const join = (parts: SQL[]) => sql.join(parts, sql`, `)

/**
 * A statement that inserts `:rows`, a JSON list of rows as another database with the same schema returned them. Existing rows stay as they are. If
 * `updates`, the column that identifies a row, is given, they are overwritten.
 */
export function createCopyStatement(table: SQLiteTable, updates?: SQLiteColumn): Statement {
  const names = Object.keys(getTableColumns(table)).map(sqlName)
  const columns = join(names.map((name) => sql`${sql.identifier(name)}`))
  const values = join(names.map((name) => sql`value ->> ${sql.raw(`'$.${name}'`)}`))
  const set = join(names.map((name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`))
  const conflict = updates
    ? sql`on conflict (${sql.identifier(sqlName(updates.name))}) do update set ${set}`
    : sql`on conflict do nothing`
  // The condition separates `on conflict` from a join's `on`.
  return compile(
    sql`insert into ${table} (${columns}) select ${values} from json_each(${param('rows')}) where true ${conflict}`,
  )
}
