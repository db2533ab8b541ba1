import { and, asc, desc, gt, lt, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { allOf, lazy, param } from '../../platform/db/database.ts'
import { db, type RowOf, typed } from '../../platform/db/query.ts'
import { availabilityTable } from '../../platform/db/schema/availability.ts'
import { isOutOfStock, productTable } from '../../platform/db/schema/resources/products.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { isMarkOfProduct, selectSoldOut } from '../../platform/db/sold-out.ts'
import { countFilter } from '../../platform/http/fields/query-parameters.ts'
import { pageQuery } from '../../platform/http/pagination.ts'
import { availabilityView, toUntil } from './availability.ts'

/** Default of `below` in a list of low stock. */
export const defaultBelow = 5

export const stockQuery = z.extend(pageQuery, {
  state: z
    .optional(z.enum(['out', 'low']))
    .check(
      z.describe(
        '`out`, the default: products that are sold out. `low`: products with a managed stock of more than 0 and less than `below`.',
      ),
    ),
  below: z
    .optional(countFilter)
    .check(z.describe(`Limit of low stock. Only with \`state=low\`. Default: ${defaultBelow}.`)),
})

/** A product in the list of exceptions. */
export const stockView = z.object({
  product: z.string().check(z.describe('Id of the product.')),
  title: z.string().check(z.describe('Name of the product.')),
  stockQuantity: z
    .optional(z.number())
    .check(z.describe('Number of units in stock. Absent if the stock of the product is not managed.')),
  ...availabilityView.shape,
})

const fields = {
  id: productTable.id,
  merchantId: productTable.merchantId,
  title: productTable.title,
  manageStock: productTable.manageStock,
  stockQuantity: productTable.stockQuantity,
  outOfStock: sql<number>`${isOutOfStock(productTable)}`,
  soldOutUntil: sql<number | null>`${availabilityTable.soldOutUntil}`,
}
const soldOut = selectSoldOut(sql`${param('merchantId')}`, sql`${param('testMode')}`)
const isLow = and(
  sql`${productTable.manageStock}`,
  gt(productTable.stockQuantity, sql`0`),
  lt(productTable.stockQuantity, param('below')),
)
/** Without the index, SQLite would read all products in order of their ids. */
const low = sql`select ${productTable.seq} from ${productTable} indexed by products_low where ${isInScope(productTable)} and ${isLow}`

const createPages = (isException: SQL) => {
  const createPage = (isBehind: SQL, order: SQL) =>
    lazy(() =>
      typed(fields, (select) =>
        db
          .select(select)
          .from(productTable)
          .leftJoin(availabilityTable, isMarkOfProduct)
          .where(allOf(isInScope(productTable), isException, isBehind))
          .orderBy(order)
          .limit(param('rows')),
      ),
    )
  return {
    asc: createPage(gt(productTable.id, param('after')), asc(productTable.id)),
    desc: createPage(lt(productTable.id, param('after')), desc(productTable.id)),
  }
}

/** Statements of the pages of each list. */
export const stockPages = {
  out: createPages(sql`${productTable.id} in (${soldOut})`),
  low: createPages(sql`${productTable.seq} in (${low})`),
}

export const toStockView = (
  { id, title, manageStock, stockQuantity, outOfStock, soldOutUntil }: RowOf<typeof fields>,
  now: number,
): z.output<typeof stockView> => {
  const until = toUntil(soldOutUntil, now)
  return {
    product: id,
    title,
    stockQuantity: manageStock ? (stockQuantity ?? 0) : undefined,
    soldOut: until !== undefined || outOfStock === 1,
    until,
  }
}
