import { sql } from 'drizzle-orm'
import { index, integer, real, type SQLiteColumn, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import {
  baseColumns,
  createHiddenIndex,
  isJsonList,
  isNumber,
  isZeroOrOne,
  linkTable,
  resourceConstraints,
} from '../resource-columns.ts'
import { modifierTable } from './modifiers.ts'

/** SQL for "out of stock". A product whose stock is managed and that has no quantity counts as 0. The index requires exactly this text. */
export const isOutOfStock = ({ manageStock, stockQuantity }: Record<'manageStock' | 'stockQuantity', SQLiteColumn>) =>
  sql`${manageStock} and coalesce(${stockQuantity}, 0) <= 0`

export const productTable = sqliteTable(
  'products',
  {
    ...baseColumns,
    title: text().notNull(),
    price: real().notNull(),
    description: text(),
    visible: integer({ mode: 'boolean' }).notNull(),
    taxable: integer({ mode: 'boolean' }).notNull(),
    useCustomTaxRate: integer({ mode: 'boolean' }).notNull(),
    taxRate: real(),
    calories: integer(),
    manageStock: integer({ mode: 'boolean' }).notNull(),
    stockQuantity: real(),
    type: text({ enum: ['SIMPLE'] }).notNull(),
    upc: text(),
    sku: text(),
    images: text({ mode: 'json' }).notNull(),
    metadata: text({ mode: 'json' }).notNull(),
    modifiers: text({ mode: 'json' }).notNull(),
  },
  (table) => [
    ...resourceConstraints('products', table, {
      lookups: { visible: table.visible, sku: table.sku, upc: table.upc },
      checks: {
        price: isNumber(table.price),
        tax_rate: isNumber(table.taxRate),
        calories: isNumber(table.calories),
        type: sql`${table.type} = 'SIMPLE'`,
        flags: isZeroOrOne(table.visible, table.taxable, table.useCustomTaxRate, table.manageStock),
        images: isJsonList(table.images),
        metadata: isJsonList(table.metadata),
        modifiers: isJsonList(table.modifiers),
      },
    }),
    createHiddenIndex('products', table),
    index('products_out').on(table.merchantId, table.testMode, table.id).where(isOutOfStock(table)),
    // Has no quantity, so that a change of stock writes no row of it.
    index('products_low').on(table.merchantId, table.testMode, table.id).where(sql`${table.manageStock}`),
  ],
)

/** Links of products to their modifiers. */
export const productModifiers = linkTable(
  'product_modifiers',
  () => productTable.seq,
  () => modifierTable.seq,
)
