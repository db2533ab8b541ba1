import { lte, sql } from 'drizzle-orm'
import { byIndex } from '../../../platform/by-index.ts'
import { type Database, lazy, param } from '../../../platform/db/database.ts'
import { isHere } from '../../../platform/db/home/home.ts'
import { db, selectList, typed } from '../../../platform/db/query.ts'
import { changeSetTable as table } from '../../../platform/db/schema/objects/change-sets.ts'
import type { Bindings } from '../../../platform/env.ts'
import { log } from '../../../platform/lib/log.ts'
import { requireSent } from '../../../platform/lib/time.ts'
import type { UndoMessage } from '../../../platform/messages.ts'

/** Seconds without progress after which an undo gets another message. */
export const overdueUndoSeconds = 30
/** Maximum number of undos that one run of the scheduled task enqueues. */
const maxEnqueued = 100

const isUnderWay = sql`${table.progress} is not null`
const pending = { merchantId: table.merchantId, testMode: table.testMode, id: table.id }
const findOverdue = lazy(() =>
  typed(
    pending,
    () => sql`select ${selectList(pending)} from ${byIndex(table, 'change_sets_undoing')}
      where ${isUnderWay} and ${lte(table.updatedAt, param('before'))} and ${isHere(table.merchantId)} limit ${param('limit')}`,
  ),
)

/** The time of the last progress of the undo that has waited longest; null without one. */
export const oldestUndo = lazy(() =>
  typed({ updatedAt: sql<number | null>`min(${table.updatedAt})` }, (select) =>
    db.select(select).from(table).where(isUnderWay),
  ),
)

/** Enqueues the next steps of an undo. Logs a failure and resolves: the scheduled task enqueues undos that make no progress. */
export async function enqueueUndo(env: Pick<Bindings, 'IMPORTS' | 'REQUEST_ID'>, message: UndoMessage) {
  try {
    await requireSent(env.IMPORTS.send(message))
  } catch (error) {
    log(env, 'undo not enqueued', { ...message, error: String(error) })
  }
}

/** Enqueues undos that make no progress, because their message was lost. */
export async function enqueueOverdueUndos(env: Bindings, database: Database, now: number): Promise<number> {
  const [overdue] = await database.run([findOverdue(), { before: now - overdueUndoSeconds, limit: maxEnqueued }])
  await Promise.all(
    overdue.map(({ merchantId, testMode, id }) => enqueueUndo(env, { merchant: merchantId, testMode, undo: id })),
  )
  return overdue.length
}
