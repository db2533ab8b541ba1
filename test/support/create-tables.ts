import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

interface Statement {
  sql: string
  values: readonly unknown[]
}

/** Reads the statements that create a database with the tables, rows, indexes and triggers of another one. */
export async function readCopy(database: D1Database): Promise<Statement[]> {
  const { results: objects } = await database
    .prepare(
      `select type, name, sql from sqlite_master
       where sql is not null and name not like '\\_cf%' escape '\\' and name not like 'sqlite%'`,
    )
    .all<{ type: string; name: string; sql: string }>()
  const virtual = objects.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL'))
  // SQLite creates the tables behind a virtual table with it.
  const own = objects.filter(
    ({ type, name }) => type !== 'table' || !virtual.some((table) => name.startsWith(`${table.name}_`)),
  )
  const create = (isTable: boolean): Statement[] =>
    own.filter(({ type }) => (type === 'table') === isTable).map(({ sql }) => ({ sql, values: [] }))
  const tables = own.filter((object) => object.type === 'table' && !virtual.includes(object))
  const contents = await database.batch<object>(tables.map(({ name }) => database.prepare(`select * from "${name}"`)))
  const inserts = tables.flatMap(({ name }, index) =>
    (contents[index]?.results ?? []).map((row): Statement => {
      const columns = Object.keys(row).map((column) => `"${column}"`)
      const sql = `insert into "${name}" (${columns}) values (${columns.map(() => '?')})`
      return { sql, values: Object.values(row) }
    }),
  )
  return [...create(true), ...inserts, ...create(false)]
}

/** Joins statements without values to their neighbours: the simulator takes longer for each statement than SQLite does. */
function join(statements: readonly Statement[]): Statement[] {
  const joined: Statement[] = []
  for (const statement of statements) {
    const last = joined.at(-1)
    if (last && last.values.length + statement.values.length === 0) last.sql += `;\n${statement.sql}`
    else joined.push({ ...statement })
  }
  return joined
}

/** Runs statements in an empty database, as one transaction. */
export async function applyCopy(database: D1Database, copy: readonly Statement[]): Promise<void> {
  await database.batch(join(copy).map(({ sql, values }) => database.prepare(sql).bind(...values)))
}

let copy: readonly Statement[] | undefined

/** Creates the current tables in an empty database. Migrations are applied once in each process, because they take far longer. */
export async function createTables(): Promise<void> {
  if (copy !== undefined) return await applyCopy(env.DB, copy)
  await applyD1Migrations(env.DB, env.MIGRATIONS)
  copy = await readCopy(env.DB)
}
