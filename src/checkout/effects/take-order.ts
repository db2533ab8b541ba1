import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Caller } from '../../catalogue/resource/caller.ts'
import { createAuditStatement } from '../../platform/db/audit-log.ts'
import { lazy, param } from '../../platform/db/database.ts'
import { createStoreStatement } from '../../platform/db/idempotency-keys.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { commitNamed } from '../../platform/db/transaction.ts'
import { fanOutOrder, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'
import { createPublish } from '../../platform/outbox/publish-event.ts'
import { toOwnRedemption } from '../redemptions/redeem.ts'
import {
  createRedemptionStatement,
  expireHolds,
  ofOrders,
  redemptionJson,
} from '../redemptions/redemption-statements.ts'
import { type StoredRedemption, toRedemption } from '../redemptions/redemption-view.ts'
import { storedRedemption } from '../redemptions/stored-response.ts'
import { findVerdicts, isEachAllowed, own, type Verdict } from '../redemptions/verdict.ts'
import { toStockIssues } from '../stock/adjust-stock.ts'
import {
  adjustmentStatements,
  createAdjustmentStatement,
  isApplicable,
  ownRecord,
} from '../stock/adjustment-statements.ts'
import { toStockResult } from '../stock/recorded-changes.ts'
import type { EffectsResult } from './effects-request.ts'
import {
  createOrderError,
  listIssuesOfOrder,
  orderCancelled,
  usedOrderReference,
  usedReference,
} from './order-error.ts'
import { createOrderStatement, findKnownOrders, findStockOfOrder, isNewOrder } from './order-record.ts'
import { createAssignment, ofRequested } from './order-redemptions.ts'
import { type Order, type PreparedOrder, prepareOrder } from './prepare-order.ts'

const isEvent = and(isInScope(eventTable), eq(eventTable.id, param('event')))
/** The event was inserted, so all effects are allowed. */
const isPublished = sql`exists (select 1 from ${eventTable} where ${isEvent})`

const effectStatements = {
  /** Inserts the event of the order if all its effects are allowed. The other statements follow it. */
  publish: createPublish(sql`(${isApplicable}) and (${isEachAllowed}) and ${isNewOrder}`),
  recordStock: createAdjustmentStatement(sql`${param('reference')} is not null and ${isPublished}`),
  // The event is published only if each redemption may be written. Later statements must not check the time again.
  recordRedemptions: createRedemptionStatement(sql`${isPublished} and coalesce(${own.state} = 'held', true)`),
  /** Assigns earlier redemptions of the order to its event. */
  assignRedemptions: createAssignment(isPublished, param('orderEvent')),
  /** Records the reference of an order that the rows of its effects do not have. */
  recordOrder: createOrderStatement(
    sql`${param('hasOrderRow')} and ${isPublished}`,
    sql`(select json_group_array(${redemptionTable.id}) from ${ofRequested})`,
  ),
  recordAudit: lazy(() =>
    createAuditStatement(sql`from ${eventTable} where ${isEvent}`, {
      operation: sql`'events.publish'`,
      object: eventTable.id,
    }),
  ),
  store: createStoreStatement(sql`json_object('id', ${param('event')}, 'stock', json(${ownRecord}),
    'redemptions', (select json_group_array(${redemptionJson}) from ${ofRequested}))`),
}

/** A published order and its changes. */
interface TakenOrder {
  /** Id of its event. */
  id: string
  effects: EffectsResult
}

/** The order as the response shows it. `changes` are those of the recorded adjustment. */
function toTakenOrder(
  { showsRedemptions, values: { reference, now } }: PreparedOrder,
  id: string,
  changes: unknown,
  redemptions: readonly StoredRedemption[],
): TakenOrder {
  return {
    id,
    effects: {
      stock: reference === null ? undefined : toStockResult(reference, changes),
      redemptions: showsRedemptions ? redemptions.map((redemption) => toRedemption(redemption, now)) : undefined,
    },
  }
}

const storedOrder = z.object({ id: z.string(), stock: z.nullable(z.unknown()), redemptions: z.array(storedRedemption) })

/** Runs the transaction: inserts the event if all effects are allowed, and applies the effects if it was inserted. */
function writeOrder(caller: Caller, order: PreparedOrder, respond: (order: TakenOrder) => Response) {
  const { values } = order
  const computed = {
    store: [effectStatements.store(), values],
    render(stored: unknown) {
      const { id, stock, redemptions } = storedOrder.parse(stored)
      return respond(toTakenOrder(order, id, stock, redemptions))
    },
  } as const
  return commitNamed(
    caller,
    { computed },
    values,
    {
      knownOrders: findKnownOrders(),
      ofStock: findStockOfOrder(),
      earlierAdjustment: adjustmentStatements.findEarlier(),
      preventedChanges: adjustmentStatements.findIssues(),
      verdictsBefore: findVerdicts(),
      event: effectStatements.publish(),
      adjustment: effectStatements.recordStock(),
      products: adjustmentStatements.updateProducts(),
      stockChanged: adjustmentStatements.raiseChanged(),
      soldOut: adjustmentStatements.raiseSoldOut(),
      backInStock: adjustmentStatements.raiseBackInStock(),
      endedMarks: adjustmentStatements.deleteEndedMarks(),
      expiredHolds: expireHolds(),
      newRedemptions: effectStatements.recordRedemptions(),
      usedCodes: ofOrders.useCodes(),
      assignedRedemptions: effectStatements.assignRedemptions(),
      coupons: ofOrders.countCoupons(),
      couponRedeemed: ofOrders.raiseRedeemed(),
      limitReached: ofOrders.raiseLimitReached(),
      order: effectStatements.recordOrder(),
      audit: effectStatements.recordAudit(),
    },
    {
      verdictsAfter: findVerdicts(),
      deliveries: fanOutOrder(),
    },
  )
}
type WrittenOrder = Awaited<ReturnType<typeof writeOrder>>

const toOwnRedemptions = (verdicts: readonly Verdict[]) => verdicts.flatMap((verdict) => toOwnRedemption(verdict) ?? [])

/** The order that an earlier request published. All its effects belong to one event and have the same values. */
function findEarlierOrder(caller: Caller, order: PreparedOrder, written: WrittenOrder): TakenOrder | undefined {
  const { reference, order: ownReference } = order.values
  const { verdictsBefore: verdicts, knownOrders } = written
  const [adjustment] = written.earlierAdjustment
  const effects = [
    ...knownOrders.flatMap((known) =>
      known.reference === ownReference && known.requestHash !== null
        ? [{ event: known.event, hash: known.requestHash }]
        : [],
    ),
    ...(reference === null ? [] : [{ event: adjustment?.orderEvent, hash: adjustment?.requestHash }]),
    ...verdicts.map(({ ownOrderEvent, ownOrderHash }) => ({ event: ownOrderEvent, hash: ownOrderHash })),
  ]
  const id = effects[0]?.event ?? undefined
  const isEarlier =
    id !== undefined && effects.every(({ event, hash }) => event === id && hash != null && order.hashes.includes(hash))
  if (isEarlier && knownOrders.some(({ event, state }) => event === id && state === 'cancelled')) {
    throw orderCancelled(caller, ownReference)
  }
  return isEarlier ? toTakenOrder(order, id, adjustment?.changes, toOwnRedemptions(verdicts)) : undefined
}

/** Reasons why the order was not written. */
function explainRefusal({ requests, values }: PreparedOrder, written: WrittenOrder) {
  const { earlierAdjustment, knownOrders, ofStock: found, preventedChanges, verdictsBefore } = written
  const isKnown = knownOrders.some((known) => known.reference === values.order)
  // The stock itself has a reference, which is reported as such.
  const isOfStock = found[0]?.isOfStock === 1 && values.reference !== values.order
  const ofOrder = isKnown || isOfStock ? [usedOrderReference] : []
  const ofStock = earlierAdjustment[0] ? [usedReference] : toStockIssues(preventedChanges, '/effects/stock')
  return createOrderError([...ofOrder, ...ofStock], listIssuesOfOrder(verdictsBefore, requests))
}

/** Publishes an order and applies its effects once, in one transaction. `respond` creates the response. */
export async function takeOrder(
  caller: Caller,
  order: Order,
  respond: (order: TakenOrder) => Response,
): Promise<TakenOrder> {
  const prepared = await prepareOrder(caller, order)
  const written = await writeOrder(caller, prepared, respond)
  if (written.event[0]) {
    caller.enqueue(toPendingDeliveries(written.deliveries))
    const { values } = prepared
    return toTakenOrder(prepared, values.event, written.adjustment[0]?.changes, toOwnRedemptions(written.verdictsAfter))
  }
  const { order: reference } = prepared.values
  const isCancelled = written.knownOrders.some((known) => known.reference === reference && known.state === 'cancelled')
  if (isCancelled) throw orderCancelled(caller, reference)
  const earlier = findEarlierOrder(caller, prepared, written)
  if (earlier) return earlier
  throw explainRefusal(prepared, written)
}
