import { type Caller, createAuditedValues } from '../../catalogue/resource/caller.ts'
import { hasScope } from '../../platform/auth/authenticate.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { commitNamed } from '../../platform/db/transaction.ts'
import { ApiError } from '../../platform/errors.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { canonicalizeJson } from '../../platform/lib/encoding/canonical-json.ts'
import { hashKey } from '../../platform/lib/encoding/sha256.ts'
import { createIdAt } from '../../platform/lib/ids.ts'
import { fanOutOrder, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'
import type { RedemptionIssue } from '../redemptions/redeem.ts'
import { listRedemptionIssues } from '../redemptions/redeem.ts'
import { isInState } from '../redemptions/redemption-counts.ts'
import { type RedemptionRequest, toRequested } from '../redemptions/redemption-request.ts'
import { expireHolds, ofOrders } from '../redemptions/redemption-statements.ts'
import { toStockIssues } from '../stock/adjust-stock.ts'
import { adjustmentRetentionDays } from '../stock/adjustment-retention.ts'
import { adjustmentStatements } from '../stock/adjustment-statements.ts'
import { type ChangedOrder, createChangeStatements, toChangedOrder } from './changed-order.ts'
import { type EffectsRequest, toEffectsMeaning, toRedemptionRequests } from './effects-request.ts'
import {
  createOrderError,
  listIssuesOfOne,
  listIssuesOfOrder,
  orderCancelled,
  requireOrder,
  unknownDifferences,
} from './order-error.ts'
import { findOrders } from './order-record.ts'
import { replacedOrder } from './replaced-order.ts'
import { findReplacements, type Replacement, replacedRedemptions } from './replaced-redemptions.ts'

const statements = createChangeStatements(isInState(redemptionTable, 'redeemed'), 'open')

/** A change of an order. `data` is the JSON text of the event, `reference` that of the order. */
interface OrderChange {
  type: string
  data: string | undefined
  reference: string
  effects: EffectsRequest
}

/** No reason why the coupon cannot be redeemed: the order has redeemed it. */
const noReasons = { not_found: 0, inactive: 0, not_started: 0, expired: 0, limit_reached: 0, code_used: 0 } as const

/** The issues of one redemption. */
function listIssues(replacement: Replacement, request: RedemptionRequest, pointer: string): RedemptionIssue[] {
  const { isOfOrder, isOtherCode, isReleasedByOrder, ownCustomer, ownState } = replacement
  const asNew = { ...replacement, ownId: null }
  if (ownState === 'released' && isReleasedByOrder === 1) return listRedemptionIssues(asNew, request, pointer)
  if (ownState === 'redeemed' && isOfOrder === 1 && isOtherCode !== 1) {
    const isSameCustomer = ownCustomer === (request.customer ?? null)
    return isSameCustomer ? [] : listRedemptionIssues({ ...asNew, ...noReasons }, request, pointer)
  }
  return listIssuesOfOne(replacement, request, pointer)
}

/** Parameters of the statements. */
async function createValues(caller: Caller, { type, data, reference, effects }: OrderChange) {
  const common = createAuditedValues(caller)
  const { grantedScopes } = caller.validationContext
  const { stock, redemptions, revision } = effects
  const requests = toRedemptionRequests(effects)
  const meaning = JSON.stringify([canonicalizeJson(data ?? '{}'), toEffectsMeaning(effects)])
  const values = {
    ...common,
    type,
    row: data,
    order: reference,
    orderReference: reference,
    oldest: createIdAt('evt', common.atMs - adjustmentRetentionDays * daySeconds * 1000),
    mayStock: hasScope(grantedScopes, 'stock:write'),
    mayRedeem: hasScope(grantedScopes, 'redemptions:write'),
    revision: revision ?? 0,
    revisionHash: await hashKey(meaning),
    replacesStock: stock !== undefined,
    replacesRedemptions: redemptions !== undefined,
    changes: JSON.stringify(stock?.changes ?? []),
    redemptions: JSON.stringify(requests.map(toRequested)),
    // The adjustment of the difference. The id of the event is a reference that no other adjustment has.
    reference: common.event,
    reason: stock?.reason ?? 'sale',
    oversell: stock?.oversell === true,
    requestHash: '',
    orderEvent: undefined,
    orderHash: undefined,
    orderKey: undefined,
  }
  return { values, requests }
}

/**
 * Publishes that an order has changed, and makes the difference between its effects and the new ones, in one transaction. A repeated request with
 * the last revision returns its result. `respond` creates the response.
 */
export async function replaceOrder(
  caller: Caller,
  change: OrderChange,
  respond: (order: ChangedOrder) => Response,
): Promise<ChangedOrder> {
  const { values, requests } = await createValues(caller, change)
  const { reference } = change
  const { now, revision, revisionHash } = values
  const computed = {
    store: [statements.store(), values],
    render: (stored: unknown) => respond(toChangedOrder(stored, now)),
  } as const
  const { orders, missing, replacements, event, results, deliveries } = await commitNamed(
    caller,
    { computed },
    values,
    {
      orders: findOrders(),
      missing: replacedOrder.findMissing(),
      replacements: findReplacements(),
      claimed: replacedOrder.claim(),
      event: statements.publish(),
      adjustment: replacedOrder.recordStock(),
      products: adjustmentStatements.updateProducts(),
      stockChanged: adjustmentStatements.raiseChanged(),
      soldOut: adjustmentStatements.raiseSoldOut(),
      backInStock: adjustmentStatements.raiseBackInStock(),
      endedMarks: adjustmentStatements.deleteEndedMarks(),
      expiredHolds: expireHolds(),
      uncounted: replacedRedemptions.uncountCoupons(),
      released: replacedRedemptions.release(),
      couponReleased: replacedRedemptions.raiseReleased(),
      freeCodes: replacedRedemptions.freeCodes(),
      recorded: replacedRedemptions.record(),
      regained: replacedRedemptions.regain(),
      usedCodes: ofOrders.useCodes(),
      assigned: replacedRedemptions.assign(),
      counted: ofOrders.countCoupons(),
      couponRedeemed: ofOrders.raiseRedeemed(),
      limitReached: ofOrders.raiseLimitReached(),
      amended: replacedRedemptions.amend(),
      settled: replacedOrder.settle(),
      audit: statements.recordAudit(),
    },
    { results: statements.findResult(), deliveries: fanOutOrder() },
  )
  const found = requireOrder(orders, reference, caller.validationContext.grantedScopes)
  if (found.state === 'cancelled') throw orderCancelled(caller, reference)
  const [changed] = results
  if (event[0]) caller.enqueue(toPendingDeliveries(deliveries))
  const isRepeated = found.revision === revision && found.revisionHash === revisionHash
  if (changed && (event[0] || isRepeated)) return toChangedOrder(JSON.parse(changed.result), now)
  if (found.isSupported === 0) throw unknownDifferences()
  if (found.revision !== null && found.revision >= revision) {
    throw new ApiError('order_changed', `The order ${reference} was changed by revision ${found.revision}.`)
  }
  throw createOrderError(
    toStockIssues(missing, '/effects/stock'),
    listIssuesOfOrder(replacements, requests, listIssues),
  )
}
