import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import journal from '../../../migrations/meta/_journal.json' with { type: 'json' }
import { ApiError, MissingMigrationError } from '../errors.ts'
import { type Database, lazy } from './database.ts'
import { db, typed } from './query.ts'

/** The names of the migrations of this release, as wrangler records them. */
const needed = journal.entries.map(({ tag }) => `${tag}.sql`)

/** wrangler's table of applied migrations. */
const appliedTable = sqliteTable('d1_migrations', { name: text().notNull() })
const applied = lazy(() => typed({ name: appliedTable.name }, (select) => db.select(select).from(appliedTable)))

/** Throws a `503` unless the database responds and has all migrations of this release. One round trip. */
export async function checkDatabase(database: Database): Promise<void> {
  let names: ReadonlySet<string>
  try {
    const [rows = []] = await database.run([applied(), {}])
    names = new Set(rows.map(({ name }) => name))
  } catch (error) {
    if (!(error instanceof MissingMigrationError)) throw unavailable('The database does not respond.')
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
