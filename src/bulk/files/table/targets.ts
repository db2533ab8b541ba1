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
export const isMoney = (target: string): boolean => moneyTargets.has(target)
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
