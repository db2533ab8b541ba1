import { and, asc, desc, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { allOf, databaseNow, lazy, param } from '../../platform/db/database.ts'
import { db, type RowOf, typed } from '../../platform/db/query.ts'
import { availabilityTable } from '../../platform/db/schema/availability.ts'
import { isOutOfStock, productTable } from '../../platform/db/schema/resources/products.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { isMarkOfProduct } from '../../platform/db/sold-out.ts'
import { countFilter } from '../../platform/http/fields/query-parameters.ts'
import { createWindow } from '../../platform/http/keyset-list.ts'
import { pageQuery } from '../../platform/http/pagination.ts'
import { availabilityView, toUntil } from './availability.ts'

/** Default of `below` in a list of low stock. */
export const defaultBelow = 5

export const stockQuery = z.extend(pageQuery, {
  state: z
    .optional(z.enum(['out', 'low']))
    .check(
      z.describe(
        '`out`, the default: products that are sold out. `low`: products with a managed stock of more than 0 and less than `below`. A page of these may be empty and have a next one.',
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
const isLow = and(gt(productTable.stockQuantity, sql`0`), lt(productTable.stockQuantity, param('below')))
type Direction = 'asc' | 'desc'

const perDirection = <Value>(create: (direction: Direction) => Value) => ({ asc: create('asc'), desc: create('desc') })

/** A page of the products whose ids or `seq` a condition selects. */
const createPage = (direction: Direction, isException: SQL) =>
  lazy(() =>
    typed(fields, (select) =>
      db
        .select(select)
        .from(productTable)
        .leftJoin(availabilityTable, isMarkOfProduct)
        .where(allOf(isInScope(productTable), isException))
        .orderBy(direction === 'asc' ? asc(productTable.id) : desc(productTable.id))
        .limit(param('rows')),
    ),
  )

/** The next ids of a source behind `:after`, as many as a page has. An index has them in their order. */
const selectNext = (id: SQLiteColumn, direction: Direction, from: SQL, where: SQL | undefined) => sql`
  select id from (select ${id} as id from ${from} where ${where} and ${id} ${sql.raw(direction === 'asc' ? '>' : '<')} ${param('after')}
    order by ${id} ${sql.raw(direction)} limit ${param('rows')})`

function createOutPage(direction: Direction) {
  const isOut = sql`${isInScope(productTable)} and ${isOutOfStock(productTable)}`
  const isMarked = sql`${isInScope(availabilityTable)} and ${availabilityTable.soldOutUntil} > ${databaseNow}`
  const out = selectNext(productTable.id, direction, sql`${productTable} indexed by products_out`, isOut)
  const marked = selectNext(availabilityTable.product, direction, sql`${availabilityTable}`, isMarked)
  return createPage(direction, sql`${productTable.id} in (${out} union ${marked})`)
}

/**
 * A page of low stock, and the last product that it examines. The index has the products with a managed stock: one of quantities would be
 * written with every sale.
 */
function createLowPage(direction: Direction) {
  const { where, last } = createWindow(
    productTable.id,
    direction,
    sql`${isInScope(productTable)} and ${productTable.manageStock}`,
    sql`${productTable} indexed by products_low`,
  )
  const low = sql`select ${productTable.seq} from ${productTable} indexed by products_low where ${where} and ${isLow}
    order by ${productTable.id} ${sql.raw(direction)} limit ${param('rows')}`
  return { page: createPage(direction, sql`${productTable.seq} in (${low})`), last }
}

const lowPages = perDirection(createLowPage)

/** Statements of the pages of each list. */
export const stockPages = {
  out: perDirection(createOutPage),
  low: {
    asc: lowPages.asc.page,
    desc: lowPages.desc.page,
    lastExamined: { asc: lowPages.asc.last, desc: lowPages.desc.last },
  },
}

/** The stock of a product, and whether it can be ordered now. */
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
