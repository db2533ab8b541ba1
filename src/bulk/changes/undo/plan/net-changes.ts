import type { Draft } from '../../../../catalogue/resource/definition.ts'

/** An event of a change set about one object, with its values by the names of fields. */
export interface ObjectEvent {
  /** `details`, `limits` and `availability`: of what is stored beside the object. `other`: of what an undo leaves as it is. */
  verb: 'created' | 'updated' | 'deleted' | 'details' | 'limits' | 'availability' | 'other'
  seq: number
  /** The object, or what is stored beside it, after the event. For a deletion: before it. */
  after: Draft
  /** Old values of changed fields; null for absent ones. Undefined: too large to be recorded. */
  previous?: Draft | undefined
  /** The values were removed with those of a person. */
  isErased: boolean
  /** The object was deleted before, and returned with what was stored beside it. */
  isRestored?: boolean
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
  limits: FieldChanges
  /** The ends of marks as sold out: `until` of a product, or by the ids of the options of a modifier. */
  availability: FieldChanges
  /** The object when the set created it, changed it last or deleted it. */
  last: Draft
  /** The details after the last change of the set. Undefined: the set changed none. */
  lastDetails?: Draft | undefined
  /** The limits after the last change of the set. */
  lastLimits?: Draft | undefined
  /** The set brought the object back, with details and limits that its events do not tell. */
  isRestored: boolean
  /** Somebody has changed details or limits of an object that the set brought back. */
  isEditedBeside?: boolean
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
  const limits = new Map<string, FieldChange>()
  const availability = new Map<string, FieldChange>()
  const changes = { updated: fields, details, limits, availability }
  const own = events.filter(({ verb }) => verb === 'created' || verb === 'updated' || verb === 'deleted')
  const [first, last] = [own[0], own.at(-1)]
  for (const event of events) {
    const { verb } = event
    if (verb !== 'created' && verb !== 'deleted' && verb !== 'other') addFields(changes[verb], event)
  }
  const lastOf = (verb: ObjectEvent['verb']) => events.findLast((event) => event.verb === verb)?.after
  const isUnknown = events.some(
    ({ verb, isErased, previous }) =>
      isErased || ((verb === 'updated' || verb === 'details') && previous === undefined),
  )
  return {
    existed: first?.verb !== 'created',
    exists: last?.verb !== 'deleted',
    fields,
    details,
    limits,
    availability,
    last: last?.after ?? {},
    lastDetails: lastOf('details'),
    lastLimits: lastOf('limits'),
    isRestored: first?.isRestored === true,
    isUnknown,
  }
}
