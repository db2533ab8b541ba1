import { and, eq, type SQL, sql } from 'drizzle-orm'
import { databaseNow } from './database.ts'
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

/** SQL for "marked as sold out", with `joinAvailability`. */
export const isMarked = sql`coalesce(${availabilityTable.soldOutUntil}, 0) > ${databaseNow}`

/** SQL for "sold out", with `joinAvailability`: marked, or out of managed stock. */
export const isSoldOut = sql`(${isMarked} or (${isOutOfStock(productTable)}))`

/** SQL for the ids of a merchant's sold-out products in one mode, in order. Two partial indexes serve it. */
export const selectSoldOut = (merchantId: SQL, testMode: SQL) => sql`
  select ${productTable.id} as id from ${productTable}
  where ${productTable.merchantId} = ${merchantId} and ${productTable.testMode} = ${testMode} and ${isOutOfStock(productTable)}
  union
  select ${availabilityTable.product} as id from ${availabilityTable}
  where ${availabilityTable.merchantId} = ${merchantId} and ${availabilityTable.testMode} = ${testMode}
    and ${availabilityTable.soldOutUntil} > ${databaseNow}`
