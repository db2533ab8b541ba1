import { type BodyRules, type ParsedBody, parseFields } from '../http/validation.ts'
import type { ResourceDefinition } from '../resource/definition.ts'
import { applyPatch } from '../resource/merge-patch.ts'
import * as resources from '../resources/registry.ts'
import type { List, Row } from './catalogue.ts'

/** Where rows name rows of another list: the steps to the list of references, `*` for every element. */
interface References {
  to: List
  path: readonly string[]
}

/** What loading needs to know of a resource, taken from its declaration. */
export interface Kind {
  references?: References | undefined
  /** Fields that the service sets: they do not make two objects different. */
  readOnly: ReadonlySet<string>
  /** An earlier object can stand in the way of a later one, so their order counts. */
  isUnique: boolean
  /** Says outright what the missing of some reference would else change. */
  whenLacking(body: Row): Row
  /** What the service would store for a body, and which of its fields it would refuse. */
  settle(body: Row): ParsedBody
}

const kind = <CreateIn>(
  { create, hooks, uniqueFields }: { create: BodyRules<CreateIn> } & Pick<ResourceDefinition, 'hooks' | 'uniqueFields'>,
  references?: References,
  whenLacking = (body: Row) => body,
): Kind => ({
  references,
  readOnly: create.readOnly,
  isUnique: Object.keys(uniqueFields).length > 0,
  whenLacking,
  settle(body) {
    const { patch, issues } = parseFields(create, body)
    return { patch: applyPatch({ hooks }, {}, patch), issues }
  },
})

export const kinds: Readonly<Record<List, Kind>> = {
  modifiers: kind(resources.modifiers),
  products: kind(resources.products, { to: 'modifiers', path: ['modifiers'] }),
  menus: kind(resources.menus, { to: 'products', path: ['sections', '*', 'items'] }),
  // A coupon for products that were refused must not become one for all products.
  coupons: kind(resources.coupons, { to: 'products', path: ['products'] }, (body) => ({
    ...body,
    applyToAllProducts: body['applyToAllProducts'] ?? false,
  })),
  customers: kind(resources.customers),
  tags: kind(resources.tags),
  webhooks: kind(resources.webhooks),
}

export const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What stands in the place of a reference: nothing, or one value. */
export type Swap = (reference: unknown, pointer: string) => readonly unknown[]

function swapAt(value: unknown, path: readonly string[], pointer: string, swap: Swap): unknown {
  const [step, ...rest] = path
  if (step === undefined || step === '*') {
    if (!Array.isArray(value)) return value
    const at = (index: number) => `${pointer}/${index}`
    return step === undefined
      ? value.flatMap((reference: unknown, index) => swap(reference, at(index)))
      : value.map((element: unknown, index) => swapAt(element, rest, at(index), swap))
  }
  return isObject(value) && step in value
    ? { ...value, [step]: swapAt(value[step], rest, `${pointer}/${step}`, swap) }
    : value
}

/** A row or an object with each of its references swapped; what is not of the form is left for the service to judge. */
export function swapReferences({ references }: Kind, row: Row, swap: Swap): Row {
  const swapped = references ? swapAt(row, references.path, '', swap) : row
  return isObject(swapped) ? swapped : row
}
