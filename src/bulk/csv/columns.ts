import type * as z from 'zod/mini'
import { limitView } from '../../checkout/coupon-limit-fields.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'
import type { ResourcePath } from '../../platform/names.ts'
import { joinElements, protectFormula } from './cells.ts'

/** Resources whose objects fit into the cells of a row. Menus and modifiers have lists of objects. */
export const csvResources: readonly ResourcePath[] = ['products', 'coupons', 'customers', 'tags', 'webhooks']

/** Columns that name the object of a row. */
const keyColumns = ['id', 'externalId'] as const

/** Prefix of the columns with the value of one metadata entry: `metadata.KEY`. */
export const metadataPrefix = 'metadata.'
/** Column with the keys of the metadata entries of a tag that guests cannot see. */
export const hiddenMetadata = 'hiddenMetadata'
const metadataField = 'metadata'
/** Prefix of the columns with the limits of a coupon: `limits.maxRedemptions`. */
export const limitsPrefix = 'limits.'
/** Names of the limits of a coupon. */
export const limitNames = Object.keys(limitView.shape)

/** The parts of a resource that its columns depend on. */
interface Columned {
  path: ResourcePath
  item: { shape: Readonly<Record<string, z.core.$ZodType>> }
  create: { readOnly: ReadonlySet<string> }
  internal: readonly string[]
}

/** Whether objects of the resource have metadata. */
export const hasMetadata = ({ item }: Pick<Columned, 'item'>) => metadataField in item.shape

/** The fields that clients write. */
const listFields = ({ item, create, internal }: Columned) =>
  Object.keys(item.shape).filter((key) => !create.readOnly.has(key) && !internal.includes(key))

/** Columns of a CSV file with all fields that clients write, and one for each metadata key. */
export const listColumns = (resource: Columned, metadataKeys: readonly string[]): readonly string[] => [
  ...keyColumns,
  ...listFields(resource).flatMap((field) =>
    field === metadataField ? metadataKeys.map((key) => `${metadataPrefix}${key}`) : [field],
  ),
  ...(resource.path === 'coupons' ? limitNames.map((name) => `${limitsPrefix}${name}`) : []),
  ...(resource.path === 'tags' && metadataKeys.length > 0 ? [hiddenMetadata] : []),
]

/** The text of a value in a cell. Elements of a list are joined. */
export const toText = (value: unknown): string => {
  if (value === undefined) return ''
  if (!Array.isArray(value)) return String(value)
  return joinElements(value.map((element) => String(isObject(element) ? element['url'] : element)))
}

/** The values of an object, in the order of the columns. If several metadata entries have the same key, the first one counts. */
export function listValues(columns: readonly string[], object: Readonly<Record<string, unknown>>): unknown[] {
  const { metadata, limits } = object
  const entries = Array.isArray(metadata) ? metadata.filter(isObject) : []
  const texts: Readonly<Record<string, unknown>> = {
    ...object,
    ...(isObject(limits) &&
      Object.fromEntries(Object.entries(limits).map(([name, value]) => [`${limitsPrefix}${name}`, value]))),
    ...Object.fromEntries(
      entries.toReversed().map(({ key, value }) => [`${metadataPrefix}${String(key)}`, value] as const),
    ),
    [hiddenMetadata]: entries.filter(({ visible }) => visible === false).map(({ key }) => key),
  }
  return columns.map((column) => texts[column])
}

/** The cells of an object in a CSV file. */
export const toCells = (columns: readonly string[], object: Readonly<Record<string, unknown>>): string[] =>
  listValues(columns, object).map((value) => protectFormula(toText(value)))
