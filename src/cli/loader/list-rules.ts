import { type BodyRules, type ParsedBody, parseFields } from '../../http/validation.ts'
import type { ResourceDefinition } from '../../resource/definition.ts'
import { applyPatch } from '../../resource/merge-patch.ts'
import * as resources from '../../resources/registry.ts'
import type { CatalogueRow, ListName } from './catalogue-file.ts'

/** Where rows name rows of another list: the steps to the list of references, `*` for every element. */
interface References {
  to: ListName
  path: readonly string[]
}

/** What loading needs to know of a resource, taken from its declaration. */
export interface ListRules {
  references?: References | undefined
  /** Fields that the service sets: they do not make two objects different. */
  readOnly: ReadonlySet<string>
  /** An earlier object can stand in the way of a later one, so their order counts. */
  isUnique: boolean
  /** Says outright what the missing of some reference would else change. */
  whenLacking(body: CatalogueRow): CatalogueRow
  /** What the service would store for a body, and which of its fields it would refuse. */
  applyPatch(body: CatalogueRow): ParsedBody
}

const createListRules = <CreateIn>(
  { create, hooks, uniqueFields }: { create: BodyRules<CreateIn> } & Pick<ResourceDefinition, 'hooks' | 'uniqueFields'>,
  references?: References,
  whenLacking = (body: CatalogueRow) => body,
): ListRules => ({
  references,
  readOnly: create.readOnly,
  isUnique: Object.keys(uniqueFields).length > 0,
  whenLacking,
  applyPatch(body) {
    const { patch, issues } = parseFields(create, body)
    return { patch: applyPatch({ hooks }, {}, patch), issues }
  },
})

export const listRules: Readonly<Record<ListName, ListRules>> = {
  modifiers: createListRules(resources.modifiers),
  products: createListRules(resources.products, { to: 'modifiers', path: ['modifiers'] }),
  menus: createListRules(resources.menus, { to: 'products', path: ['sections', '*', 'items'] }),
  // A coupon for products that were refused must not become one for all products.
  coupons: createListRules(resources.coupons, { to: 'products', path: ['products'] }, (body) => ({
    ...body,
    applyToAllProducts: body['applyToAllProducts'] ?? false,
  })),
  customers: createListRules(resources.customers),
  tags: createListRules(resources.tags),
  webhooks: createListRules(resources.webhooks),
}

export const isRecord = (value: unknown): value is CatalogueRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What stands in the place of a reference: nothing, or one value. */
export type Swap = (reference: unknown, pointer: string) => readonly unknown[]

function swapReferencesAt(value: unknown, path: readonly string[], pointer: string, swap: Swap): unknown {
  const [step, ...rest] = path
  if (step === undefined || step === '*') {
    if (!Array.isArray(value)) return value
    const at = (index: number) => `${pointer}/${index}`
    return step === undefined
      ? value.flatMap((reference: unknown, index) => swap(reference, at(index)))
      : value.map((element: unknown, index) => swapReferencesAt(element, rest, at(index), swap))
  }
  return isRecord(value) && step in value
    ? { ...value, [step]: swapReferencesAt(value[step], rest, `${pointer}/${step}`, swap) }
    : value
}

/** A row or an object with each of its references swapped; what is not of the form is left for the service to judge. */
export function swapReferences({ references }: ListRules, row: CatalogueRow, swap: Swap): CatalogueRow {
  const swapped = references ? swapReferencesAt(row, references.path, '', swap) : row
  return isRecord(swapped) ? swapped : row
}
