import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { createAuditStatement } from '../../platform/db/audit-log.ts'
import { lazy, param } from '../../platform/db/database.ts'
import { createStoreStatement } from '../../platform/db/idempotency-keys.ts'
import { selectList, typed } from '../../platform/db/query.ts'
import { orderTable } from '../../platform/db/schema/checkout/orders.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { stockAdjustmentTable } from '../../platform/db/schema/stock-adjustments.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { createPublish } from '../../platform/outbox/publish-event.ts'
import { redemptionJson } from '../redemptions/redemption-statements.ts'
import { toRedemption } from '../redemptions/redemption-view.ts'
import { storedRedemption } from '../redemptions/stored-response.ts'
import { toStockResult } from '../stock/recorded-changes.ts'
import type { EffectsResult } from './effects-request.ts'
import { isClaimed, isNamed, ofClaimed } from './order-record.ts'

/** SQL for "this transaction changes the order". */
export const isChanged = sql`exists (select 1 from ${orderTable} where ${isClaimed})`

/** SQL for "the redemption is one of the order that this transaction changes". */
export const isOfOrder = sql`${isInScope(redemptionTable)}
  and ${redemptionTable.id} in (select value from json_each(${ofClaimed(sql`${orderTable.redemptions}`)}))`

const adjustment = sql`${stockAdjustmentTable} where ${isInScope(stockAdjustmentTable)} and ${stockAdjustmentTable.reference} = ${orderTable.change}`

/**
 * Statements about the last change of an order, a cancellation or a replacement. `isShown` selects the redemptions in the response, `state` is that of
 * the changed order.
 */
export function createChangeStatements(isShown: SQL, state: 'open' | 'cancelled') {
  /** SQL for the response to the change of the order of a row. */
  const result = sql<string>`json_object('id', ${orderTable.change}, 'takesStock', exists (select 1 from ${adjustment}),
    'stock', (select json(${stockAdjustmentTable.changes}) from ${adjustment}),
    'redeems', ${orderTable.redemptions} <> '[]',
    'redemptions', (select json_group_array(${redemptionJson}) from ${redemptionTable}
      where ${isInScope(redemptionTable)} and ${redemptionTable.id} in (select value from json_each(${orderTable.redemptions}))
        and ${isShown}),
    'skipped', json(${orderTable.skipped}))`
  return {
    publish: createPublish(isChanged),
    recordAudit: lazy(() =>
      createAuditStatement(
        sql`from ${eventTable} where ${isInScope(eventTable)} and ${eventTable.id} = ${param('event')}`,
        {
          operation: sql`'events.publish'`,
          object: eventTable.id,
        },
      ),
    ),
    store: createStoreStatement(ofClaimed(result)),
    findResult: lazy(() =>
      typed(
        { result },
        () => sql`select ${selectList({ result })} from ${orderTable}
        where ${isNamed} and ${orderTable.state} = ${sql.raw(`'${state}'`)}`,
      ),
    ),
  }
}

const storedResult = z.object({
  id: z.string(),
  takesStock: z.number(),
  stock: z.nullable(z.unknown()),
  redeems: z.number(),
  redemptions: z.array(storedRedemption),
  skipped: z.array(z.string()),
})

/** A changed order: the id of the event, and what the change did. */
export interface ChangedOrder {
  id: string
  effects: EffectsResult
}

/** The changed order from the JSON of its result, as of `now` in seconds. */
export function toChangedOrder(stored: unknown, now: number): ChangedOrder {
  const { id, takesStock, stock, redeems, redemptions, skipped } = storedResult.parse(stored)
  return {
    id,
    effects: {
      stock: takesStock === 1 ? toStockResult(id, stock ?? []) : undefined,
      redemptions: redeems === 1 ? redemptions.map((redemption) => toRedemption(redemption, now)) : undefined,
      skipped: skipped.length > 0 ? skipped : undefined,
    },
  }
}
