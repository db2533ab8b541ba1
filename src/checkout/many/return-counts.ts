import { sql } from 'drizzle-orm'
import { lazy, param, type Values } from '../../platform/db/database.ts'
import { selectList, typed } from '../../platform/db/query.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { stockAdjustmentTable } from '../../platform/db/schema/stock-adjustments.ts'
import { isInScope } from '../../platform/db/scope.ts'
import type { Write } from '../../platform/db/transaction.ts'
import { adjustmentStatements, createAdjustmentStatement } from '../stock/adjustment-statements.ts'
import { recordedByAny } from '../stock/recorded-changes.ts'

const counted = {
  seq: eventTable.seq,
  product: sql<string>`${recordedByAny.product}`,
  delta: sql<number | null>`${recordedByAny.delta}`,
}

/** Changes of stock by the events `stock.changed` of the change set `:changeSet` behind `:after`. Effects of orders are not among them. */
export const listCountedStock = lazy(() =>
  typed(
    counted,
    () => sql`select ${selectList(counted)} from ${eventTable}
      cross join ${stockAdjustmentTable} on ${isInScope(stockAdjustmentTable)} and ${stockAdjustmentTable.reference} = ${eventTable.row} ->> '$.reference'
      cross join json_each(${stockAdjustmentTable.changes}) as done
      where ${isInScope(eventTable)} and ${eventTable.changeSet} = ${param('changeSet')} and ${eventTable.changeSet} is not null
        and ${eventTable.seq} > ${param('after')} and ${eventTable.type} = 'stock.changed' and ${stockAdjustmentTable.orderEvent} is null
      order by ${eventTable.seq} limit ${param('rows')}`,
  ),
)

/** A difference of the stock of a product. */
export interface StockDifference {
  product: string
  delta: number
}

const isNew = sql`not exists (select 1 from ${stockAdjustmentTable} as earlier where earlier.merchant_id = ${param('merchantId')}
  and earlier.test_mode = ${param('testMode')} and earlier.reference = ${param('reference')})`
const record = createAdjustmentStatement(isNew, sql`json_each(${param('changes')})`)

/** Statements that take differences back by one adjustment, once for a reference. They leave out products that are gone or whose stock is not managed. */
export function returnCounts(differences: readonly StockDifference[], reference: string, values: Values): Write {
  const sums = new Map<string, number>()
  for (const { product, delta } of differences) sums.set(product, (sums.get(product) ?? 0) - delta)
  const changes = [...sums].flatMap(([product, delta]) => (delta === 0 ? [] : [{ product, delta }]))
  if (changes.length === 0) return []
  const own = {
    ...values,
    ...{ reference, reason: 'count', requestHash: '', orderEvent: null, orderReference: null, orderKey: null },
    changes: JSON.stringify(changes),
  }
  return [
    record(),
    adjustmentStatements.updateProducts(),
    adjustmentStatements.raiseChanged(),
    adjustmentStatements.raiseSoldOut(),
    adjustmentStatements.raiseBackInStock(),
    adjustmentStatements.deleteEndedMarks(),
  ].map((statement) => [statement, own] as const)
}
