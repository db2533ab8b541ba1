import type { ResourcePath } from '../../../platform/names.ts'
import { limitNames, limitsPrefix } from '../../csv/columns.ts'

/** Fields that columns of each resource can become, in addition to `metadata.NAME`. */
export const tableTargets = {
  products: [
    ...([
      'id',
      'externalId',
      'title',
      'price',
      'description',
      'visible',
      'taxable',
      'useCustomTaxRate',
      'taxRate',
    ] as const),
    ...(['calories', 'manageStock', 'stockQuantity', 'upc', 'sku', 'images', 'modifiers'] as const),
    ...([
      'category',
      'size',
      'axis',
      'group',
      'parent',
      'kind',
      'key',
      'code',
      'summary',
      'hidden',
      'modifier',
      'priceKind',
      'priceUnit',
      'surcharge',
      'optionValue',
      'axisKind',
      'variantSkus',
      'storeView',
      'currency',
    ] as const),
  ],
  customers: ['id', 'externalId', 'firstName', 'lastName', 'email', 'phone', 'name'],
  tags: ['id', 'externalId', 'table', 'area'],
  coupons: [
    ...(['id', 'externalId', 'title', 'code', 'type', 'value', 'description', 'active', 'minimumOrderAmount'] as const),
    ...(['individualUse', 'timesRedeemed', 'applyToAllProducts', 'products'] as const),
    ...(['percent', 'amount', 'kind', 'key', 'combines', 'oncePerCustomer', 'condition'] as const),
    ...limitNames.map((name) => `${limitsPrefix}${name}`),
  ],
} as const satisfies Partial<Readonly<Record<ResourcePath, readonly string[]>>>

export type TableResource = keyof typeof tableTargets

/** A column of a table, and the field that it becomes. */
export interface PlannedColumn {
  name: string
  /** Field that the column becomes: see `Preset`. Null: left out. */
  to: string | null
  how: 'field' | 'synonym' | 'preset' | 'chosen' | 'left_out'
  /** Name of the place or the modifier in the heading. */
  named?: string | undefined
}

/** Begins the target of a column with the prices of a size: `sizes.Small`. */
export const sizesPrefix = 'sizes.'
/** Begins the target of a column with texts in another language: `translations.fr.title`. */
export const translationsPrefix = 'translations.'
/** Whether cells are prices of a size. */
export const isSizePrice = (target: string | null): boolean => target?.startsWith(sizesPrefix) === true
/** Whether a target has a name in it, which a client can choose. */
export const isNamedTarget = (target: string): boolean =>
  /^(?:metadata|sizes)\.\S|^translations\.[a-zA-Z-]{2,35}\.(?:title|description)$/.test(target)

/** Targets of presets. A heading with such a word, such as `Group`, means something else. */
const internalTargets: ReadonlySet<string> = new Set([
  ...([
    'axis',
    'group',
    'parent',
    'kind',
    'key',
    'modifier',
    'priceKind',
    'surcharge',
    'optionValue',
    'axisKind',
  ] as const),
  ...(['variantSkus', 'storeView', 'combines', 'condition'] as const),
])

/** The field that a heading names exactly. `code` is a field of coupons only. */
export const findExactTarget = (heading: string, resource: TableResource): string | undefined => {
  const lower = heading.trim().toLowerCase()
  if (lower.startsWith('metadata.')) return `metadata.${heading.trim().slice('metadata.'.length).trim()}`
  return tableTargets[resource].find(
    (target) =>
      target.toLowerCase() === lower && !internalTargets.has(target) && (target !== 'code' || resource === 'coupons'),
  )
}

const resourcesOfTables = ['products', 'customers', 'tags', 'coupons'] as const satisfies TableResource[]

/** Whether columns with any headings can become fields of a resource. */
export const isTableResource = (path: string | undefined): path is TableResource =>
  resourcesOfTables.some((resource) => resource === path)

/** Fields that columns of a table can become. */
export const listColumnTargets = (resource: ResourcePath): readonly string[] =>
  isTableResource(resource) ? tableTargets[resource] : []

/** Targets that several columns may have. */
export const repeatable = new Set([
  'category',
  'size',
  'axis',
  'images',
  'optionValue',
  'modifier',
  'modifiers',
  'visible',
  'hidden',
  'description',
  'kind',
  'combines',
  'condition',
])

/** Targets whose cells are amounts in the currency of the venue. */
const moneyTargets: ReadonlySet<string> = new Set([
  'price',
  'surcharge',
  'amount',
  'minimumOrderAmount',
  `${limitsPrefix}maxDiscount`,
])
/** Targets whose cells are numbers, and in which a percent sign may stand. */
const percentTargets: ReadonlySet<string> = new Set(['taxRate', 'percent', 'value', 'amount'])
const countTargets: ReadonlySet<string> = new Set([
  ...(['stockQuantity', 'calories', 'timesRedeemed'] as const),
  ...(['maxRedemptions', 'maxRedemptionsPerCustomer'] as const).map((name) => `${limitsPrefix}${name}`),
])

/** Whether cells are amounts of the merchant's currency. */
export const isMoney = (target: string): boolean => moneyTargets.has(target) || isSizePrice(target)
/** Whether cells may have a currency: the value of a coupon is a percentage, or an amount. */
export const mayHaveCurrency = (target: string): boolean => target === 'value' || isMoney(target)
/** Whether cells may end with a percent sign. */
export const mayHavePercent = (target: string): boolean => percentTargets.has(target)
/** Whether cells are numbers. */
export const isNumeric = (target: string): boolean =>
  isMoney(target) || mayHavePercent(target) || countTargets.has(target)

/** Meaning of the discount of a coupon that has neither a sign nor a type. */
export const discountTypes = ['percent', 'amount'] as const
export type DiscountType = (typeof discountTypes)[number]
