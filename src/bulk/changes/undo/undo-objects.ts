import type { Caller } from '../../../catalogue/resource/caller.ts'
import { busy, maxWriteAttempts, pauseAfter } from '../../../catalogue/resource/object-lock.ts'
import type { ResourceChange } from '../../../catalogue/resource/routes.ts'
import type { TagItem } from '../../../catalogue/resources/tags.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { ApiError } from '../../../platform/errors.ts'
import { preconditionFailed, toIfMatch } from '../../../platform/http/etag.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import type { ChangeCounts, ChangeSet } from '../../../platform/outbox/change-sets.ts'
import type { BatchOperation, OperationResult } from '../../batch/operation.ts'
import { runBatch } from '../../batch/run-batch.ts'
import { type FoundObject, readCurrent } from './current-objects.ts'
import { type Conflict, planUndo, type UndoPlan } from './plan-undo.ts'
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

type PlannedObject = ChangedObject & { plan: UndoPlan; current: FoundObject | undefined }

/** The kinds of changes that a step of an undo makes. */
export type UndoKind = UndoPlan['action']['kind']

function toOperation({ resource, id, plan: { action }, current }: PlannedObject): BatchOperation | undefined {
  if (!current || action.kind === 'none' || action.kind === 'restore') return undefined
  const named = { resource, id, ifMatch: toIfMatch(current.version) }
  if (action.kind === 'delete') return { op: 'delete', ...named }
  const hasDetails = Object.keys(action.details).length > 0
  return {
    op: 'update',
    ...named,
    body: action.patch,
    ...(hasDetails && { details: action.details, detailsVersion: current.detailsVersion }),
  }
}

async function plan(caller: Caller, objects: readonly ChangedObject[]): Promise<readonly PlannedObject[]> {
  caller.database.usePrimary()
  const found = await readCurrent(caller, objects)
  return objects.map((object) => {
    const current = found.find(object)
    return { ...object, current, plan: planUndo(object.change, current, found.listSpared(object.resource)) }
  })
}

/** A deletion that an undo cannot take back in its own transaction: it names the way. */
const toRestoreConflict = ({ plan: { action } }: PlannedObject): readonly Conflict[] =>
  action.kind === 'restore' ? [{ reason: 'deleted', fields: [] }] : []

const listConflicts = (planned: readonly PlannedObject[]): ObjectConflict[] =>
  planned.flatMap(({ resource, id, ...object }) =>
    [...(object.plan.conflict ? [object.plan.conflict] : []), ...toRestoreConflict({ resource, id, ...object })].map(
      (conflict) => ({ resource, id, ...conflict }),
    ),
  )

function countPlanned(operations: readonly BatchOperation[]): ChangeCounts {
  const deleted = operations.filter(({ op }) => op === 'delete').length
  return { created: 0, updated: operations.length - deleted, deleted }
}

/** Plans what an undo would do with objects, without writing. */
export async function planObjects(caller: Caller, objects: readonly ChangedObject[]): Promise<UndoOutcome> {
  const planned = await plan(caller, objects)
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
    const problem = results[index]?.problem
    if (!problem) applied.push(operation)
    else conflicts.push({ resource: operation.resource, id: operation.id ?? '', reason: 'rejected', fields: [] })
  }
  return { counts: countPlanned(applied), conflicts }
}

interface UndoWrite {
  /** The change set of the undo. */
  undo: ChangeSet
  dryRun?: boolean
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
  { undo, dryRun = false, kinds, finish, onTagChanges }: UndoWrite,
): Promise<UndoOutcome> {
  for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
    const planned = (await plan(caller, objects)).filter(({ plan: { action } }) => !kinds || kinds.has(action.kind))
    const operations = planned.flatMap((object) => toOperation(object) ?? [])
    let outcome: UndoOutcome = { counts: countPlanned([]), conflicts: listConflicts(planned) }
    try {
      if (operations.length === 0) {
        const writes = dryRun ? [] : finish(outcome)
        if (writes.length > 0) await caller.database.run(...writes)
        return outcome
      }
      await runBatch(caller, operations, {
        mode: 'independent',
        dryRun,
        findChangeSet: () => Promise.resolve(undo),
        finish(results) {
          outcome = toOutcome(planned, operations, results)
          return dryRun ? [] : finish(outcome)
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
