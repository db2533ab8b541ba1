import type { Draft } from '../../../../catalogue/resource/definition.ts'
import type { FieldChanges, NetChange } from './net-changes.ts'
import { listDiffering, planFields } from './undo-fields.ts'
import { noPlaces, type Places } from './undo-places.ts'

/** An object as it is now. */
export interface CurrentObject {
  fields: Draft
  details: Draft
  /** Limits of a coupon. */
  limits: Draft
  /** Ends of marks as sold out, as in `NetChange`. */
  availability: Draft
}

/** Fields that an undo never sets back, nor compares. */
export interface SparedFields {
  /** Counters and fields that no request can write. */
  fields: ReadonlySet<string>
  /** Members of details that no request can write. */
  details: ReadonlySet<string>
  /** Counters of the object that the set has set. An undo takes the difference back, whatever was counted since. */
  counters: ReadonlySet<string>
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
  /** Names of fields; those of what is stored beside the object begin with `details.`, `limits.` or `availability.`. Empty: the object as a whole. */
  fields: readonly string[]
}

/** Values of an object that an undo sets back, as merge patches. */
interface UndoPatch {
  patch: Draft
  details: Draft
  limits?: Draft
  availability?: Draft
}

/** The effect of an undo on one object. */
export interface UndoPlan {
  action: { kind: 'none' } | { kind: 'delete' } | { kind: 'restore' } | ({ kind: 'update' } & UndoPatch)
  conflict?: Conflict
}

const none = { kind: 'none' } as const
const without = (fields: Draft, spared: ReadonlySet<string>): Draft =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !spared.has(field)))
const within = (part: string, fields: readonly string[]) => fields.map((field) => `${part}.${field}`)

/** Plans the deletion of an object that the set created: only if nobody has changed it since. */
function planDeletion(change: NetChange, current: CurrentObject, spared: SparedFields): UndoPlan {
  const { last, isRestored } = change
  const { lastDetails = isRestored ? current.details : {}, lastLimits = isRestored ? current.limits : {} } = change
  const changed = [
    ...listDiffering(without(last, spared.fields), without(current.fields, spared.fields)),
    ...within('details', listDiffering(without(lastDetails, spared.details), without(current.details, spared.details))),
    ...within('limits', listDiffering(lastLimits, current.limits)),
  ]
  return changed.length === 0
    ? { action: { kind: 'delete' } }
    : { action: none, conflict: { reason: 'changed', fields: changed } }
}

const withoutSpared = <Value>(changes: ReadonlyMap<string, Value>, spared: ReadonlySet<string>) =>
  new Map([...changes].filter(([field]) => !spared.has(field)))

/** The counters of an object without the differences that the set made. */
function planCounters(fields: FieldChanges, current: Draft, counters: ReadonlySet<string>): Draft {
  const patch: Record<string, unknown> = {}
  for (const [field, { before, after }] of fields) {
    if (!counters.has(field)) continue
    const difference = Number(after ?? 0) - Number(before ?? 0)
    const value = Math.max(0, Number(current[field] ?? 0) - difference)
    if (value !== current[field]) patch[field] = value
  }
  return patch
}

/** Plans the undo of what a change set did to one object. `current` is undefined if the object does not exist now. */
export function planUndo(
  change: NetChange,
  current: CurrentObject | undefined,
  spared: SparedFields,
  places: Places = noPlaces,
): UndoPlan {
  const { existed, exists, isUnknown, fields, details } = change
  if (!existed && !current) return { action: none }
  if (isUnknown) return { action: none, conflict: { reason: 'unknown', fields: [] } }
  if (!existed && change.isEditedBeside) return { action: none, conflict: { reason: 'changed', fields: [] } }
  if (!existed && current) return planDeletion(change, current, spared)
  if (!exists) return { action: current ? none : { kind: 'restore' } }
  if (!current) return { action: none, conflict: { reason: 'deleted', fields: [] } }
  const own = planFields(withoutSpared(fields, spared.fields), current.fields, places)
  const ofSide = planFields(withoutSpared(details, spared.details), current.details)
  const limits = planFields(change.limits, current.limits)
  const availability = planFields(change.availability, current.availability)
  const conflicts = [
    ...own.conflicts,
    ...within('details', ofSide.conflicts),
    ...within('limits', limits.conflicts),
    ...within('availability', availability.conflicts),
  ]
  const [hasLimits, hasMarks] = [limits, availability].map(({ patch }) => Object.keys(patch).length > 0)
  const fieldPatch = { ...own.patch, ...planCounters(fields, current.fields, spared.counters) }
  const isChanged = hasLimits || hasMarks || Object.keys(fieldPatch).length + Object.keys(ofSide.patch).length > 0
  const patch = {
    ...{ patch: fieldPatch, details: ofSide.patch },
    ...(hasLimits && { limits: limits.patch }),
    ...(hasMarks && { availability: availability.patch }),
  }
  return {
    action: isChanged ? { kind: 'update', ...patch } : none,
    ...(conflicts.length > 0 && { conflict: { reason: 'changed', fields: conflicts } }),
  }
}
