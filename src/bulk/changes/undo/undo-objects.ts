import type { Caller } from '../../../catalogue/resource/caller.ts'
import { busy, maxWriteAttempts, pauseAfter } from '../../../catalogue/resource/object-lock.ts'
import type { ResourceChange } from '../../../catalogue/resource/routes.ts'
import type { TagItem } from '../../../catalogue/resources/tags.ts'
import { listMarked, type Marks, markMany } from '../../../checkout/many/mark-many.ts'
import { returnCounts, type StockDifference } from '../../../checkout/many/return-counts.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { ApiError } from '../../../platform/errors.ts'
import { preconditionFailed, toIfMatch } from '../../../platform/http/etag.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import type { ChangeCounts, ChangeSet } from '../../../platform/outbox/change-sets.ts'
import type { BatchOperation, OperationResult } from '../../batch/operation.ts'
import { runBatch } from '../../batch/run-batch.ts'
import { type PlannedObject, planReturns } from './plan/plan-returns.ts'
import type { Conflict, UndoPlan } from './plan/plan-undo.ts'
import type { ChangedObject } from './read-objects.ts'

/** Something that an undo leaves as it is, with its object. */
export interface ObjectConflict extends Conflict {
  resource: ResourcePath
  id: string
}

/** The effect of an undo on some objects. */
export interface UndoOutcome {
  counts: ChangeCounts
  conflicts: readonly ObjectConflict[]
}

/** The kinds of changes that a step of an undo makes. */
export type UndoKind = UndoPlan['action']['kind']

function toOperation({
  resource,
  id,
  plan: { action },
  current,
  returning,
}: PlannedObject): BatchOperation | undefined {
  if (returning) {
    const { restored, externalId } = returning
    return { op: 'create', resource, id, newId: id, externalId, body: restored.item, restored }
  }
  if (!current || action.kind === 'none' || action.kind === 'restore') return undefined
  const named = { resource, id, ifMatch: toIfMatch(current.version) }
  if (action.kind === 'delete') return { op: 'delete', ...named }
  const hasDetails = Object.keys(action.details).length > 0
  return {
    op: 'update',
    ...named,
    body: action.patch,
    ...(hasDetails && { details: action.details, detailsVersion: current.detailsVersion }),
    ...(action.limits && { limits: action.limits, limitsVersion: current.limitsVersion }),
  }
}

const toEnd = (until: unknown) => (typeof until === 'number' ? until : null)

/** The marks as sold out that an undo sets and removes, of objects whose operation did not fail. */
function listMarks(planned: readonly PlannedObject[], failed: ReadonlySet<string>): Marks {
  const marks = planned.flatMap(({ resource, id, plan: { action } }) =>
    action.kind !== 'update' || !action.availability || failed.has(id)
      ? []
      : Object.entries(action.availability).map(([name, until]) => ({ resource, id, name, until: toEnd(until) })),
  )
  return {
    products: marks.flatMap(({ resource, id, until }) => (resource === 'products' ? [[id, until] as const] : [])),
    options: marks.flatMap(({ resource, id, name, until }) =>
      resource === 'modifiers' ? [[id, name, until] as const] : [],
    ),
  }
}

const listConflicts = (planned: readonly PlannedObject[]): ObjectConflict[] =>
  planned.flatMap(({ resource, id, plan: { conflict } }) => (conflict ? [{ resource, id, ...conflict }] : []))

function countPlanned(operations: readonly BatchOperation[]): ChangeCounts {
  const count = (kind: BatchOperation['op']) => operations.filter(({ op }) => op === kind).length
  return { created: count('create'), updated: count('update'), deleted: count('delete') }
}

/** Plans what an undo would do with objects, without writing. */
export async function planObjects(
  caller: Caller,
  changeSet: string,
  objects: readonly ChangedObject[],
): Promise<UndoOutcome> {
  const planned = await planReturns(caller, changeSet, objects)
  return {
    counts: countPlanned(planned.flatMap((object) => toOperation(object) ?? [])),
    conflicts: listConflicts(planned),
  }
}

/** The outcome of a batch. Operations that the service rejects are conflicts of their whole objects. */
function toOutcome(
  planned: readonly PlannedObject[],
  operations: readonly BatchOperation[],
  results: readonly OperationResult[],
): UndoOutcome {
  if (results.some(({ problem }) => problem?.code === 'precondition_failed')) throw preconditionFailed()
  const conflicts = listConflicts(planned)
  const applied: BatchOperation[] = []
  for (const [index, operation] of operations.entries()) {
    const result = results[index]
    const named = { resource: operation.resource, id: operation.id ?? '' }
    if (result?.problem) {
      conflicts.push({ ...named, reason: 'rejected', fields: [] })
      continue
    }
    applied.push(operation)
    const isLost = operation.restored && operation.externalId !== undefined && result?.externalId === undefined
    if (isLost) conflicts.push({ ...named, reason: 'changed', fields: ['externalId'] })
  }
  return { counts: countPlanned(applied), conflicts }
}

interface UndoWrite {
  /** Id of the change set that is undone. */
  undoes: string
  /** The change set of the undo. */
  undo: ChangeSet
  dryRun?: boolean
  /** Stock that the set counted, and the reference of the adjustment that takes it back. */
  stock?: { differences: readonly StockDifference[]; reference: string }
  /** Which of the planned changes to make. */
  kinds?: ReadonlySet<UndoKind>
  /** Further statements of the transaction. They also run if nothing changes. */
  finish(outcome: UndoOutcome): Write
  /** The response, if it is stored. */
  onTagChanges(changes: readonly ResourceChange<TagItem>[]): Promise<void>
}

/** Undoes what a change set did to objects, in one transaction. Plans again if somebody changes one of them at the same time. */
export async function undoObjects(
  caller: Caller,
  objects: readonly ChangedObject[],
  { undoes, undo, dryRun = false, stock, kinds, finish, onTagChanges }: UndoWrite,
): Promise<UndoOutcome> {
  for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
    const planned = await planReturns(caller, undoes, objects, kinds)
    const operations = planned.flatMap((object) => toOperation(object) ?? [])
    let outcome: UndoOutcome = { counts: countPlanned([]), conflicts: listConflicts(planned) }
    try {
      if (operations.length === 0 && !stock?.differences.length) {
        const writes = dryRun ? [] : finish(outcome)
        if (writes.length > 0) await caller.database.run(...writes)
        return outcome
      }
      const validationContext = { ...caller.validationContext, returnsParts: true }
      await runBatch({ ...caller, validationContext }, operations, {
        mode: 'independent',
        dryRun,
        findChangeSet: () => Promise.resolve(undo),
        marked: listMarked(listMarks(planned, new Set())),
        finish(results) {
          outcome = toOutcome(planned, operations, results)
          return dryRun ? [] : finish(outcome)
        },
        writeMore(results, values) {
          const failed = results.flatMap(({ problem }, index) => (problem ? (operations[index]?.id ?? []) : []))
          return [
            ...markMany(listMarks(planned, new Set(failed)), values),
            ...(stock ? returnCounts(stock.differences, stock.reference, values) : []),
          ]
        },
        onTagChanges,
      })
      return outcome
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'precondition_failed')) throw error
      await pauseAfter(attempt)
    }
  }
  throw busy()
}
