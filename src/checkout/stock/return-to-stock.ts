import { and, lte, sql } from 'drizzle-orm'
import { insertSoldOutEvent } from '../../catalogue/events/sold-out-events.ts'
import { compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { db, selectList, typed } from '../../platform/db/query.ts'
import { availabilityTable } from '../../platform/db/schema/availability.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { isOutOfStock, productTable } from '../../platform/db/schema/resources/products.ts'
import type { Bindings } from '../../platform/env.ts'
import { createId } from '../../platform/lib/ids.ts'
import { toSeconds } from '../../platform/lib/time.ts'
import { enqueueDeliveries } from '../../platform/outbox/enqueue-deliveries.ts'
import { fanOutAll, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'

/** Limits of one run: maximum number of merchants in a mode in one transaction, and of transactions. */
export const returnBounds = { scopes: 500, rounds: 20 } as const

/** The mark has expired. Each statement checks the home of the merchant, which can change between two statements. */
const isDue = and(lte(availabilityTable.soldOutUntil, param('now')), isHere(availabilityTable.merchantId))

/** `:scopes` is a JSON list of merchants and modes. */
const scope = {
  from: sql`from json_each(${param('scopes')}) as due`,
  merchantId: sql`due.value ->> '$.merchantId'`,
  testMode: sql`due.value ->> '$.testMode'`,
}
const isOfScope = sql`${availabilityTable.merchantId} = ${scope.merchantId} and ${availabilityTable.testMode} = ${scope.testMode}`

const scopeFields = { merchantId: availabilityTable.merchantId, testMode: sql<number>`${availabilityTable.testMode}` }
const eventFields = { id: eventTable.id, merchantId: eventTable.merchantId }

const statements = {
  findDue: lazy(() =>
    typed(scopeFields, (select) =>
      db.selectDistinct(select).from(availabilityTable).where(isDue).limit(param('limit')),
    ),
  ),
  /** A product that is out of stock stays sold out. */
  raise: lazy(() => {
    const changed = sql`(select json_group_array(${availabilityTable.product})
      from ${availabilityTable} cross join ${productTable}
      where ${isOfScope} and ${isDue} and ${productTable.merchantId} = ${availabilityTable.merchantId}
        and ${productTable.testMode} = ${availabilityTable.testMode} and ${productTable.id} = ${availabilityTable.product}
        and not (${isOutOfStock(productTable)}))`
    const insert = insertSoldOutEvent({ type: 'product.back_in_stock', changed, scope })
    return typed(eventFields, () => sql`${insert} returning ${selectList(eventFields)}`)
  }),
  deleteDue: lazy(() =>
    compile(
      sql`delete from ${availabilityTable} where ${isDue}
        and (${availabilityTable.merchantId}, ${availabilityTable.testMode}) in (
          select ${scope.merchantId}, ${scope.testMode} ${scope.from})`,
    ),
  ),
}

/**
 * Deletes the marks that have ended, and raises `product.back_in_stock`. A mark has no effect from its end on, so only the event depends on this run.
 * Returns the number of events.
 */
export async function returnToStock(env: Bindings, database: Database, nowMs: number): Promise<number> {
  const now = toSeconds(nowMs)
  let count = 0
  for (let round = 0; round < returnBounds.rounds; round++) {
    const [due] = await database.run([statements.findDue(), { now, limit: returnBounds.scopes }])
    if (due.length === 0) break
    const values = {
      now,
      atMs: nowMs,
      event: createId('evt'),
      baseUrl: null,
      scopes: JSON.stringify(due),
      merchants: JSON.stringify([...new Set(due.map(({ merchantId }) => merchantId))]),
    }
    const [events, , deliveries] = await database.run(
      [statements.raise(), values],
      [statements.deleteDue(), values],
      [fanOutAll(), values],
    )
    const owners = new Map(events.map(({ id, merchantId }) => [id, merchantId]))
    const pending = toPendingDeliveries(deliveries).flatMap((delivery) => {
      const merchant = owners.get(delivery.event)
      return merchant === undefined ? [] : [{ ...delivery, merchant }]
    })
    await enqueueDeliveries(env, pending)
    count += events.length
    if (due.length < returnBounds.scopes) break
  }
  return count
}
