import type { Caller } from '../../../../catalogue/resource/caller.ts'
import type { Reference } from '../../../../catalogue/resource/definition.ts'
import { batchResources, getBatchResource } from '../../../batch/batch-resource.ts'
import type { RestoredObject } from '../../../batch/operation.ts'
import type { ChangedObject } from '../read-objects.ts'
import { mayHaveCounted } from './counted-sets.ts'
import { type FoundObject, readCurrent } from './current-objects.ts'
import { findDeletions, type Restoring } from './find-deletions.ts'
import { planUndo, type UndoPlan } from './plan-undo.ts'
import { listRemoved, type Places } from './undo-places.ts'

/** An object of a change set with the plan of its undo. */
export interface PlannedObject extends ChangedObject {
  plan: UndoPlan
  current: FoundObject | undefined
  /** The object that returns. */
  returning?: { restored: RestoredObject; externalId: string | undefined } | undefined
}

const pathOf = ({ target }: Pick<Reference, 'target'>) =>
  batchResources.find(({ resource }) => resource.table === target)?.resource.path
const referencesOf = ({ resource }: ChangedObject) => getBatchResource(resource).resource.references
const isRestored = ({ plan: { action } }: PlannedObject) => action.kind === 'restore'

/** The object with what a restore needs, or with why it cannot return. */
function addReturning(object: PlannedObject, found: Restoring): PlannedObject {
  const { restored, conflict } = found
  const plan = { ...object.plan, ...(conflict && { conflict }) }
  return restored
    ? { ...object, plan, returning: { restored, externalId: found.externalId } }
    : { ...object, plan: { ...plan, action: { kind: 'none' } } }
}

/**
 * Plans the undo of objects from the present state. `kinds` has the changes that are made now; without it, all of them. A deleted object is there for
 * others if it returns now, or has returned.
 */
export async function planReturns(
  caller: Caller,
  changeSet: string,
  objects: readonly ChangedObject[],
  kinds?: ReadonlySet<UndoPlan['action']['kind']>,
): Promise<readonly PlannedObject[]> {
  caller.database.usePrimary()
  const found = await readCurrent(caller, objects)
  const setsCounters = await mayHaveCounted(caller, changeSet, objects)
  const planOne = (object: ChangedObject, places?: Places): PlannedObject => {
    const current = found.find(object)
    return {
      ...object,
      current,
      plan: planUndo(object.change, current, found.listSpared(object.resource, setsCounters), places),
    }
  }
  const first = objects.map((object) => planOne(object))
  const removed = objects.flatMap((object) =>
    [...object.change.fields].flatMap(([field, change]) =>
      listRemoved(referencesOf(object), field, change).map(({ id }) => id),
    ),
  )
  const deletions = await findDeletions(caller, changeSet, first.filter(isRestored), removed)
  const returning = new Map(
    first.filter(isRestored).map((object) => [object.id, addReturning(object, deletions.find(object))]),
  )
  const exists: Places['exists'] = (reference, id) => {
    const path = pathOf(reference)
    const returns = returning.get(id)?.returning !== undefined && (!kinds || kinds.has('restore'))
    // Of a plan of many objects, another page has it.
    const isElsewhere = !kinds && !returning.has(id) && deletions.isDeleted(id)
    return returns || isElsewhere || (path !== undefined && found.exists(path, id))
  }
  const returns: Places['returns'] = (reference, id) => deletions.isDeleted(id) && exists(reference, id)
  const planned = first.map(
    (object) => returning.get(object.id) ?? planOne(object, { references: referencesOf(object), exists, returns }),
  )
  return kinds ? planned.filter(({ plan: { action } }) => kinds.has(action.kind)) : planned
}
