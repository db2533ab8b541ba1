import { externalIdTaken } from '../../../catalogue/resource/external-ids.ts'
import type { PlanContext } from '../../../catalogue/resource/plan.ts'
import { type ApiError, type Issue, invalid, notFound } from '../../../platform/errors.ts'
import { isPreconditionMet, preconditionFailed } from '../../../platform/http/etag.ts'
import type { BatchOperation } from '../operation.ts'
import type { Found } from './find-objects.ts'
import { createNameResolver, type NameResolver } from './name-resolver.ts'
import { createDependencyIssue, type Step, toStep } from './operation-step.ts'
import { planBody } from './plan-bodies.ts'
import { settleConflicts } from './settle-conflicts.ts'

/** Throws an issue for each operation whose object was used by an earlier operation. */
function requireDifferentObjects(steps: readonly Step[]) {
  const seen = new Set<string>()
  const issues = steps.flatMap(({ index, operation, object }): Issue[] => {
    const key = JSON.stringify([operation.resource, object?.id])
    const isRepeated = object !== undefined && seen.has(key)
    seen.add(key)
    const member = operation.id === undefined ? 'externalId' : 'id'
    const message = 'names the object of an earlier operation'
    return isRepeated ? [{ pointer: `/operations/${index}/${member}`, code: 'duplicate', message }] : []
  })
  if (issues.length > 0) throw invalid(issues)
}

function planDeletion(step: Step, found: Found) {
  const { object, condition, operation } = step
  if (!object) step.problem = notFound()
  else if (condition && !isPreconditionMet(condition, object)) step.problem = preconditionFailed()
  else step.result = found.get(operation.resource)?.whole.get(object.id)
}

/** The problem of a create that does not depend on its body: its external id is taken, or it requires a state of a missing object. */
function getLastProblem(step: Step, found: Found, deletedIds: ReadonlySet<string>): ApiError | undefined {
  const { kind, operation, externalId, object, condition, batch } = step
  const objects = found.get(operation.resource)
  if (kind === 'update') {
    if (object && condition && !isPreconditionMet(condition, object)) return preconditionFailed()
    const isTaken = objects?.byExternalId.has(operation.newExternalId ?? '')
    return isTaken ? externalIdTaken(batch.resource) : undefined
  }
  const isBack = operation.restored && objects?.byId.has(step.id)
  if (externalId !== undefined && objects?.byExternalId.has(externalId)) {
    const holder = objects.byExternalId.get(externalId)
    if (!holder || !deletedIds.has(holder.id)) {
      if (!operation.restored) return externalIdTaken(batch.resource)
      // A restored object returns without it.
      step.externalId = undefined
    }
  }
  if (isBack) return preconditionFailed()
  return operation.ifMatch === undefined ? undefined : preconditionFailed()
}

/** Fails operations whose body names an operation that failed. Returns whether there are such operations. */
function failDependents(steps: readonly Step[]): boolean {
  let isChanged = false
  for (const step of steps) {
    if (step.problem) continue
    const failed = step.dependencies.filter(({ step: { problem } }) => problem !== undefined)
    if (failed.length === 0) continue
    step.problem = invalid(failed.map(({ pointer }) => createDependencyIssue(pointer)))
    isChanged = true
  }
  return isChanged
}

/** Plans what operations have beside bodies: details of objects or limits of coupons. */
export interface SidePlanner {
  /** Reads those of all operations. */
  read(steps: readonly Step[], names: NameResolver): void
  /** Plans those of all operations without a problem. Returns whether any of them fails. */
  plan(steps: readonly Step[]): boolean
}

/**
 * Plans a batch from the data that was read: deletions first, then creates, then updates. Operations that cannot succeed get a problem. Throws if two
 * operations name the same object.
 */
export function planBatch(
  context: PlanContext,
  operations: readonly BatchOperation[],
  found: Found,
  sides: readonly SidePlanner[] = [],
): Step[] {
  const steps = operations.map((operation, index) => toStep(operation, index, found))
  requireDifferentObjects(steps)
  for (const step of steps) if (step.kind === 'delete') planDeletion(step, found)
  const names = createNameResolver(steps, found)
  for (const step of steps) {
    if (step.kind === 'delete') continue
    const { batch, operation, object } = step
    step.lastProblem = getLastProblem(step, found, names.deletedIds({ target: batch.resource.table }))
    planBody(step, context, names, object && found.get(operation.resource)?.whole.get(object.id))
  }
  for (const side of sides) side.read(steps, names)
  do {
    // All dependent operations fail before values are compared, because a failed operation does not use its values.
    let hasDependents = true
    while (hasDependents) hasDependents = failDependents(steps)
  } while (settleConflicts(steps, found) || sides.some((side) => side.plan(steps)))
  return steps
}
