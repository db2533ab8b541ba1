import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { allOf, compile, lazy } from '../../platform/db/database.ts'
import { db, listed } from '../../platform/db/query.ts'
import { codeBatchTable, couponCodeTable } from '../../platform/db/schema/checkout/coupon-codes.ts'
import { couponLimitTable } from '../../platform/db/schema/checkout/coupon-limits.ts'
import { jsonListWithout } from '../../platform/db/schema/resource-columns.ts'
import { couponProducts, couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { productTable } from '../../platform/db/schema/resources/products.ts'
import { isInScope } from '../../platform/db/scope.ts'
import type { Issue } from '../../platform/errors.ts'
import { booleanFilter, codeFilter, referenceFilter } from '../../platform/http/fields/query-parameters.ts'
import * as field from '../../platform/http/fields.ts'
import { foldCode } from '../../platform/lib/languages/code-keys.ts'
import { baseFields, createReference, defineResource } from '../resource/define-resource.ts'

const { limits } = field

const fields = z.strictObject({
  title: field.title.check(z.describe('Name of the coupon.')),
  code: field.couponCode.check(
    z.describe(
      'Code that customers enter. Unique in the merchant and mode; letter case, width, invisible characters and the dot of an i are ignored.',
    ),
  ),
  type: z
    .enum(['PERCENTAGE', 'FIXED'])
    .check(z.describe("`PERCENTAGE`: `value` is in percent. `FIXED`: it is in the merchant's currency.")),
  value: field.amount.check(z.describe('Discount, not 0. At most 100 for `PERCENTAGE`.')),
  description: z.nullish(field.text).check(z.describe('Text about the coupon. Stored exactly as sent.')),
  active: z.nullish(field.boolean).check(z.describe('Whether the coupon can be redeemed.')),
  minimumOrderAmount: z
    .nullish(field.amount)
    .check(z.describe("Minimum total of an order, in the merchant's currency.")),
  individualUse: z
    .nullish(field.boolean)
    .check(z.describe('Whether the coupon cannot be combined with other coupons.')),
  timesRedeemed: z.nullish(field.count).check(z.describe('Number of redemptions.')),
  applyToAllProducts: z
    .nullish(field.boolean)
    .check(z.describe('Whether the coupon applies to all products. Becomes `false` if `products` is set without it.')),
  products: z
    .nullish(field.set(field.reference, limits.couponProducts))
    .check(z.describe('Ids of the products that the coupon applies to.')),
})

const item = z.object({
  ...baseFields,
  title: z.string(),
  code: z.string(),
  type: z.enum(['PERCENTAGE', 'FIXED']),
  value: z.number(),
  description: z.optional(z.string()),
  active: z.boolean(),
  minimumOrderAmount: z.optional(z.number()),
  individualUse: z.boolean(),
  timesRedeemed: z.number(),
  applyToAllProducts: z.boolean(),
  products: z.array(z.string()),
})
const parts = z.partial(item)

function* valueIssues({ type, value }: z.output<typeof parts>): Iterable<Issue> {
  if (value === 0) yield { pointer: '/value', code: 'too_small', message: 'must be more than 0' }
  if (type === 'PERCENTAGE' && value !== undefined && value > 100) {
    yield { pointer: '/value', code: 'too_large', message: 'must be at most 100 for PERCENTAGE' }
  }
}

/** Keeps the single-use codes of restored coupons, which were to be deleted with them. */
const keepCodesStatement = lazy(() =>
  compile(
    db
      .update(codeBatchTable)
      .set({ goneAt: null })
      .where(allOf(isInScope(codeBatchTable), sql`${codeBatchTable.coupon} in ${listed('ids')}`)),
  ),
)

export const coupons = defineResource({
  name: 'coupon',
  fields,
  createOnly: {},
  item: item.register(z.globalRegistry, { description: 'A discount that can be applied to orders.' }),
  table: couponTable,
  titleFields: ['code'],
  filters: { code: codeFilter, active: booleanFilter, product: referenceFilter('product') },
  filterColumns: { code: 'codeKey' },
  listFilters: ['code'],
  uniqueFields: { codeKey: 'code' },
  otherHolders: {
    codeKey: {
      id: couponCodeTable.batch,
      value: couponCodeTable.codeKey,
      owner: couponCodeTable.coupon,
      merchantId: couponCodeTable.merchantId,
      testMode: couponCodeTable.testMode,
    },
  },
  references: [
    createReference({
      target: productTable,
      links: couponProducts,
      path: ['products'],
      without: (ids) => jsonListWithout(couponTable.products, ids),
    }),
  ],
  counters: { timesRedeemed: {} },
  examples: {
    create: { title: 'Ten per cent off', code: 'TEN', type: 'PERCENTAGE', value: 10 },
    update: { active: false },
  },
  kept: [{ table: couponLimitTable, owner: couponLimitTable.coupon, by: 'seq' }],
  hooks: {
    resetFields: ({ products }) => (Array.isArray(products) && products.length > 0 ? ['applyToAllProducts'] : []),
    defaults: ({ products }) => ({
      active: true,
      individualUse: false,
      timesRedeemed: 0,
      applyToAllProducts: !Array.isArray(products) || products.length === 0,
      products: [],
    }),
    check: (draft) => [...valueIssues(parts.parse(draft))],
    derive: ({ code }) => ({ codeKey: foldCode(String(code)), keyForm: 1 }),
    restoreStatements: () => [keepCodesStatement()],
    searchTexts(draft) {
      const { title, code, description } = parts.parse(draft)
      return { names: [title], others: [code, description] }
    },
  },
})
