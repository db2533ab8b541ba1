import { and, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Caller, createAuditedValues } from '../../catalogue/resource/caller.ts'
import { hasScope, requireScopes } from '../../platform/auth/authenticate.ts'
import { createAuditStatement } from '../../platform/db/audit-log.ts'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { createStoreStatement } from '../../platform/db/idempotency-keys.ts'
import { selectList, setColumns, typed } from '../../platform/db/query.ts'
import { orderTable } from '../../platform/db/schema/checkout/orders.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { idempotencyKeyTable } from '../../platform/db/schema/idempotency-keys.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { stockAdjustmentTable } from '../../platform/db/schema/stock-adjustments.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { commitNamed } from '../../platform/db/transaction.ts'
import { ApiError } from '../../platform/errors.ts'
import { toKeyId } from '../../platform/http/idempotency.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { createIdAt } from '../../platform/lib/ids.ts'
import { fanOut, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'
import { createPublish } from '../../platform/outbox/publish-event.ts'
import { isInState } from '../redemptions/redemption-counts.ts'
import { createRedemptionFollowers, movedCoupon, redemptionJson } from '../redemptions/redemption-statements.ts'
import { toRedemption } from '../redemptions/redemption-view.ts'
import { storedRedemption } from '../redemptions/stored-response.ts'
import { toStockResult } from '../stock/adjust-stock.ts'
import { adjustmentRetentionDays } from '../stock/adjustment-retention.ts'
import { adjustmentStatements, createAdjustmentStatement } from '../stock/adjustment-statements.ts'
import type { EffectsResult } from './effects-request.ts'
import { cancelOrderRow, findOrders, isClaimed, isNamed, ofClaimed } from './order-record.ts'

const isCancelled = sql`exists (select 1 from ${orderTable} where ${isClaimed})`
/** Changes of the order with the opposite sign. */
const opposite = sql`(select json_object('product', given.value ->> '$.product', 'delta', -(given.value ->> '$.delta')) as value, given.key as key
  from json_each(${ofClaimed(sql`${orderTable.stock}`)}) as given where given.value ->> '$.delta' <> 0)`

const isOfOrder = sql`${isInScope(redemptionTable)}
  and ${redemptionTable.id} in (select value from json_each(${ofClaimed(sql`${orderTable.redemptions}`)}))`
const isRedeemed = sql`${isOfOrder} and ${isInState(redemptionTable, 'redeemed')}`
const isReleased = and(isOfOrder, sql`${redemptionTable.change} = ${param('event')}`)
const ofReleased = createRedemptionFollowers(isReleased)

/** SQL for the response to the cancellation of the order of a row: `{id, takesStock, stock, redemptions, skipped}`. */
const result = sql<string>`json_object('id', ${orderTable.change}, 'takesStock', ${orderTable.stock} <> '[]',
  'stock', (select json(${stockAdjustmentTable.changes}) from ${stockAdjustmentTable}
    where ${isInScope(stockAdjustmentTable)} and ${stockAdjustmentTable.reference} = ${orderTable.change}),
  'redeems', ${orderTable.redemptions} <> '[]',
  'redemptions', (select json_group_array(${redemptionJson}) from ${redemptionTable}
    where ${isInScope(redemptionTable)} and ${redemptionTable.id} in (select value from json_each(${orderTable.redemptions}))
      and ${redemptionTable.change} = ${orderTable.change}),
  'skipped', json(${orderTable.skipped}))`

const statements = {
  publish: createPublish(isCancelled),
  returnStock: createAdjustmentStatement(sql`${ofClaimed(sql`${orderTable.stock} <> '[]'`)}`, opposite),
  /** Runs before `release`, because it counts what is still redeemed. */
  uncountCoupons: lazy(() => {
    const count = sql`(select count(*) from ${redemptionTable} where ${isRedeemed} and ${redemptionTable.coupon} = ${couponTable.id})`
    return compile(sql`
      update ${couponTable} set ${setColumns(couponTable, {
        timesRedeemed: sql`max(0, ${couponTable.timesRedeemed} - ${count})`,
        ...movedCoupon,
      })}
      where ${isInScope(couponTable)} and ${couponTable.id} in (select ${redemptionTable.coupon} from ${redemptionTable} where ${isRedeemed})`)
  }),
  release: lazy(() =>
    compile(sql`
      update ${redemptionTable} set ${setColumns(redemptionTable, { state: sql`'released'`, expiresAt: sql`null`, change: param('event') })}
      where ${isRedeemed}`),
  ),
  /** Deletes the stored response of the order, so that a repeated request learns that it was cancelled. */
  forgetResponse: lazy(() =>
    compile(sql`
      delete from ${idempotencyKeyTable}
      where ${idempotencyKeyTable.id} in (${ofClaimed(sql`${orderTable.keyId}`)}, ${param('orderKeyId')}) and ${isCancelled}
        and case when json_valid(${idempotencyKeyTable.computed}) then ${idempotencyKeyTable.computed} ->> '$.id' end
          = ${ofClaimed(sql`${orderTable.event}`)}`),
  ),
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
      where ${isNamed} and ${orderTable.state} = 'cancelled'`,
    ),
  ),
}

const storedResult = z.object({
  id: z.string(),
  takesStock: z.number(),
  stock: z.nullable(z.unknown()),
  redeems: z.number(),
  redemptions: z.array(storedRedemption),
  skipped: z.array(z.string()),
})

/** A cancelled order: the id of the event, and what was undone. */
interface CancelledOrder {
  id: string
  effects: EffectsResult
}

function toCancelledOrder(stored: unknown, now: number): CancelledOrder {
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

/** An order to cancel. `data` is the JSON text of the event, `reference` that of the order. */
interface Cancellation {
  type: string
  data: string | undefined
  reference: string
}

/**
 * Publishes that an order is cancelled, and undoes its effects once, in one transaction. A repeated request returns the first result. `respond`
 * creates the response.
 */
export async function cancelOrder(
  caller: Caller,
  { type, data, reference }: Cancellation,
  respond: (order: CancelledOrder) => Response,
): Promise<CancelledOrder> {
  const common = createAuditedValues(caller)
  const { merchantId } = caller.scope
  const { grantedScopes } = caller.validationContext
  const values = {
    ...common,
    type,
    row: data,
    order: reference,
    oldest: createIdAt('evt', common.atMs - adjustmentRetentionDays * daySeconds * 1000),
    mayStock: hasScope(grantedScopes, 'stock:write'),
    mayRedeem: hasScope(grantedScopes, 'redemptions:write'),
    orderKeyId: await toKeyId(caller.scope, `/merchants/${merchantId}/events`, reference),
    // The adjustment that returns the stock. The id of the event is a reference that no other adjustment has.
    reference: common.event,
    reason: 'return',
    oversell: true,
    requestHash: '',
    orderEvent: undefined,
    orderReference: undefined,
    orderKey: undefined,
  }
  const computed = {
    store: [statements.store(), values],
    render: (stored: unknown) => respond(toCancelledOrder(stored, common.now)),
  } as const
  const { orders, event, results, deliveries } = await commitNamed(
    caller,
    { computed },
    values,
    {
      orders: findOrders(),
      cancelled: cancelOrderRow(),
      event: statements.publish(),
      adjustment: statements.returnStock(),
      products: adjustmentStatements.updateProducts(),
      stockChanged: adjustmentStatements.raiseChanged(),
      soldOut: adjustmentStatements.raiseSoldOut(),
      backInStock: adjustmentStatements.raiseBackInStock(),
      endedMarks: adjustmentStatements.deleteEndedMarks(),
      coupons: statements.uncountCoupons(),
      released: statements.release(),
      couponReleased: ofReleased.raiseReleased(),
      forgotten: statements.forgetResponse(),
      audit: statements.recordAudit(),
    },
    { results: statements.findResult(), deliveries: fanOut() },
  )
  const [found, ...others] = orders
  if (!found) {
    throw new ApiError(
      'unknown_order',
      `No order of the last ${adjustmentRetentionDays} days has the reference ${reference}.`,
    )
  }
  if (others.length > 0) throw new ApiError('conflict', `Several orders have the reference ${reference}.`)
  requireScopes(grantedScopes, [
    ...(found.takesStock ? ['stock:write'] : []),
    ...(found.redeems ? ['redemptions:write'] : []),
  ])
  const [cancelled] = results
  if (!cancelled) {
    throw new ApiError(
      'not_supported',
      'The order is of an earlier release, which recorded no differences. Adjust the stock instead.',
    )
  }
  if (event[0]) caller.enqueue(toPendingDeliveries(deliveries))
  return toCancelledOrder(JSON.parse(cancelled.result), common.now)
}
