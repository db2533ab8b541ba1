import type { Caller } from '../../../catalogue/resource/caller.ts'
import { resolveUntil } from '../../../checkout/stock/availability.ts'
import type { ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import type { ApiError } from '../../../platform/errors.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { toSeconds } from '../../../platform/lib/time.ts'
import { getBatchResource } from '../../batch/batch-resource.ts'
import { withoutIds } from '../../batch/body-names.ts'
import type { Step } from '../../batch/plan/operation-step.ts'
import { planBatch } from '../../batch/plan/plan-batch.ts'
import { toIssueCode } from '../../batch/problems.ts'
import { getPointed, isSameValue, listSetValues } from '../draft/pointers.ts'
import type { ReleaseConflict, ReleaseError } from '../release-fields.ts'
import type { ReleaseOperation } from '../release-view.ts'
import { type Current, findCurrent, type PlannedOperation } from './find-current.ts'
import { hasTomorrow, planSides, type ReleaseStep } from './side-plans.ts'

/** Ids of the objects that a release deletes, also of those that are gone already. */
function listDeleted(operations: readonly ReleaseOperation[]): ReadonlyMap<ResourceTable, ReadonlySet<string>> {
  const deletions = operations.filter(({ verb }) => verb === 'delete')
  const byPath = Map.groupBy(deletions, ({ path }) => path)
  return new Map(
    Array.from(byPath, ([path, own]) => [
      getBatchResource(path).resource.table,
      new Set(own.map(({ target }) => target)),
    ]),
  )
}

/**
 * Operations, and how the planner of batches takes them. Bodies do not name what the release deletes: a deletion removes an object from others, in
 * whichever order the operations were put into the release.
 */
function pairPlanned(operations: readonly ReleaseOperation[]): [ReleaseOperation, PlannedOperation][] {
  const deleted = listDeleted(operations)
  const toPlanned = ({ path, target, verb, externalId, parts }: ReleaseOperation): PlannedOperation => {
    if (verb === 'delete') return { op: verb, resource: path, id: target }
    const { details, availability, limits } = parts
    let body: unknown = parts.body
    for (const reference of getBatchResource(path).resource.references) {
      const ids = deleted.get(reference.target)
      if (ids) body = withoutIds(body, reference, ids)
    }
    const named = verb === 'create' ? { newId: target, externalId } : { id: target }
    return {
      ...{ op: verb, resource: path, ...named, body: isObject(body) ? body : {} },
      ...(details && { details }),
      ...(availability && { availability }),
      ...(limits && { limits }),
    }
  }
  return operations.map((operation) => [operation, toPlanned(operation)])
}

/** Fields that somebody else has changed since they were put into the release. */
function* listConflicts(operation: ReleaseOperation, current: Current): Iterable<ReleaseConflict> {
  const { path: resource, target: id, verb, parts, base } = operation
  const now = verb === 'update' ? current.toParts(resource, id, parts) : undefined
  if (!now) return
  for (const [pointer, yours] of listSetValues(parts)) {
    const [before, value] = [base[pointer] ?? null, getPointed(now.parts, pointer)]
    if (isSameValue(before, value) || isSameValue(yours, value)) continue
    const shown = { base: before ?? undefined, yours: yours ?? undefined, current: value ?? undefined }
    yield { resource, id, field: pointer, ...shown }
  }
}

/** The errors of an operation that the planner of batches rejects, with pointers into its parts. */
function toErrors({ path: resource, target: id }: ReleaseOperation, step: Step, problem: ApiError): ReleaseError[] {
  const { code, message, issues } = problem
  if (issues.length === 0) return [{ resource, id, code: toIssueCode(code), message }]
  return issues.map((issue) => {
    if (!('pointer' in issue)) return { resource, id, code: issue.code, message: issue.message }
    const isOfSide = step.details?.issues.includes(issue) || step.limits?.issues.includes(issue)
    const isOwn = isOfSide || (code === 'conflict' && issue.pointer === '/externalId')
    return {
      resource,
      id,
      pointer: isOwn ? issue.pointer : `/body${issue.pointer}`,
      code: issue.code,
      message: issue.message,
    }
  })
}

/** Whether an operation has nothing to do: it deletes what is gone. */
const isGone = ({ verb, path, target }: ReleaseOperation, current: Current) =>
  verb === 'delete' && !current.found.get(path)?.byId.has(target)

/** Parts of a caller that planning a publication needs. */
type Publisher = Pick<Caller, 'database' | 'scope' | 'validationContext'>

/** Plans the publication of a release from a state that was read. `findTomorrow` returns the end of marks until tomorrow. */
export async function planFrom(
  caller: Publisher,
  operations: readonly ReleaseOperation[],
  current: Current,
  findTomorrow: (now: number) => Promise<number> | number | undefined,
) {
  const kept = pairPlanned(operations).filter(([operation]) => !isGone(operation, current))
  const nowMs = Date.now()
  const now = toSeconds(nowMs)
  const context = {
    scope: caller.scope,
    validationContext: caller.validationContext,
    nowSeconds: now,
    keepsPartIds: true,
  }
  const steps = planBatch(
    context,
    kept.map(([, planned]) => planned),
    current.found,
    current.planners,
  )
  const pairs = steps.flatMap((step, index): ReleaseStep[] => {
    const [operation] = kept[index] ?? []
    return operation ? [{ operation, step }] : []
  })
  const tomorrow = kept.some(([operation]) => hasTomorrow(operation)) ? await findTomorrow(now) : undefined
  const side = planSides(
    pairs.filter(({ step }) => !step.problem),
    { now, tomorrow },
  )
  const errors = pairs.flatMap(({ operation, step }) => [
    ...(step.problem ? toErrors(operation, step, step.problem) : []),
    ...(side.issues.get(operation) ?? []).map(
      (issue): ReleaseError => ({
        ...{ resource: operation.path, id: operation.target, code: issue.code, message: issue.message },
        ...('pointer' in issue && { pointer: issue.pointer }),
      }),
    ),
  ])
  const damages = steps.flatMap(({ damage }) => (damage ? [damage] : []))
  if (damages.length > 0) caller.database.report(damages)
  return {
    ...{ current, pairs, steps, nowMs, side, errors },
    conflicts: kept.flatMap(([operation]) => [...listConflicts(operation, current)]),
  }
}
export type ReleasePlan = Awaited<ReturnType<typeof planFrom>>

/** Plans the publication of a release from the present state. It writes nothing. */
export async function planRelease(caller: Publisher, operations: readonly ReleaseOperation[]): Promise<ReleasePlan> {
  const planned = pairPlanned(operations).map(([, each]) => each)
  const current = await findCurrent(caller, planned)
  return planFrom(caller, operations, current, (now) => resolveUntil(caller, 'tomorrow', now))
}
