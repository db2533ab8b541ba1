type Run = (...statements: string[]) => Promise<Record<string, unknown>[][]>

/** Tables of the schema, without those that SQLite, the platform and full-text indexes keep for themselves. */
export async function listTables(run: Run): Promise<string[]> {
  const [rows = []] = await run(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '\\_cf%' escape '\\'
      and name not like '%\\_search\\_%' escape '\\'`,
  )
  return rows.map(({ name }) => String(name))
}

/** Drops all views and tables: virtual tables first, then whatever refers to something. Sessions refer to two parents. */
export async function dropTables(run: Run): Promise<void> {
  const [views = []] = await run(`select name from sqlite_master where type = 'view'`)
  const names = new Set(['sessions', ...(await listTables(run))])
  const drops = [...views.map(({ name }) => `drop view "${name}"`)]
  await run('pragma defer_foreign_keys = on', ...drops, ...[...names].map((name) => `drop table if exists "${name}"`))
}
