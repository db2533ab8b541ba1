import { min, sql } from 'drizzle-orm'
import { maxCountedPending, reportedLagMinutes, writeBacklog } from '../../platform/db/counters.ts'
import { type Database, lazy } from '../../platform/db/database.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { db, typed } from '../../platform/db/query.ts'
import { deliveryTable } from '../../platform/db/schema/events.ts'
import type { Bindings } from '../../platform/env.ts'
import { toSeconds } from '../../platform/lib/time.ts'
import { hasState } from '../../webhooks/rows/conditions.ts'
import { inspectDue } from '../maintenance/purges.ts'

/** Deliveries to platform webhooks are not those of the merchant. */
const backlog = lazy(() =>
  typed({ pending: sql<number>`count(*)`, dueAt: min(deliveryTable.dueAt) }, (select) =>
    db
      .select(select)
      .from(
        sql`(select * from ${deliveryTable} where ${hasState('pending')} and ${deliveryTable.webhook} > 0 order by ${deliveryTable.dueAt} limit ${maxCountedPending}) as ${deliveryTable}`,
      ),
  ),
)

/**
 * Writes into the directory how many deliveries of an object are pending, and since when its purges are overdue, for the metrics. After a backlog
 * ends, writes once that nothing is pending. Returns whether the directory has a backlog.
 */
export async function reportBacklog(
  env: Bindings,
  database: Database,
  merchantId: string,
  hasReported: boolean,
): Promise<boolean> {
  const [[found]] = await database.run([backlog(), {}])
  const nowMs = Date.now()
  const lags = (await inspectDue(database, nowMs, hasReported)).map(({ overdueSeconds }) => overdueSeconds)
  const lag = Math.max(0, ...lags)
  const pending = found?.pending ?? 0
  const expiredAt = lag > reportedLagMinutes * 60 ? toSeconds(nowMs) - lag : 0
  const hasBacklog = pending > 0 || expiredAt > 0
  if (!hasBacklog && !hasReported) return false
  await writeBacklog(directoryDatabase(env), merchantId, { pending, dueAt: found?.dueAt ?? 0, expiredAt })
  return hasBacklog
}
