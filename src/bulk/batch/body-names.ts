import type { Reference, ReferencePath } from '../../catalogue/resource/definition.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'

/** The three ways in which a body can name an object: its id, `#` and the name of an operation, or its external id. */
export type ObjectName =
  | { pointer: string; id: string }
  | { pointer: string; ref: string }
  | { pointer: string; externalId: string }

/** A list of a body at the path of a reference, with its JSON pointer. */
type MapList = (list: readonly unknown[], pointer: string) => readonly unknown[]

/** Replaces each list at the path. All other values stay as they are. */
function mapLists(value: unknown, [step, ...rest]: readonly string[], map: MapList, pointer = ''): unknown {
  if (step === undefined) return Array.isArray(value) ? map(value, pointer) : value
  if (step === '*') {
    if (!Array.isArray(value)) return value
    return value.map((element, index) => mapLists(element, rest, map, `${pointer}/${index}`))
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return value
  return { ...value, [step]: mapLists(value[step], rest, map, `${pointer}/${step}`) }
}

/** The external id in `{"externalId": …}`. */
const getExternalId = (value: unknown) =>
  isObject(value) && Object.keys(value).length === 1 && typeof value['externalId'] === 'string'
    ? value['externalId']
    : undefined

/** The only member of `{"id": …}`, or the element itself. */
const unwrap = (element: unknown) =>
  isObject(element) && Object.keys(element).length === 1 && 'id' in element ? element['id'] : element

/** The name in an element of a list; undefined if the element is not a name. */
export function parseName(element: unknown, pointer: string): ObjectName | undefined {
  const name = unwrap(element)
  if (typeof name === 'string') return name.startsWith('#') ? { pointer, ref: name } : { pointer, id: name }
  const externalId = getExternalId(name)
  return externalId === undefined ? undefined : { pointer, externalId }
}

/** The names of objects in a body at the path of a reference. */
export function listNames(body: unknown, { path }: { path: ReferencePath }): ObjectName[] {
  const names: ObjectName[] = []
  mapLists(body, path, (list, pointer) => {
    for (const [index, element] of list.entries()) {
      const name = parseName(element, `${pointer}/${index}`)
      if (name) names.push(name)
    }
    return list
  })
  return names
}

/** The body with ids in place of all other names. */
export const resolveNames = (body: unknown, { path }: { path: ReferencePath }, toId: (name: ObjectName) => string) =>
  mapLists(body, path, (list, pointer) =>
    list.map((element, index) => {
      const name = parseName(element, `${pointer}/${index}`)
      return name === undefined || 'id' in name
        ? element
        : unwrap(element) === element
          ? toId(name)
          : { id: toId(name) }
    }),
  )

/** A value of an object without ids at the path of a reference. */
export const withoutIds = (value: unknown, { path }: Pick<Reference, 'path'>, ids: ReadonlySet<string>) =>
  mapLists(value, path, (list) => list.filter((id) => typeof id !== 'string' || !ids.has(id)))
