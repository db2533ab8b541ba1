import { and, lte, sql } from 'drizzle-orm'
import { insertSoldOutEvent } from '../../catalogue/events/sold-out-events.ts'
import { byIndex, byKey } from '../../platform/by-index.ts'
import { compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { selectList, typed } from '../../platform/db/query.ts'
import { availabilityTable } from '../../platform/db/schema/availability.ts'
import { isOutOfStock, productTable } from '../../platform/db/schema/resources/products.ts'
import type { Bindings } from '../../platform/env.ts'
import { markedOfScope, returnedFields, returnMarks, scope } from './return-marks.ts'

/** The mark has expired. Each statement checks the home of the merchant, which can change between two statements. */
const isDue = and(lte(availabilityTable.soldOutUntil, param('now')), isHere(availabilityTable.merchantId))

/** The marks of a scope. A merchant can have many others. */
const marksOfScope = sql`${markedOfScope} cross join ${availabilityTable}
  on ${availabilityTable.merchantId} = ${scope.merchantId} and ${availabilityTable.testMode} = ${scope.testMode}
  and ${availabilityTable.product} = marked.value`

const scopeFields = {
  merchantId: availabilityTable.merchantId,
  testMode: sql<number>`${availabilityTable.testMode}`,
  ended: sql<string>`json_group_array(${availabilityTable.product})`,
  marks: sql<number>`count(*)`,
}

const statements = {
  findDue: lazy(() => {
    const { merchantId, testMode, product, soldOutUntil } = availabilityTable
    const ended = sql`select ${merchantId}, ${testMode}, ${product} from ${byIndex(availabilityTable, 'availability_until')}
      where ${isDue} order by ${soldOutUntil} limit ${param('marks')}`
    return typed(
      scopeFields,
      () => sql`
        select ${selectList(scopeFields)} from (${ended}) as ${availabilityTable}
        group by ${merchantId}, ${testMode} limit ${param('limit')}`,
    )
  }),
  /** A product that is out of stock stays sold out. */
  raise: lazy(() => {
    const changed = sql`(select json_group_array(${availabilityTable.product})
      from ${marksOfScope} cross join ${productTable}
      where ${isDue} and ${productTable.merchantId} = ${availabilityTable.merchantId}
        and ${productTable.testMode} = ${availabilityTable.testMode} and ${productTable.id} = ${availabilityTable.product}
        and not (${isOutOfStock(productTable)}))`
    const insert = insertSoldOutEvent({ type: 'product.back_in_stock', changed, scope })
    return typed(returnedFields, () => sql`${insert} returning ${selectList(returnedFields)}`)
  }),
  deleteDue: lazy(() =>
    compile(
      sql`delete from ${byKey(availabilityTable)}
        where (${availabilityTable.merchantId}, ${availabilityTable.testMode}, ${availabilityTable.product}) in (
          select ${scope.merchantId}, ${scope.testMode}, marked.value ${scope.from} cross join ${markedOfScope}
        ) and ${isDue}`,
    ),
  ),
}

/**
 * Deletes the marks of products that have ended, and raises `product.back_in_stock`. A mark has no effect from its end on, so only the event depends
 * on this run. Returns the number of events.
 */
export const returnToStock = (env: Bindings, database: Database, nowMs: number): Promise<number> =>
  returnMarks(env, database, nowMs, statements)
