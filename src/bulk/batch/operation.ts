import type { Draft } from '../../catalogue/resource/definition.ts'
import type { ResourceChange } from '../../catalogue/resource/routes.ts'
import type { TagItem } from '../../catalogue/resources/tags.ts'
import type { Values } from '../../platform/db/database.ts'
import type { Actor, Write } from '../../platform/db/transaction.ts'
import type { Problem } from '../../platform/http/problem-details.ts'
import type { ResourcePath } from '../../platform/names.ts'
import type { ChangeSet } from '../../platform/outbox/change-sets.ts'

export const operationKinds = ['create', 'update', 'upsert', 'delete'] as const
export type OperationKind = (typeof operationKinds)[number]

export const batchModes = ['atomic', 'independent'] as const
export type BatchMode = (typeof batchModes)[number]

/** A deleted object as it returns. */
export interface RestoredObject {
  /** All of its stored fields. */
  item: Draft
  /** Its version: the next one after the deletion. */
  version: number
  /** Data that the deletion kept: rows by the names of their tables, and columns that events do not record. */
  kept: Draft
  /** A deleted row of it is left that other objects still name. */
  isHidden: boolean
}

/** An operation of a batch. `update` and `delete` name their object by `id` or by `externalId`, `upsert` by `externalId`. */
export interface BatchOperation {
  op: OperationKind
  resource: ResourcePath
  id?: string | undefined
  externalId?: string | undefined
  /** External id that an update gives to an object without one. Requests cannot set it. */
  newExternalId?: string | undefined
  /** Version that the details of an update must have. Requests cannot set it. */
  detailsVersion?: number | undefined
  /** Version that the limits of an update must have. Requests cannot set it. */
  limitsVersion?: number | undefined
  /** Id that a `create` gives to its object. Requests cannot set it. */
  newId?: string | undefined
  /** A deleted object that a `create` brings back. `body` has its fields. Requests cannot set it. */
  restored?: RestoredObject | undefined
  /** `#` and a name, by which bodies of the same batch refer to the object. */
  ref?: string | undefined
  /** The operation fails unless the object has this entity tag. */
  ifMatch?: string | undefined
  body?: Readonly<Record<string, unknown>> | undefined
  /** Details that are merged into those of the object, after the body of each operation. */
  details?: Readonly<Record<string, unknown>> | undefined
  /** Limits that are merged into those of a coupon, after the body of each operation. */
  limits?: Readonly<Record<string, unknown>> | undefined
}

type OperationOutcome = 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed'

/** The result of one operation. */
export interface OperationResult {
  /** Position of the operation in the batch. */
  index: number
  /** Status that the operation would have as a separate request. */
  status: number
  outcome: OperationOutcome
  id?: string
  externalId?: string
  etag?: string
  /** Object as the response to the single operation shows it. Set if objects are requested. */
  object?: object
  /** Details after the operation, if objects are requested and the operation has details. */
  details?: object
  /** Limits after the operation, if objects are requested and the operation has limits. */
  limits?: object
  /** Problem of a failed operation. */
  problem?: Omit<Problem, 'requestId'>
}

export interface BatchOptions {
  mode: BatchMode
  /** Runs the transaction and rolls it back. */
  dryRun?: boolean
  returnObjects?: boolean
  /** Finds the change set of the batch. Called for each attempt. Absent: the changes belong to none. */
  findChangeSet?: (actor: Actor) => Promise<ChangeSet | undefined>
  /** Ids of the objects whose availability `writeMore` changes. They count as updated. */
  marked?: ReadonlySet<string>
  /** Further changes with events, created from the results. */
  writeMore?: (results: readonly OperationResult[], values: Values) => Write
  /** Additional statements of the transaction, created from the results. They also run if no operation changes anything. */
  finish?: (results: readonly OperationResult[]) => Write
  /** Creates the response, which is stored if the request has an `Idempotency-Key`. */
  createResponse?: (results: readonly OperationResult[]) => Response
  /** Called after the commit if tags changed, to update their copies. */
  onTagChanges: (changes: readonly ResourceChange<TagItem>[]) => Promise<void>
}
