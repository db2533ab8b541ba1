import { min, sql } from 'drizzle-orm'
import { writeBacklog } from '../db/counters.ts'
import { type Database, lazy } from '../db/database.ts'
import { directoryDatabase } from '../db/home/connect.ts'
import { db, typed } from '../db/query.ts'
import { deliveryTable } from '../db/schema/deliveries.ts'
import type { Bindings } from '../env.ts'
import { hasState } from '../webhooks/rows/conditions.ts'

const backlog = lazy(() =>
  typed({ pending: sql<number>`count(*)`, dueAt: min(deliveryTable.dueAt) }, (select) =>
    db.select(select).from(deliveryTable).where(hasState('pending')),
  ),
)

/**
 * Writes the number of pending deliveries of an object into the directory, for the metrics. Zero is written once, after another number.
 * Returns whether the number in the directory is above zero.
 */
export async function reportBacklog(
  env: Bindings,
  database: Database,
  merchantId: string,
  hasReported: boolean,
): Promise<boolean> {
  const [[found]] = await database.run([backlog(), {}])
  const pending = found?.pending ?? 0
  if (pending === 0 && !hasReported) return false
  await writeBacklog(directoryDatabase(env), merchantId, { pending, dueAt: found?.dueAt ?? 0 })
  return pending > 0
}
