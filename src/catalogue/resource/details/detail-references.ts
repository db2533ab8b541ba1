import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'

/** A place in details that names an object of another resource. In its path, `*` is every element or member. */
export interface DetailReference {
  target: 'products' | 'modifiers'
  path: readonly string[]
}

/** An id that details name, and where. */
export interface NamedReference {
  target: DetailReference['target']
  id: string
  pointer: string
}

type Change = (reference: unknown, pointer: string) => unknown

/** A value with its references at `path` replaced by what `change` returns; an element of a list for which it returns undefined goes. */
function changeAt(value: unknown, path: readonly string[], change: Change, at: readonly string[]): unknown {
  const [key, ...rest] = path
  if (key === undefined) return change(value, toJsonPointer(at))
  if (key === '*' && Array.isArray(value)) {
    const changed = value.map((inner: unknown, index) => changeAt(inner, rest, change, [...at, String(index)]))
    return changed.filter((inner) => inner !== undefined)
  }
  if (!isObject(value)) return value
  const keys = key === '*' ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : []
  const changed = keys.map((name) => [name, changeAt(value[name], rest, change, [...at, name])] as const)
  // An entry that names nothing is no entry.
  if (key !== '*' && changed.some(([, inner]) => inner === undefined)) return undefined
  return { ...value, ...Object.fromEntries(changed) }
}

/** Details with all their references replaced. An entry of a list whose reference becomes undefined goes. */
export const changeReferences = (
  details: Readonly<Record<string, unknown>>,
  references: readonly DetailReference[],
  change: (reference: unknown, pointer: string, target: DetailReference['target']) => unknown,
): Readonly<Record<string, unknown>> =>
  references.reduce<Readonly<Record<string, unknown>>>((changed, { target, path }) => {
    const next = changeAt(changed, path, (reference, pointer) => change(reference, pointer, target), [])
    if (isObject(next)) return next
    // The only reference of a field that is not a list: the field goes.
    const { [path[0] ?? '']: _, ...rest } = changed
    return rest
  }, details)

/** Details with the values at some paths replaced; a place that does not exist stays absent. */
export const changePlaces = (
  details: Readonly<Record<string, unknown>>,
  paths: readonly (readonly string[])[],
  change: (value: unknown) => unknown,
): Readonly<Record<string, unknown>> =>
  paths.reduce<Readonly<Record<string, unknown>>>((changed, path) => {
    const next = changeAt(changed, path, change, [])
    return isObject(next) ? next : changed
  }, details)

/** All objects that details name. */
export function listNamed(
  details: Readonly<Record<string, unknown>>,
  references: readonly DetailReference[],
): NamedReference[] {
  const named: NamedReference[] = []
  changeReferences(details, references, (reference, pointer, target) => {
    if (typeof reference === 'string') named.push({ target, id: reference, pointer })
    return reference
  })
  return named
}
