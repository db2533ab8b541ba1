import { asc, min, sql } from 'drizzle-orm'
import { allOf, databaseNow, lazy, param } from '../../../platform/db/database.ts'
import { isHere } from '../../../platform/db/home/home.ts'
import { db, typed } from '../../../platform/db/query.ts'
import { releaseTable as table } from '../../../platform/db/schema/releases/releases.ts'

/** Maximum number of releases that one run publishes. Those of a minute beyond it follow in the next run. */
export const maxPublished = 200

const fields = {
  id: table.id,
  merchantId: table.merchantId,
  testMode: table.testMode,
  publishAt: table.publishAt,
  scheduledBy: table.scheduledBy,
  baseUrl: table.baseUrl,
}

/** Scheduled releases whose time has come by the clock of the database, except those of merchants whose data is elsewhere. */
const isDue = sql`${table.state} = 'scheduled' and ${table.publishAt} <= ${databaseNow}`
export const findDue = lazy(() =>
  typed(fields, (select) =>
    db
      .select(select)
      .from(table)
      .where(allOf(isDue, isHere(table.merchantId)))
      .orderBy(asc(table.publishAt), asc(table.id))
      .limit(param('limit')),
  ),
)

/** A release that is due. */
export interface Due {
  id: string
  merchantId: string
  testMode: boolean
  publishAt: number | null
  scheduledBy: string | null
  baseUrl: string | null
}

const publishAt = min(table.publishAt)
/** Returns the time of the next scheduled release, in seconds; null without one. */
export const findNextRelease = lazy(() =>
  typed({ publishAt }, (select) => db.select(select).from(table).where(sql`${table.state} = 'scheduled'`)),
)
