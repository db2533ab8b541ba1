import type { ResourceDefinition } from '../../../src/catalogue/resource/definition.ts'
import { applyPatch } from '../../../src/catalogue/resource/merge-patch.ts'
import * as resources from '../../../src/catalogue/resources/registry.ts'
import { type BodyRules, type ParsedBody, parseFields } from '../../../src/platform/http/validation.ts'
import { isObject } from '../../../src/platform/lib/schema-guard.ts'
import { type CatalogueRow, getReferencedLists, type ListName } from './catalogue-file.ts'

/** References of rows to rows of another list: the path to the list of references, `*` for every element. */
interface References {
  to: ListName
  path: readonly string[]
}

/** Properties of a resource that the loader needs, taken from its declaration. */
export interface ListRules {
  references?: References | undefined
  /** Fields that the service sets; ignored when objects are compared. */
  readOnly: ReadonlySet<string>
  /** Rows are created in order, because a unique field of an earlier row can make the service reject a later one. */
  isUnique: boolean
  /** Sets fields whose default would change because references are missing. */
  withMissingReferences(body: CatalogueRow): CatalogueRow
  /** A body without the counters that the service has changed in an object. */
  withoutCounted(body: CatalogueRow, stored: CatalogueRow): CatalogueRow
  /** An object with neutral counters, so that objects that differ only in counters are equal. */
  maskCounted(object: CatalogueRow): CatalogueRow
  /** The object that the service would store for a body, and the issues of its fields. */
  applyPatch(body: CatalogueRow): ParsedBody
}

/** Lists whose rows change when a reference is missing. */
const withMissingReferences: Readonly<Partial<Record<ListName, ListRules['withMissingReferences']>>> = {
  // A coupon for products that were rejected must not become one for all products.
  coupons: (body) => ({ ...body, applyToAllProducts: body['applyToAllProducts'] ?? false }),
}

type LoadedResource = { create: BodyRules<unknown> } & Pick<
  ResourceDefinition,
  'path' | 'hooks' | 'uniqueFields' | 'references' | 'counters'
>

function createListRules({ path, create, hooks, uniqueFields, references, counters }: LoadedResource): ListRules {
  const [reference, another] = references
  if (another) throw new Error(`${path} has two references; the loader swaps one.`)
  const [to] = getReferencedLists(path)
  const isCounted = (object: CatalogueRow, field: string) => {
    const counter = counters[field]
    if (!counter || (object[field] ?? null) === null) return false
    return counter.flag === undefined || object[counter.flag] === true
  }
  return {
    references: reference && to ? { to, path: reference.path } : undefined,
    readOnly: create.readOnly,
    isUnique: Object.keys(uniqueFields).length > 0,
    withMissingReferences: withMissingReferences[path] ?? ((body) => body),
    withoutCounted: (body, stored) =>
      Object.fromEntries(Object.entries(body).filter(([field]) => !isCounted(stored, field))),
    maskCounted: (object) =>
      Object.fromEntries(
        Object.entries(object).map(([field, value]) => [field, isCounted(object, field) ? 'counted' : value]),
      ),
    applyPatch(body) {
      const { patch, issues } = parseFields(create, body)
      return { patch: applyPatch({ hooks }, {}, patch), issues }
    },
  }
}

const rulesByList = new Map<ListName, ListRules>(
  Object.values(resources).map((resource) => [resource.path, createListRules(resource)]),
)

/** The rules of a list. */
export function getListRules(list: ListName): ListRules {
  const rules = rulesByList.get(list)
  if (!rules) throw new Error(`The registry has no resource ${list}.`)
  return rules
}

/** Returns the replacement of a reference: no value or one. */
type Swap = (reference: unknown, pointer: string) => readonly unknown[]

function swapReferencesAt(value: unknown, path: readonly string[], pointer: string, swap: Swap): unknown {
  const [step, ...rest] = path
  if (step === undefined || step === '*') {
    if (!Array.isArray(value)) return value
    const at = (index: number) => `${pointer}/${index}`
    return step === undefined
      ? value.flatMap((reference: unknown, index) => swap(reference, at(index)))
      : value.map((element: unknown, index) => swapReferencesAt(element, rest, at(index), swap))
  }
  return isObject(value) && step in value
    ? { ...value, [step]: swapReferencesAt(value[step], rest, `${pointer}/${step}`, swap) }
    : value
}

/** Replaces every reference of a row. Values of another form stay unchanged, because the service validates them. */
export function swapReferences({ references }: ListRules, row: CatalogueRow, swap: Swap): CatalogueRow {
  const swapped = references ? swapReferencesAt(row, references.path, '', swap) : row
  return isObject(swapped) ? swapped : row
}
