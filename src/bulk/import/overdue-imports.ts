import type { Database } from '../../platform/db/database.ts'
import type { Bindings } from '../../platform/env.ts'
import { enqueueImport } from './enqueue-import.ts'
import { overdueStatements } from './statements/maintenance-statements.ts'

/** Seconds without progress after which an import gets another message, and after which an upload counts as cut off. */
export const overdueImportSeconds = { step: 30, upload: 3_600 } as const
/** Maximum number of imports that one run of the scheduled task enqueues. */
const maxEnqueued = 100

/** Enqueues imports that make no progress, because their message was lost, and deletes uploads that were cut off. */
export async function enqueueOverdueImports(env: Bindings, database: Database, now: number): Promise<number> {
  const before = now - overdueImportSeconds.step
  const [idle] = await database.run([overdueStatements.findIdle(), { before }])
  if (idle.length === 0) return 0
  const abandoned = { before: now - overdueImportSeconds.upload }
  const [overdue] = await database.run(
    [overdueStatements.findOverdue(), { before, limit: maxEnqueued }],
    [overdueStatements.removeAbandonedChunks(), abandoned],
    [overdueStatements.removeAbandoned(), abandoned],
  )
  await Promise.all(
    overdue.map(({ merchantId, testMode, id }) => enqueueImport(env, { merchant: merchantId, testMode, import: id })),
  )
  return overdue.length
}
