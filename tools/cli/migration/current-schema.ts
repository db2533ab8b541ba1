import type { DatabaseSync } from 'node:sqlite'

interface SchemaObject {
  type: string
  name: string
  sql: string
}

/** Expressions for the values that differ in each database, by table and name of the row. */
const computedValues: Readonly<Record<string, string>> = { 'settings signing': 'lower(hex(randomblob(32)))' }

const quoteText = (value: unknown) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value))

/** The statements that give an empty database what all migrations give it: tables, their rows, indexes, views and triggers. */
export function listSchemaStatements(migrated: DatabaseSync): string[] {
  const objects = migrated
    .prepare(
      `select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite%' order by rowid`,
    )
    .all()
    .map(({ type, name, sql }): SchemaObject => ({ type: String(type), name: String(name), sql: String(sql) }))
  const virtual = objects.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL'))
  // SQLite creates the tables behind a virtual table with it.
  const own = objects.filter(
    ({ type, name }) => type !== 'table' || !virtual.some((table) => name.startsWith(`${table.name}_`)),
  )
  const sqlOf = (wanted: string) => own.filter(({ type }) => type === wanted).map(({ sql }) => sql)
  const rows = own
    .filter((object) => object.type === 'table' && !virtual.includes(object))
    .flatMap(({ name }) =>
      migrated
        .prepare(`select * from "${name}"`)
        .all()
        .map((row) => {
          const computed = computedValues[`${name} ${row['name']}`]
          const values = Object.entries(row).map(([column, value]) =>
            column === 'value' && computed !== undefined ? computed : quoteText(value),
          )
          return `INSERT INTO "${name}" (${Object.keys(row).map((column) => `"${column}"`)}) VALUES (${values})`
        }),
    )
  return [...sqlOf('table'), ...rows, ...sqlOf('index'), ...sqlOf('view'), ...sqlOf('trigger')]
}
