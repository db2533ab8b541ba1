import type { Caller } from '../../catalogue/resource/caller.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../../catalogue/resource/object-lock.ts'
import { ConstraintError, getConstraintSubject } from '../../platform/db/database-errors.ts'
import type { BatchOperation, BatchOptions, OperationResult } from './operation.ts'
import { findObjects } from './plan/find-objects.ts'
import { planBatch } from './plan/plan-batch.ts'
import type { Step } from './plan/step.ts'
import { createBatchProblem } from './problems.ts'
import { createResults } from './results.ts'
import { undoColumn } from './statements/violation.ts'
import { listTagChanges } from './tag-changes.ts'
import { writeBatch } from './write/write-batch.ts'

/** A batch as it was planned on one state of the database. */
interface Attempt {
  steps: readonly Step[]
  results: readonly OperationResult[]
}

const isUndone = (error: unknown) =>
  error instanceof ConstraintError && error.subject === getConstraintSubject(undoColumn)

/** Reads, plans and writes once. Throws a `ConstraintError` if another writer interfered. */
async function attemptBatch(
  caller: Caller,
  operations: readonly BatchOperation[],
  options: BatchOptions,
): Promise<Attempt> {
  const { mode, dryRun = false, returnObjects = false, finish, createResponse } = options
  const { database, scope, validationContext } = caller
  // A replica could lag behind: each problem must be that of the latest state.
  database.usePrimary()
  const found = await findObjects(caller, operations, returnObjects)
  const nowMs = Date.now()
  const steps = planBatch(
    { scope, validationContext, nowSeconds: Math.floor(nowMs / 1000), keepsPartIds: true },
    operations,
    found,
  )
  const damages = steps.flatMap(({ damage }) => (damage ? [damage] : []))
  if (damages.length > 0) database.report(damages)
  const failed = steps.filter(({ problem }) => problem)
  if (mode === 'atomic' && failed.length > 0) throw createBatchProblem(failed)
  const results = await createResults(caller, steps, options)
  try {
    await writeBatch(caller, {
      steps,
      nowMs,
      dryRun,
      finish: finish?.(results) ?? [],
      response: caller.idempotency && createResponse?.(results),
    })
  } catch (error) {
    if (!dryRun || !isUndone(error)) throw error
  }
  return { steps, results }
}

/**
 * Runs a batch in one transaction. In atomic mode, throws `batch_failed` if an operation fails. In either mode, throws
 * `invalid_request` if two operations name the same object. Batches of a merchant take turns within an isolate.
 */
export const runBatch = (
  caller: Caller,
  operations: readonly BatchOperation[],
  options: BatchOptions,
): Promise<readonly OperationResult[]> =>
  withObjectLock(JSON.stringify(['batch', caller.scope.merchantId]), async () => {
    for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
      try {
        const { steps, results } = await attemptBatch(caller, operations, options)
        const tagChanges = options.dryRun ? [] : listTagChanges(steps)
        if (tagChanges.length > 0) await options.onTagChanges(tagChanges)
        return results
      } catch (error) {
        if (!(error instanceof ConstraintError) || error.kind === 'check') throw error
        await pauseAfter(attempt)
      }
    }
    throw busy()
  })
