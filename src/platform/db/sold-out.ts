import { and, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { compile, databaseNow, lazy } from './database.ts'
import { listed } from './query.ts'
import { availabilityTable, furtherNotice, optionAvailabilityTable } from './schema/availability.ts'
import { modifierTable } from './schema/resources/modifiers.ts'
import { isOutOfStock, productTable } from './schema/resources/products.ts'
import { isInScope } from './scope.ts'

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

/** SQL for the second at which a product that is only marked is available again, with `joinAvailability`. Null without an end. */
export const soldOutUntil = sql`iif(${isMarked} and not (${isOutOfStock(productTable)})
  and ${availabilityTable.soldOutUntil} < ${sql.raw(String(furtherNotice))}, ${availabilityTable.soldOutUntil}, null)`

/** SQL for the ids of a merchant's sold-out products in one mode, in order. Two partial indexes serve it. */
export const selectSoldOut = (merchantId: SQL, testMode: SQL) => sql`
  select ${productTable.id} as id from ${productTable} indexed by products_out
  where ${productTable.merchantId} = ${merchantId} and ${productTable.testMode} = ${testMode} and ${isOutOfStock(productTable)}
  union
  select ${availabilityTable.product} as id from ${availabilityTable}
  where ${availabilityTable.merchantId} = ${merchantId} and ${availabilityTable.testMode} = ${testMode}
    and ${availabilityTable.soldOutUntil} > ${databaseNow}`

/**
 * SQL for the options of a row of `modifiers` that are sold out, each with its end, as a JSON list for `toSoldOutOptions`: a further column of a
 * statement that reads modifiers.
 */
export const selectSoldOutOptions = sql<string>`(
  select json_group_array(json_array(${optionAvailabilityTable.option}, ${optionAvailabilityTable.soldOutUntil})) from ${optionAvailabilityTable}
  where ${optionAvailabilityTable.merchantId} = ${modifierTable.merchantId} and ${optionAvailabilityTable.testMode} = ${modifierTable.testMode}
    and ${optionAvailabilityTable.modifier} = ${modifierTable.id} and ${optionAvailabilityTable.soldOutUntil} > ${databaseNow})`

const optionMarks = z.array(z.tuple([z.string(), z.int()]))

/** Reads the column of `selectSoldOutOptions`: sold-out options by their ids, with the second at which they are available again, if it is known. */
export const toSoldOutOptions = (column: unknown): ReadonlyMap<string, { soldOut: true; soldOutUntil?: number }> =>
  new Map(
    (typeof column === 'string' ? optionMarks.parse(JSON.parse(column)) : []).map(([option, until]) => [
      option,
      { soldOut: true, ...(until < furtherNotice && { soldOutUntil: until }) },
    ]),
  )

/** Deletes the marks of the options of the modifiers `:ids`. */
export const deleteOptionMarks = lazy(() =>
  compile(
    sql`delete from ${optionAvailabilityTable} where ${isInScope(optionAvailabilityTable)} and ${optionAvailabilityTable.modifier} in ${listed('ids')}`,
  ),
)
