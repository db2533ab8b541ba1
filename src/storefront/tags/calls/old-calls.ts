import { lte, sql } from 'drizzle-orm'
import { byIndex, byKey } from '../../../platform/by-index.ts'
import { compile, type Database, lazy, param } from '../../../platform/db/database.ts'
import { db, typed } from '../../../platform/db/query.ts'
import { tagRequestTable as table } from '../../../platform/db/schema/resources/tag-requests.ts'
import { callLimits } from './call-limits.ts'

/** Maximum number of calls that one run deletes. A run starts every minute. */
const maxDeleted = 5_000

const isOver = lte(table.at, param('before'))
const byTime = byIndex(table, 'tag_requests_at')
const key = sql`${table.merchantId}, ${table.testMode}, ${table.id}`
const over = sql`select ${key} from ${byTime} where ${isOver} limit ${param('limit')}`
const statements = {
  find: lazy(() => typed({ at: table.at }, (select) => db.select(select).from(byTime).where(isOver).limit(1))),
  remove: lazy(() => compile(sql`delete from ${byKey(table)} where (${key}) in (${over})`)),
}

/** Deletes calls that are over. After a move, those of the earlier home too. With none, it reads one row. */
export async function deleteOldCalls(database: Database, now: number): Promise<void> {
  const values = { before: now - callLimits.seconds, limit: maxDeleted }
  const [found] = await database.run([statements.find(), values])
  if (found.length > 0) await database.run([statements.remove(), values])
}
