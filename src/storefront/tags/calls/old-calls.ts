import { lte, sql } from 'drizzle-orm'
import { compile, type Database, lazy, param } from '../../../platform/db/database.ts'
import { tagRequestTable as table } from '../../../platform/db/schema/resources/tag-requests.ts'
import { callLimits } from './call-limits.ts'

/** Maximum number of calls that one run deletes. A run starts every minute. */
const maxDeleted = 5_000

const statement = lazy(() =>
  compile(sql`delete from ${table} where rowid in (
    select ${table}.rowid from ${table} where ${lte(table.at, param('before'))} limit ${param('limit')})`),
)

/** Deletes calls that are over. After a move, those of the earlier home too. */
export async function deleteOldCalls(database: Database, now: number): Promise<void> {
  await database.run([statement(), { before: now - callLimits.seconds, limit: maxDeleted }])
}
