import { sql } from 'drizzle-orm'
import { type Caller, createAuditedValues } from '../../catalogue/resource/caller.ts'
import { hasScope } from '../../platform/auth/authenticate.ts'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { orderTable } from '../../platform/db/schema/checkout/orders.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { idempotencyKeyTable } from '../../platform/db/schema/idempotency-keys.ts'
import { commitNamed } from '../../platform/db/transaction.ts'
import { toKeyId } from '../../platform/http/idempotency.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { createIdAt } from '../../platform/lib/ids.ts'
import { fanOutOrder, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'
import { createRedemptionFollowers } from '../redemptions/redemption-statements.ts'
import { adjustmentRetentionDays } from '../stock/adjustment-retention.ts'
import { adjustmentStatements, createAdjustmentStatement } from '../stock/adjustment-statements.ts'
import { type ChangedOrder, createChangeStatements, isChanged, isOfOrder, toChangedOrder } from './changed-order.ts'
import { requireOrder, unknownDifferences } from './order-error.ts'
import { cancelOrderRow, findOrders, ofClaimed } from './order-record.ts'
import { createRelease } from './order-redemptions.ts'

/** Changes of the order with the opposite sign. */
const opposite = sql`(select json_object('product', given.value ->> '$.product', 'delta', -(given.value ->> '$.delta')) as value, given.key as key
  from json_each(${ofClaimed(sql`${orderTable.stock}`)}) as given where given.value ->> '$.delta' <> 0)`

const ofReleased = createRedemptionFollowers(sql`${isOfOrder} and ${redemptionTable.change} = ${param('event')}`)

const statements = {
  ...createChangeStatements(sql`${redemptionTable.change} = ${orderTable.change}`, 'cancelled'),
  ...createRelease(isOfOrder),
  returnStock: createAdjustmentStatement(sql`${ofClaimed(sql`${orderTable.stock} <> '[]'`)}`, opposite),
  /** Deletes the stored response of the order, so that a repeated request learns that it was cancelled. */
  forgetResponse: lazy(() =>
    compile(sql`
      delete from ${idempotencyKeyTable}
      where ${idempotencyKeyTable.id} in (${ofClaimed(sql`${orderTable.keyId}`)}, ${param('orderKeyId')}) and ${isChanged}
        and case when json_valid(${idempotencyKeyTable.computed}) then ${idempotencyKeyTable.computed} ->> '$.id' end
          = ${ofClaimed(sql`${orderTable.event}`)}`),
  ),
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
  respond: (order: ChangedOrder) => Response,
): Promise<ChangedOrder> {
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
    render: (stored: unknown) => respond(toChangedOrder(stored, common.now)),
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
    { results: statements.findResult(), deliveries: fanOutOrder() },
  )
  requireOrder(orders, reference, grantedScopes)
  const [cancelled] = results
  if (!cancelled) throw unknownDifferences()
  if (event[0]) caller.enqueue(toPendingDeliveries(deliveries))
  return toChangedOrder(JSON.parse(cancelled.result), common.now)
}
