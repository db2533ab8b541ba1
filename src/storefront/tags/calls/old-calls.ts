import { lte, sql } from 'drizzle-orm'
import { compile, type Database, lazy, param } from '../../../platform/db/database.ts'
import { tagRequestTable as table } from '../../../platform/db/schema/resources/tag-requests.ts'
import { callLimits } from './call-limits.ts'

/** Maximum number of calls that one run deletes. A run starts every minute. */
const maxDeleted = 5_000

const isOver = lte(table.at, param('before'))
/** Names the index, in both places: with statistics of a time when the table was small, SQLite would read all of it. */
const statement = lazy(() =>
  compile(sql`delete from ${table} indexed by tag_requests_at where ${isOver} and rowid in (
    select ${table}.rowid from ${table} indexed by tag_requests_at where ${isOver} limit ${param('limit')})`),
)

/** Deletes calls that are over. After a move, those of the earlier home too. */
export async function deleteOldCalls(database: Database, now: number): Promise<void> {
  await database.run([statement(), { before: now - callLimits.seconds, limit: maxDeleted }])
}
