import { sql } from 'drizzle-orm'
import { integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { baseColumns, isJsonList, isNumber, isZeroOrOne, linkTable, resourceConstraints } from '../resource-columns.ts'
import { productTable } from './products.ts'

export const couponTable = sqliteTable(
  'coupons',
  {
    ...baseColumns,
    title: text().notNull(),
    code: text().notNull(),
    /** The code normalized for comparison: case and width are ignored. */
    codeKey: text().notNull(),
    type: text({ enum: ['PERCENTAGE', 'FIXED'] }).notNull(),
    value: real().notNull(),
    description: text(),
    active: integer({ mode: 'boolean' }).notNull(),
    minimumOrderAmount: real(),
    individualUse: integer({ mode: 'boolean' }).notNull(),
    timesRedeemed: integer().notNull(),
    applyToAllProducts: integer({ mode: 'boolean' }).notNull(),
    products: text({ mode: 'json' }).notNull(),
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
  ],
)

/** Links of coupons to their products. */
export const couponProducts = linkTable(
  'coupon_products',
  () => couponTable.seq,
  () => productTable.seq,
)
