import type { Draft } from '../../../catalogue/resource/definition.ts'

/** An event of a change set about one object, with its values by the names of fields. */
export interface ObjectEvent {
  /** `details`: of the side resource. `other`: of availability, stock and limits, which an undo leaves as they are. */
  verb: 'created' | 'updated' | 'deleted' | 'details' | 'other'
  seq: number
  /** The object, or the details, after the event. For a deletion: before it. */
  after: Draft
  /** Old values of changed fields; null for absent ones. Undefined: too large to be recorded. */
  previous?: Draft | undefined
  /** The values were removed with those of a person. */
  isErased: boolean
}

/** A field before the first change of a set, and after the last one; null: absent. */
export interface FieldChange {
  before: unknown
  after: unknown
}
export type FieldChanges = ReadonlyMap<string, FieldChange>

/** The effect of a change set on one object. */
export interface NetChange {
  /** Whether the object existed before the set, and after it. */
  existed: boolean
  exists: boolean
  fields: FieldChanges
  details: FieldChanges
  /** The object when the set created it, changed it last or deleted it. */
  last: Draft
  /** The details after the last change of the set. Undefined: the set changed none. */
  lastDetails?: Draft | undefined
  /** Values that an undo needs were removed with those of a person, or were too large to be recorded. */
  isUnknown: boolean
}

/** Adds an event to the changes of fields: the first one says what was before, the last one what was after. */
function addFields(changes: Map<string, FieldChange>, { previous = {}, after }: ObjectEvent) {
  for (const [field, value] of Object.entries(previous)) {
    const known = changes.get(field)
    changes.set(field, { before: known ? known.before : value, after: after[field] ?? null })
  }
}

/** The change that some events of one object make together. They are in the order of their numbers. */
export function foldEvents(events: readonly ObjectEvent[]): NetChange {
  const fields = new Map<string, FieldChange>()
  const details = new Map<string, FieldChange>()
  const own = events.filter(({ verb }) => verb === 'created' || verb === 'updated' || verb === 'deleted')
  const [first, last] = [own[0], own.at(-1)]
  let lastDetails: Draft | undefined
  for (const event of events) {
    if (event.verb === 'updated') addFields(fields, event)
    if (event.verb !== 'details') continue
    addFields(details, event)
    lastDetails = event.after
  }
  const isUnknown = events.some(
    ({ verb, isErased, previous }) =>
      isErased || ((verb === 'updated' || verb === 'details') && previous === undefined),
  )
  return {
    existed: first?.verb !== 'created',
    exists: last?.verb !== 'deleted',
    fields,
    details,
    last: last?.after ?? {},
    lastDetails,
    isUnknown,
  }
}
