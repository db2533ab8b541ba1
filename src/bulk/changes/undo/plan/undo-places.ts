import type { Reference } from '../../../../catalogue/resource/definition.ts'
import { differs, insertAt, removeAt } from '../../../../catalogue/resource/deleted/places.ts'
import type { FieldChange } from './net-changes.ts'

type NamedBy = Pick<Reference, 'field' | 'listIds' | 'path' | 'target'>

/** Objects that the fields of an object name, as an undo finds them. */
export interface Places {
  references: readonly NamedBy[]
  /** Whether the object exists after the undo. */
  exists(reference: NamedBy, id: string): boolean
  /** Whether the set deleted the object, and the undo brings it back. */
  returns(reference: NamedBy, id: string): boolean
}

export const noPlaces: Places = { references: [], exists: () => true, returns: () => false }

const listIds = (reference: NamedBy, field: string, value: unknown) =>
  value === null || value === undefined ? [] : reference.listIds({ [field]: value }).map(({ id }) => id)

/** The ids that a set removed from a field, with the reference that names them. */
export function listRemoved(references: readonly NamedBy[], field: string, { before, after }: FieldChange) {
  return references
    .filter((reference) => reference.field === field)
    .flatMap((reference) => {
      const left = new Set(listIds(reference, field, after))
      return listIds(reference, field, before).flatMap((id) => (left.has(id) ? [] : [{ reference, id }]))
    })
}

/** A value without ids of objects that do not exist after the undo. */
export function withoutGone(field: string, value: unknown, { references, exists }: Places): unknown {
  let left = value
  for (const reference of references.filter((each) => each.field === field)) {
    const gone = new Set(listIds(reference, field, value).filter((id) => !exists(reference, id)))
    if (gone.size > 0) left = removeAt(left, reference.path.slice(1), gone)
  }
  return left
}

/**
 * The present value of a field that somebody else has changed, with the objects that the undo brings back behind the neighbors they had. Undefined if
 * it brings none back. `isWhole`: the set changed nothing else in the field.
 */
export function placeReturned(
  field: string,
  change: FieldChange,
  current: unknown,
  { references, returns }: Places,
): { value: unknown; isWhole: boolean } | undefined {
  const returned = listRemoved(references, field, change).filter(({ reference, id }) => returns(reference, id))
  if (returned.length === 0) return undefined
  const place = (start: unknown) =>
    returned.reduce((value, { reference, id }) => insertAt(value, change.before, reference.path.slice(1), id), start)
  return { value: place(current), isWhole: !differs(place(change.after), change.before) }
}
