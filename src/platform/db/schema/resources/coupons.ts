import { sql } from 'drizzle-orm'
import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { baseColumns, isJsonList, isNumber, isZeroOrOne, linkTable, resourceConstraints } from '../resource-columns.ts'
import { productTable } from './products.ts'

export const couponTable = sqliteTable(
  'coupons',
  {
    ...baseColumns,
    title: text().notNull(),
    code: text().notNull(),
    /** The code normalized for comparison, see `foldCode`. */
    codeKey: text().notNull(),
    /** How the key was made: 0 by an earlier release, 1 by `foldCode`, 2 by an earlier release because another coupon has the new key. */
    keyForm: integer().notNull().default(0),
    type: text({ enum: ['PERCENTAGE', 'FIXED'] }).notNull(),
    value: real().notNull(),
    description: text(),
    active: integer({ mode: 'boolean' }).notNull(),
    minimumOrderAmount: real(),
    individualUse: integer({ mode: 'boolean' }).notNull(),
    timesRedeemed: integer().notNull(),
    applyToAllProducts: integer({ mode: 'boolean' }).notNull(),
    products: text({ mode: 'json' }).notNull(),
    /** Whether the coupon applies without its code: a limit of the coupon, stored here for the index. */
    automatic: integer({ mode: 'boolean' }),
  },
  (table) => [
    ...resourceConstraints('coupons', table, {
      lookups: { active: table.active },
      checks: {
        value: isNumber(table.value),
        type: sql`${table.type} in ('PERCENTAGE', 'FIXED')`,
        minimum: isNumber(table.minimumOrderAmount),
        redeemed: isNumber(table.timesRedeemed),
        flags: isZeroOrOne(table.active, table.individualUse, table.applyToAllProducts),
        products: isJsonList(table.products),
      },
    }),
    uniqueIndex('coupons_code').on(table.merchantId, table.testMode, table.codeKey),
    index('coupons_automatic').on(table.merchantId, table.testMode, table.seq).where(sql`${table.automatic} = 1`),
    index('coupons_old_keys').on(table.seq).where(sql`${table.keyForm} = 0`),
  ],
)

/** Links of coupons to their products. */
export const couponProducts = linkTable(
  'coupon_products',
  () => couponTable.seq,
  () => productTable.seq,
)
