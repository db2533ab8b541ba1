import type { Caller } from '../../catalogue/resource/caller.ts'
import { readableParts } from '../../catalogue/resource/definition.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../../catalogue/resource/object-lock.ts'
import type { ResourceChange } from '../../catalogue/resource/routes.ts'
import { type TagItem, tags } from '../../catalogue/resources/tags.ts'
import { ConstraintError } from '../../platform/db/database-errors.ts'
import { isUndoneAlways } from '../../platform/db/transaction.ts'
import { createStateTag, toState } from '../../platform/http/etag.ts'
import type { BatchOperation, BatchOptions, OperationResult } from './operation.ts'
import { findObjects, type SideReads } from './plan/find-objects.ts'
import type { Step } from './plan/operation-step.ts'
import { planBatch, type SidePlanner } from './plan/plan-batch.ts'
import { createBatchProblem, toFailedResult } from './problems.ts'
import { type SideWriter, writeBatch } from './write/write-batch.ts'

function toTagChange({
  kind,
  id,
  created,
  change,
  details,
  result,
  problem,
  batch,
  operation,
}: Step): ResourceChange<TagItem> | undefined {
  const isChanged = created ?? change ?? details?.change ?? kind === 'delete'
  if (batch.resource.path !== 'tags' || problem || !isChanged || !result) return undefined
  const deleted = kind === 'delete'
  const version = result.version + (deleted ? 1 : 0)
  if (result.damaged) return { id, readable: result.damaged.readable, version, deleted: true }
  const isNew = created !== undefined && !operation.restored
  const hasNoDetails = !details?.change && (isNew || result.hasDetails === false)
  return { item: tags.item.parse(result.item), version, deleted, hasNoDetails }
}

/** The changes of tags that a batch made. */
const listTagChanges = (steps: readonly Step[]): readonly ResourceChange<TagItem>[] =>
  steps.flatMap((step) => toTagChange(step) ?? [])

function getOutcome({ kind, change, details, limits }: Step) {
  if (kind === 'create') return { status: 201, outcome: 'created' } as const
  if (kind === 'delete') return { status: 200, outcome: 'deleted' } as const
  return { status: 200, outcome: change || details?.change || limits?.change ? 'updated' : 'unchanged' } as const
}

/** The entity tag and the object that the response to the single operation shows. */
async function render({ kind, batch: { resource }, result, id }: Step, { renderContext }: Caller) {
  if (!result) return {}
  if (result.damaged) return { object: readableParts(resource, id, result.damaged.readable) }
  const { item, version } = result
  if (kind === 'delete') return { object: resource.toView(item, renderContext) }
  const full = await resource.toFullView(item, renderContext)
  const object = kind === 'create' ? { ...full, ...resource.toCreatedOnly(item) } : resource.toView(item, renderContext)
  return { etag: createStateTag(toState(version, item), full), object }
}

/** The results of a batch, in the order of its operations. */
async function createResults(
  caller: Caller,
  steps: readonly Step[],
  { dryRun = false, returnObjects = false }: BatchOptions,
): Promise<OperationResult[]> {
  const results: OperationResult[] = []
  for (const step of steps) {
    const { index, kind, id, externalId, problem } = step
    if (problem) {
      results.push(toFailedResult(step, problem))
      continue
    }
    const named = externalId === undefined ? {} : { externalId }
    // Omits generated values, because the batch itself will generate other ones.
    if (dryRun && kind === 'create') {
      results.push({ index, ...getOutcome(step), ...named })
      continue
    }
    const { object, etag } = await render(step, caller)
    results.push({
      index,
      ...getOutcome(step),
      id,
      ...named,
      ...(etag !== undefined && { etag }),
      ...(returnObjects && object && { object }),
      ...(returnObjects && step.details?.shown && { details: step.details.shown }),
      ...(returnObjects && step.limits?.shown && { limits: step.limits.shown }),
    })
  }
  return results
}

/** A batch that was planned from one state of the database. */
interface Attempt {
  steps: readonly Step[]
  results: readonly OperationResult[]
}

interface Side extends SideReads, SidePlanner, SideWriter {}

/** The parts for details, for limits and for returning objects of a batch. An isolate loads each with the first batch that has some. */
async function loadSides(caller: Caller, operations: readonly BatchOperation[]): Promise<readonly Side[]> {
  const sides: Side[] = []
  if (operations.some(({ details }) => details)) {
    const { createBatchDetails } = await import('./details/batch-details.ts')
    sides.push(await createBatchDetails(caller, operations))
  }
  if (operations.some(({ limits }) => limits)) {
    const { createBatchLimits } = await import('./limits/batch-limits.ts')
    sides.push(createBatchLimits(caller, operations))
  }
  if (operations.some(({ restored }) => restored)) {
    const { createBatchReturns } = await import('./details/batch-returns.ts')
    sides.push(await createBatchReturns(caller, operations))
  }
  return sides
}

/** Reads, plans and writes once. Throws a `ConstraintError` if another writer interfered. */
async function attemptBatch(
  requester: Caller,
  operations: readonly BatchOperation[],
  options: BatchOptions,
): Promise<Attempt> {
  const {
    mode,
    dryRun = false,
    returnObjects = false,
    findChangeSet,
    finish,
    marked,
    writeMore,
    createResponse,
  } = options
  // A replica may be stale, but each problem must come from the latest state.
  requester.database.usePrimary()
  const changeSet = dryRun ? undefined : await findChangeSet?.(requester)
  const caller = changeSet ? { ...requester, changeSet: changeSet.id } : requester
  const { database, scope, validationContext } = caller
  const sides = await loadSides(caller, operations)
  const found = await findObjects(caller, operations, returnObjects, sides)
  const nowMs = Date.now()
  const steps = planBatch(
    { scope, validationContext, nowSeconds: Math.floor(nowMs / 1000), keepsPartIds: true },
    operations,
    found,
    sides,
  )
  const damages = steps.flatMap(({ damage }) => (damage ? [damage] : []))
  if (damages.length > 0) database.report(damages)
  const failed = steps.filter(({ problem }) => problem)
  if (mode === 'atomic' && failed.length > 0) throw createBatchProblem(failed)
  const results = await createResults(caller, steps, options)
  try {
    await writeBatch(caller, {
      steps,
      sides: writeMore ? [...sides, { listWrites: (values) => writeMore(results, values) }] : sides,
      nowMs,
      dryRun,
      changeSet,
      marked,
      finish: finish?.(results) ?? [],
      response: caller.idempotency && createResponse?.(results),
    })
  } catch (error) {
    if (!dryRun || !isUndoneAlways(error)) throw error
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
