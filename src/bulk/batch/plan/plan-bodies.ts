import type { Draft } from '../../../catalogue/resource/definition.ts'
import { merge } from '../../../catalogue/resource/merge-patch.ts'
import type { PlanContext } from '../../../catalogue/resource/plan.ts'
import { planCreate, planUpdate } from '../../../catalogue/resource/plan.ts'
import type { ReadObject } from '../../../catalogue/resource/row-mapping.ts'
import { DamagedError } from '../../../platform/db/damaged-rows.ts'
import { ApiError, type Issue, invalid, notFound, unknownReference } from '../../../platform/errors.ts'
import { bodyTooLarge } from '../../../platform/http/exact-json.ts'
import { limits } from '../../../platform/http/fields.ts'
import { damagedProblem } from '../../../platform/http/problem-details.ts'
import { type ParsedBody, parseFields } from '../../../platform/http/validation.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { resolveNames, withoutIds } from '../body-names.ts'
import type { NameResolver } from './name-resolver.ts'
import type { Step } from './operation-step.ts'
import { planRestored } from './plan-restored.ts'

const utf8 = new TextEncoder()

/** Whether a body, or details, exceed the limit of a single operation. */
export function isTooLarge(body: unknown): boolean {
  const { length } = JSON.stringify(body)
  // A UTF-16 unit has at most three bytes in UTF-8.
  return length * 3 > limits.bodyBytes && utf8.encode(JSON.stringify(body)).length > limits.bodyBytes
}

/** Checks a body whose names of objects are replaced with ids. */
function parseBody({ batch, kind, operation, dependencies }: Step, names: NameResolver): ParsedBody {
  const { resource, updateRules } = batch
  if (isTooLarge(operation.body)) throw bodyTooLarge()
  let body: unknown = operation.body
  for (const reference of resource.references) {
    body = resolveNames(body, reference, (name) => {
      const { id, step } = names.resolve(reference, name)
      if (step) dependencies.push({ pointer: name.pointer, step })
      return id
    })
  }
  return parseFields(kind === 'create' ? resource.create : updateRules, isObject(body) ? body : {})
}

/** Issues of ids that do not exist, except those that the object already contains. */
function listDangling(
  { batch }: Step,
  names: NameResolver,
  draft: Draft,
  before: Draft = {},
): (Issue & { pointer: string })[] {
  return batch.resource.references.flatMap((reference) => {
    const known = new Set(reference.listIds(before).map(({ id }) => id))
    return reference
      .listIds(draft)
      .filter(({ id }) => !known.has(id) && !names.exists(reference, id))
      .map(({ pointer }) => ({ pointer, code: 'not_found', message: unknownReference }) as const)
  })
}

/** Throws the issues of a body, including those of ids that do not exist. */
function requireValid(issues: readonly Issue[], dangling: readonly (Issue & { pointer: string })[]) {
  const reported = new Set(issues.map((issue) => ('pointer' in issue ? issue.pointer : undefined)))
  const all = [...issues, ...dangling.filter(({ pointer }) => !reported.has(pointer))]
  if (all.length > 0) throw invalid(all)
}

function planCreation(step: Step, context: PlanContext, names: NameResolver) {
  if (step.operation.restored) {
    planRestored(step, step.operation.restored, context, names)
    return
  }
  const body = parseBody(step, names)
  const plan = planCreate(step.batch.mapping, context, body, { id: step.id })
  requireValid(plan.issues, listDangling(step, names, plan.draft))
  if (!plan.created) return
  step.created = { stored: plan.created, row: plan.row }
  step.result = plan.created
}

/** An object without the ids of objects that the batch deletes, and the old values of the fields with such ids. */
function prune({ batch }: Step, current: ReadObject<object>, names: NameResolver) {
  const stored: Draft = { ...(current.damaged ? current.damaged.readable : current.item) }
  const previous: Record<string, unknown> = {}
  let pruned: unknown = stored
  for (const reference of batch.resource.references) {
    const deleted = names.deletedIds(reference)
    if (!reference.listIds(stored).some(({ id }) => deleted.has(id))) continue
    previous[reference.field] = stored[reference.field]
    pruned = withoutIds(pruned, reference, deleted)
  }
  const rest: Draft = isObject(pruned) ? pruned : stored
  const { id, version, hasDetails, damaged } = current
  const object: ReadObject<object> = damaged
    ? { id, version, hasDetails, damaged: new DamagedError(damaged.damage, rest) }
    : { id, version, hasDetails, item: rest }
  return { object, previous }
}

function planChange(step: Step, context: PlanContext, names: NameResolver, current: ReadObject<object> | undefined) {
  const { mapping } = step.batch
  const body = parseBody(step, names)
  if (!current) {
    const patch = merge({}, body.patch)
    requireValid(body.issues, listDangling(step, names, patch))
    throw notFound()
  }
  const { object, previous } = prune(step, current, names)
  const plan = planUpdate(mapping, context, object, body)
  if (plan.kind === 'damaged' || plan.kind === 'forbidden') throw plan.error
  const before = mapping.toRow(object.damaged ? object.damaged.readable : object.item)
  requireValid(plan.kind === 'invalid' ? plan.issues : [], listDangling(step, names, plan.draft, before))
  if (plan.kind === 'invalid') return
  const pruned = Object.keys(previous)
  if (step.operation.newExternalId !== undefined) previous['externalId'] = null
  if (plan.kind === 'unchanged' && Object.keys(previous).length === 0) {
    step.result = plan.current
    return
  }
  if (plan.kind === 'unchanged') {
    const updatedAt = Math.max(context.nowSeconds, Number(before['updatedAt']) + 1)
    const { id, version, item } = plan.current
    const row = { ...before, updatedAt }
    const updated = { id, item: { ...item, updatedAt }, version: version + 1 }
    step.change = { updated, before, row, changed: [...pruned, 'updatedAt'], previous, repairs: false }
  } else {
    const { change } = plan
    const changed = [...new Set([...change.changed, ...pruned])]
    step.change = { ...change, changed, previous: { ...change.previous, ...previous } }
  }
  step.result = step.change.updated
}

/** Plans a create or an update. Its issues become the problem of the operation. */
export function planBody(
  step: Step,
  context: PlanContext,
  names: NameResolver,
  current: ReadObject<object> | undefined,
) {
  try {
    if (step.kind === 'create') planCreation(step, context, names)
    else planChange(step, context, names, current)
    step.problem = step.lastProblem
  } catch (error) {
    if (error instanceof ApiError) step.problem = error
    else if (error instanceof DamagedError) {
      step.problem = damagedProblem()
      step.damage = error.damage
    } else throw error
  }
}
