import { sql } from 'drizzle-orm'
import journal from '../../migrations/meta/_journal.json' with { type: 'json' }
import { ApiError, MissingMigrationError } from '../errors.ts'
import { compile, type Database, lazy } from './database.ts'

/** The migrations that this code needs, by the names under which wrangler records them. */
const needed = journal.entries.map(({ tag }) => `${tag}.sql`)

const applied = lazy(() => compile(sql`select name from d1_migrations`))

/** Fails with a `503` unless the database responds and has every migration of this release. One round trip. */
export async function checkDatabase(database: Database): Promise<void> {
  let names: ReadonlySet<unknown>
  try {
    const [rows = []] = await database.run([applied(), {}])
    names = new Set(rows.map(({ name }) => name))
  } catch (error) {
    if (!(error instanceof MissingMigrationError)) throw unavailable('The database does not answer.')
    names = new Set()
  }
  const missing = needed.filter((name) => !names.has(name))
  if (missing.length === 0) return
  throw unavailable(
    `The database lacks ${missing.length} of ${needed.length} migrations, the first is ${missing[0]}. ` +
      'Apply them: npx wrangler d1 migrations apply DB, with --local or --remote.',
  )
}

const unavailable = (detail: string) => new ApiError('unavailable', detail, [], { 'retry-after': '1' })
