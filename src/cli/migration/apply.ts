import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { getPlatformProxy, unstable_splitSqlQuery as splitStatements } from 'wrangler'
import * as z from 'zod'
import { projectFolder } from '../project-folder.ts'

/**
 * Applies the missing migrations to the local database, as `wrangler d1 migrations apply DB --local` does. That command starts a
 * server for each migration and takes ten times as long.
 */
export async function applyMigrations(stateFolder: string): Promise<void> {
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({
    configPath: join(projectFolder, 'wrangler.toml'),
    persist: { path: join(stateFolder, 'v3') },
    remoteBindings: false,
  })
  try {
    const folder = join(projectFolder, 'migrations')
    // The table of wrangler.
    await env.DB.prepare(
      `create table if not exists d1_migrations (id integer primary key autoincrement, name text unique,
         applied_at timestamp default current_timestamp not null)`,
    ).run()
    const { results } = await env.DB.prepare('select name from d1_migrations').all()
    const applied = new Set(
      z
        .array(z.object({ name: z.string() }))
        .parse(results)
        .map(({ name }) => name),
    )
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && !applied.has(name)).toSorted()
    for (const name of names) {
      const statements = splitStatements(await readFile(join(folder, name), 'utf8'))
      const record = env.DB.prepare('insert into d1_migrations (name) values (?)').bind(name)
      await env.DB.batch([...statements.map((sql) => env.DB.prepare(sql)), record])
    }
  } finally {
    await dispose()
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { 'persist-to': { type: 'string', default: '.wrangler/state' } } })
  await applyMigrations(resolve(projectFolder, values['persist-to']))
}
