import { isSameJson, merge, withoutNulls } from '../../../catalogue/resource/merge-patch.ts'
import { parseJsonPointer, toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { getOwn, isObject } from '../../../platform/lib/schema-guard.ts'
import { toPatch } from '../../changes/undo/plan/undo-fields.ts'
import { partNames, type ReleaseParts } from '../release-view.ts'

type Fields = Readonly<Record<string, unknown>>

const hasMembers = (value: unknown): value is Fields => isObject(value) && Object.keys(value).length > 0

/** The values of a patch that are no objects, by JSON pointers. Lists are one value. */
function* listLeaves(value: unknown, path: readonly string[]): Iterable<[pointer: string, value: unknown]> {
  if (!hasMembers(value)) {
    if (!isObject(value)) yield [toJsonPointer(path), value]
    return
  }
  for (const [key, inner] of Object.entries(value)) yield* listLeaves(inner, [...path, key])
}

/** A mark of availability is one value: its end belongs to it. */
function* listMarks(availability: Fields): Iterable<[pointer: string, value: unknown]> {
  const { options } = availability
  if (!isObject(options)) yield ['/availability', availability]
  else for (const [id, mark] of Object.entries(options)) yield [toJsonPointer(['availability', 'options', id]), mark]
}

/** The values that an operation sets, by JSON pointers into its parts; null clears a field. */
export function listSetValues(parts: ReleaseParts): ReadonlyMap<string, unknown> {
  return new Map(
    partNames.flatMap((name) => {
      const part = parts[name]
      if (!part) return []
      return name === 'availability' ? [...listMarks(part)] : [...listLeaves(part, [name])]
    }),
  )
}

/** The value at a JSON pointer; null if the parts have no such value. */
export const getPointed = (parts: object, pointer: string): unknown =>
  parseJsonPointer(pointer).reduce<unknown>(
    (value, key) => (isObject(value) ? getOwn(value, key) : undefined),
    parts,
  ) ?? null

/** The base of a field in a release that has it, or a field around it. Undefined if the release has neither. */
export function findBase(base: Fields, pointer: string): { value: unknown } | undefined {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    const around = pointer.slice(0, end)
    if (Object.hasOwn(base, around))
      return { value: getPointed({ around: base[around] }, `/around${pointer.slice(end)}`) }
  }
  return undefined
}

/**
 * A merge patch that has the effect of two on `stored`, one after the other (RFC 7396). An object after a `null` replaces the stored one, which only a
 * `null` for each of its other members can say.
 */
function mergePatches(first: Fields, second: Fields, stored: unknown): Fields {
  const merged: Record<string, unknown> = { ...first }
  for (const [key, value] of Object.entries(second)) {
    const [before, kept] = [getOwn(first, key), isObject(stored) ? getOwn(stored, key) : undefined]
    if (isObject(value) && isObject(before)) merged[key] = mergePatches(before, value, kept)
    else merged[key] = isObject(value) && before !== undefined ? toPatch(kept, withoutNulls(value)) : value
  }
  return merged
}

/** Availability after a second operation: each mark replaces the earlier one. */
function mergeMarks(first: Fields, second: Fields): Fields {
  const [before, after] = [first['options'], second['options']]
  return isObject(before) && isObject(after) ? { options: { ...before, ...after } } : second
}

/** The parts of two operations on an object as those of one. `stored` is the object as it is; the body of a create is an object and no patch. */
export function mergeParts(
  first: ReleaseParts,
  second: ReleaseParts,
  { isCreate, stored = {} }: { isCreate: boolean; stored?: ReleaseParts | undefined },
): ReleaseParts {
  const parts: ReleaseParts = { ...first }
  for (const name of partNames) {
    const [before, after] = [first[name], second[name]]
    if (!after) continue
    if (!before) parts[name] = { ...after }
    else if (name === 'availability') parts[name] = { ...mergeMarks(before, after) }
    else if (isCreate && name === 'body') parts[name] = { ...merge(before, after) }
    else parts[name] = { ...mergePatches(before, after, stored[name]) }
  }
  return parts
}

/** Whether two values of a field are the same; an absent field is null. */
export const isSameValue = (one: unknown, other: unknown) =>
  isSameJson(withoutNulls(one ?? null), withoutNulls(other ?? null))
