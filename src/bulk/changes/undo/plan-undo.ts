import type { Draft } from '../../../catalogue/resource/definition.ts'
import type { NetChange } from './net-changes.ts'
import { listDiffering, planFields } from './undo-fields.ts'

/** An object as it is now. */
export interface CurrentObject {
  fields: Draft
  details: Draft
}

/** Fields that an undo never sets back, nor compares. */
export interface SparedFields {
  /** Counters and fields that no request can write. */
  fields: ReadonlySet<string>
  /** Members of details that no request can write. */
  details: ReadonlySet<string>
}

/**
 * Why something stays. `changed`: somebody else has changed it since. `deleted`: the object is gone. `unknown`: the values before are not kept, or were
 * removed with those of a person. `rejected`: the service does not accept the values before any more.
 */
export const conflictReasons = ['changed', 'deleted', 'unknown', 'rejected'] as const
type ConflictReason = (typeof conflictReasons)[number]

/** Something that an undo leaves as it is. */
export interface Conflict {
  reason: ConflictReason
  /** Names of fields; members of details begin with `details.`. Empty: the object as a whole. */
  fields: readonly string[]
}

/** The effect of an undo on one object. */
export interface UndoPlan {
  action: { kind: 'none' } | { kind: 'delete' } | { kind: 'restore' } | { kind: 'update'; patch: Draft; details: Draft }
  conflict?: Conflict
}

const none = { kind: 'none' } as const
const without = (fields: Draft, spared: ReadonlySet<string>): Draft =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !spared.has(field)))
const ofDetails = (fields: readonly string[]) => fields.map((field) => `details.${field}`)

/** Plans the deletion of an object that the set created: only if nobody has changed it since. */
function planDeletion({ last, lastDetails = {} }: NetChange, current: CurrentObject, spared: SparedFields): UndoPlan {
  const changed = [
    ...listDiffering(without(last, spared.fields), without(current.fields, spared.fields)),
    ...ofDetails(listDiffering(without(lastDetails, spared.details), without(current.details, spared.details))),
  ]
  return changed.length === 0
    ? { action: { kind: 'delete' } }
    : { action: none, conflict: { reason: 'changed', fields: changed } }
}

const withoutSpared = <Value>(changes: ReadonlyMap<string, Value>, spared: ReadonlySet<string>) =>
  new Map([...changes].filter(([field]) => !spared.has(field)))

/** Plans the undo of what a change set did to one object. `current` is undefined if the object does not exist now. */
export function planUndo(change: NetChange, current: CurrentObject | undefined, spared: SparedFields): UndoPlan {
  const { existed, exists, isUnknown, fields, details } = change
  if (!existed && !current) return { action: none }
  if (isUnknown) return { action: none, conflict: { reason: 'unknown', fields: [] } }
  if (!existed && current) return planDeletion(change, current, spared)
  if (!exists) return { action: current ? none : { kind: 'restore' } }
  if (!current) return { action: none, conflict: { reason: 'deleted', fields: [] } }
  const own = planFields(withoutSpared(fields, spared.fields), current.fields)
  const ofSide = planFields(withoutSpared(details, spared.details), current.details)
  const conflicts = [...own.conflicts, ...ofDetails(ofSide.conflicts)]
  const isChanged = Object.keys(own.patch).length + Object.keys(ofSide.patch).length > 0
  return {
    action: isChanged ? { kind: 'update', patch: own.patch, details: ofSide.patch } : none,
    ...(conflicts.length > 0 && { conflict: { reason: 'changed', fields: conflicts } }),
  }
}
