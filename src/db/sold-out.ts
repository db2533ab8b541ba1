import { and, eq, type SQL, sql } from 'drizzle-orm'
import { param } from './database.ts'
import { availabilityTable } from './schema/availability.ts'
import { isOutOfStock, productTable } from './schema/resources/products.ts'

/** Whether a row of `availability` is the mark of the product. */
export const isMarkOfProduct = and(
  eq(availabilityTable.merchantId, productTable.merchantId),
  eq(availabilityTable.testMode, productTable.testMode),
  eq(availabilityTable.product, productTable.id),
)

/** SQL that joins each product with its mark as sold out. */
export const joinAvailability = sql`left join ${availabilityTable} on ${isMarkOfProduct}`

/** SQL for "marked as sold out at `:now`", with `joinAvailability`. */
export const isMarked = sql`coalesce(${availabilityTable.soldOutUntil}, 0) > ${param('now')}`

/** SQL for "sold out at `:now`", with `joinAvailability`: marked, or out of managed stock. */
export const isSoldOut = sql`(${isMarked} or (${isOutOfStock(productTable)}))`

/** SQL for the ids of a merchant's sold-out products in one mode at `:now`, in order. Two partial indexes serve it. */
export const selectSoldOut = (merchantId: SQL, testMode: SQL) => sql`
  select ${productTable.id} as id from ${productTable}
  where ${productTable.merchantId} = ${merchantId} and ${productTable.testMode} = ${testMode} and ${isOutOfStock(productTable)}
  union
  select ${availabilityTable.product} as id from ${availabilityTable}
  where ${availabilityTable.merchantId} = ${merchantId} and ${availabilityTable.testMode} = ${testMode}
    and ${availabilityTable.soldOutUntil} > ${param('now')}`
