import { isObject } from '../../../platform/lib/schema-guard.ts'
import { isSameJson } from '../merge-patch.ts'

/** The list of ids with `id` behind its nearest predecessor of `was` that is left, else first. Unchanged if it has `id`. */
function insertId(list: readonly unknown[], was: readonly unknown[], id: string): readonly unknown[] {
  if (list.includes(id)) return list
  const known = new Map(list.map((each, index) => [each, index]))
  const before = was.slice(0, was.indexOf(id)).findLast((each) => known.has(each))
  return list.toSpliced(before === undefined ? 0 : (known.get(before) ?? 0) + 1, 0, id)
}

const toPart = (value: unknown) => (isObject(value) ? value : {})
const getId = (value: unknown) => toPart(value)['id']

/**
 * Inserts an id into a value where an earlier value had it: `steps` lead to the list of ids, `*` to each element with the same `id` in both. Parts
 * that are gone are left out.
 */
export function insertAt(value: unknown, was: unknown, [step, ...rest]: readonly string[], id: string): unknown {
  if (step === undefined) {
    if (!Array.isArray(value) || !Array.isArray(was) || !was.includes(id)) return value
    return insertId(value, was, id)
  }
  if (step !== '*') {
    if (!isObject(value) || !(step in value)) return value
    return { ...value, [step]: insertAt(value[step], toPart(was)[step], rest, id) }
  }
  if (!Array.isArray(value) || !Array.isArray(was)) return value
  const earlier = new Map(was.map((part) => [getId(part), part]))
  return value.map((part: unknown) => insertAt(part, earlier.get(getId(part)), rest, id))
}

/** A value without some ids at the list to which `steps` lead. */
export function removeAt(value: unknown, [step, ...rest]: readonly string[], ids: ReadonlySet<unknown>): unknown {
  if (step === undefined) return Array.isArray(value) ? value.filter((each) => !ids.has(each)) : value
  if (step === '*') return Array.isArray(value) ? value.map((part: unknown) => removeAt(part, rest, ids)) : value
  return isObject(value) && step in value ? { ...value, [step]: removeAt(value[step], rest, ids) } : value
}

/** Whether two values differ. */
export const differs = (a: unknown, b: unknown) => !isSameJson(a, b)
