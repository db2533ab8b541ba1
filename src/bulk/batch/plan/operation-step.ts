import type { Draft } from '../../../catalogue/resource/definition.ts'
import type { DetailFields } from '../../../catalogue/resource/details/details-definition.ts'
import type { PlannedUpdate } from '../../../catalogue/resource/plan.ts'
import type { ReadObject, StoredObject } from '../../../catalogue/resource/row-mapping.ts'
import type { CouponLimits } from '../../../checkout/coupon-limit-fields.ts'
import type { Damage } from '../../../platform/db/damaged-rows.ts'
import { type ApiError, type Issue, invalid } from '../../../platform/errors.ts'
import { type Precondition, parseIfMatch } from '../../../platform/http/etag.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { type BatchResource, getBatchResource } from '../batch-resource.ts'
import type { BatchOperation } from '../operation.ts'
import type { Found, NamedObject } from './find-objects.ts'

/** An operation with the object that it creates, changes or deletes. */
export interface Step {
  index: number
  operation: BatchOperation
  batch: BatchResource
  kind: 'create' | 'update' | 'delete'
  /** Id of the object. A create generates it. */
  id: string
  /** The object that is changed or deleted. Undefined if it does not exist. */
  object?: NamedObject | undefined
  externalId?: string | undefined
  condition?: Precondition | undefined
  /** Operations that the body names, each with the position of the name. */
  dependencies: { pointer: string; step: Step }[]
  /** The details of the operation, if it has some. */
  details?: StepDetails | undefined
  /** The limits of the operation, if it has some. */
  limits?: StepLimits | undefined
  /** Why the operation fails. */
  problem?: ApiError | undefined
  /** Why the object cannot be read. */
  damage?: Damage | undefined
  /** Problem that applies only if no other one does. */
  lastProblem?: ApiError | undefined
  /** The object after the operation. A deleted object has its last state. */
  result?: ReadObject<object> | undefined
  /** Object to insert. */
  created?: { stored: StoredObject<object>; row: Draft } | undefined
  /** Changes to write. Undefined if the operation changes nothing. */
  change?: PlannedUpdate<object> | undefined
}

/** Details that an operation merges into those of its object. */
export interface StepDetails {
  /** The body, with ids in place of all other names. */
  body: ParsedBody
  /** Issues of the details among those of the operation's problem: their pointers begin with `/details`. */
  issues: readonly Issue[]
  /** The details after the operation. Undefined until they are planned. */
  shown?: object | undefined
  /** Details to write. Undefined if the operation does not change them. */
  change?:
    | { stored: DetailFields; before: DetailFields; previous: DetailFields | undefined; version: number }
    | undefined
}

/** Limits that an operation merges into those of its coupon. */
export interface StepLimits {
  /** Issues of the limits among those of the operation's problem: their pointers begin with `/limits`. */
  issues: readonly Issue[]
  /** The limits after the operation. */
  shown?: CouponLimits | undefined
  /** Limits to write. Undefined if the operation does not change them. */
  change?: { limits: CouponLimits; before: CouponLimits; version: number } | undefined
}

/** Adds issues of details or limits to the problem of an operation. A problem of the operation itself hides them. */
export function addSideIssues(step: Step, issues: readonly Issue[]): void {
  if (issues.length === 0) return
  const { problem } = step
  if (!problem || problem === step.lastProblem) step.problem = invalid(issues)
  else if (problem.issues.length > 0) step.problem = invalid([...problem.issues, ...issues])
}

/** The issue of an operation that fails because of another one. */
export const createDependencyIssue = (pointer: string): Issue => ({
  pointer,
  code: 'unresolved_reference',
  message: 'names the object of an operation that failed',
})

const createStep = (operation: BatchOperation, index: number, batch: BatchResource): Omit<Step, 'kind' | 'id'> => ({
  index,
  operation,
  batch,
  externalId: operation.externalId,
  condition: operation.ifMatch === undefined ? undefined : parseIfMatch(operation.ifMatch),
  dependencies: [],
})

/** Finds the object of an operation. */
export function toStep(operation: BatchOperation, index: number, found: Found): Step {
  const { op, id, externalId } = operation
  const batch = getBatchResource(operation.resource)
  const step = createStep(operation, index, batch)
  const objects = found.get(operation.resource)
  const object = id === undefined ? objects?.byExternalId.get(externalId ?? '') : objects?.byId.get(id)
  if (op === 'update' || op === 'delete') {
    return { ...step, kind: op, id: object?.id ?? id ?? '', object, externalId: object?.externalId ?? externalId }
  }
  if (op === 'upsert' && object) return { ...step, kind: 'update', id: object.id, object }
  return { ...step, kind: 'create', id: operation.newId ?? createId(batch.resource.idPrefix) }
}
