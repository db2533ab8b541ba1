import { isRecord } from '../../files.ts'
import { toPointer } from './json-pointer.ts'

/** A value that changes. `undefined` is an absent one. */
export interface Difference {
  pointer: string
  before: unknown
  after: unknown
}

/** Fields that change with every write. */
const ignored = new Set(['/updatedAt', '/version'])

/** The differences of two values. Lists of one length are compared by position. */
export function compare(before: unknown, after: unknown, path: readonly (string | number)[] = []): Difference[] {
  if (Object.is(before, after)) return []
  const pointer = toPointer(path)
  if (ignored.has(pointer)) return []
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((each: unknown, index) => compare(each, after[index], [...path, index]))
  }
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) => compare(before[name], after[name], [...path, name]))
  }
  return [{ pointer, before, after }]
}

/** Changes that a patch of settings makes. Objects are merged, lists are replaced, and `null` clears a field. */
export function comparePatch(before: unknown, patch: unknown, path: readonly (string | number)[] = []): Difference[] {
  if (isRecord(patch)) {
    const old = isRecord(before) ? before : {}
    return Object.entries(patch).flatMap(([name, value]) => comparePatch(old[name], value, [...path, name]))
  }
  if (patch === null || patch === undefined)
    return before === undefined ? [] : [{ pointer: toPointer(path), before, after: undefined }]
  if (Array.isArray(patch)) return compare(before, withoutNulls(patch), path)
  const isSame =
    typeof before === 'number' ? Number(patch) === before : before === (isText(patch) ? patch.trim() : patch)
  return isSame ? [] : [{ pointer: toPointer(path), before, after: patch }]
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** A value without members that are null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isRecord(value)) return isText(value) ? value.trim() : value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}
