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

/** Limits of one run: marks, and merchants in a mode, in one transaction, and transactions. */
export const returnBounds = { marks: 5_000, scopes: 500, rounds: 20 } as const

/** The mark has expired. Each statement checks the home of the merchant, which can change between two statements. */
const isDue = and(lte(availabilityTable.soldOutUntil, param('now')), isHere(availabilityTable.merchantId))

/** `:scopes` is a JSON list of merchants and modes, each with the products of its marks as a JSON list. */
const scope = {
  from: sql`from json_each(${param('scopes')}) as due`,
  merchantId: sql`due.value ->> '$.merchantId'`,
  testMode: sql`due.value ->> '$.testMode'`,
}
/** The marks of a scope. A merchant can have many others. */
const marksOfScope = sql`json_each(due.value ->> '$.products') as marked cross join ${availabilityTable}
  on ${availabilityTable.merchantId} = ${scope.merchantId} and ${availabilityTable.testMode} = ${scope.testMode}
  and ${availabilityTable.product} = marked.value`

const scopeFields = {
  merchantId: availabilityTable.merchantId,
  testMode: sql<number>`${availabilityTable.testMode}`,
  products: sql<string>`json_group_array(${availabilityTable.product})`,
  marks: sql<number>`count(*)`,
}
const eventFields = { id: eventTable.id, merchantId: eventTable.merchantId }

const statements = {
  /** The marks that ended first, by scope. */
  findDue: lazy(() => {
    const { merchantId, testMode, product, soldOutUntil } = availabilityTable
    const ended = db
      .select({ merchantId, testMode, product })
      .from(availabilityTable)
      .where(isDue)
      .orderBy(soldOutUntil)
      .limit(param('marks'))
    return typed(
      scopeFields,
      () => sql`
        select ${selectList(scopeFields)} from ${ended} as ${availabilityTable}
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
    return typed(eventFields, () => sql`${insert} returning ${selectList(eventFields)}`)
  }),
  deleteDue: lazy(() =>
    compile(
      sql`delete from ${availabilityTable}
        where (${availabilityTable.merchantId}, ${availabilityTable.testMode}, ${availabilityTable.product}) in (
          select ${scope.merchantId}, ${scope.testMode}, marked.value ${scope.from} cross join json_each(due.value ->> '$.products') as marked
        ) and ${isDue}`,
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
    const [due] = await database.run([
      statements.findDue(),
      { now, marks: returnBounds.marks, limit: returnBounds.scopes },
    ])
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
    const marks = due.reduce((sum, scope) => sum + scope.marks, 0)
    if (due.length < returnBounds.scopes && marks < returnBounds.marks) break
  }
  return count
}
