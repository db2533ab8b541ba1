import * as z from 'zod/mini'
import { commit } from '../../db/transaction.ts'
import { ApiError, type Issue, invalid, notFound } from '../../errors.ts'
import { limits } from '../../http/fields.ts'
import { hashKey } from '../../lib/encoding/sha256.ts'
import { createId } from '../../lib/ids.ts'
import { fanOut, toPendingDeliveries } from '../../outbox/fan-out.ts'
import type { Caller } from '../../resource/caller.ts'
import {
  createRedemptionError,
  listRedemptionIssues,
  type RedemptionIssue,
  toOwnRedemption,
} from '../redemptions/redeem.ts'
import { toRequested } from '../redemptions/redemption-request.ts'
import { expireHolds, ofOrders } from '../redemptions/redemption-statements.ts'
import { toRedemption } from '../redemptions/redemption-view.ts'
import { storedRedemption } from '../redemptions/stored-response.ts'
import { findVerdicts } from '../redemptions/verdict.ts'
import { isShortage, toStockIssues, toStockResult } from '../stock/adjust-stock.ts'
import { adjustmentStatements } from '../stock/adjustment-statements.ts'
import { type EffectsRequest, type EffectsResult, toRedemptionRequests } from './effects-request.ts'
import { effectStatements } from './effects-statements.ts'

/** A published order and its changes. */
interface TakenOrder {
  id: string
  effects: EffectsResult
}

/** An order to publish. `data` is its JSON text. */
interface Order {
  type: string
  data: string | undefined
  effects: EffectsRequest
  /** The `Idempotency-Key` of the request: the default of the stock's reference. */
  idempotencyKey: string | undefined
}

function getReference({ effects: { stock }, idempotencyKey }: Order): string | null {
  if (!stock) return null
  const reference = stock.reference ?? idempotencyKey
  const pointer = '/effects/stock/reference'
  if (reference === undefined) throw invalid([{ pointer, code: 'required', message: 'must be given' }])
  if (reference.length <= limits.callerReference) return reference
  const message = `must be given: the Idempotency-Key has more than ${limits.callerReference} characters`
  throw invalid([{ pointer, code: 'too_long', message }])
}

const stored = z.object({ id: z.string(), stock: z.nullable(z.unknown()), redemptions: z.array(storedRedemption) })

/** The error of an order that is refused. Invalid values come first, then shortages, then coupons. */
function createOrderError(stock: readonly Issue[], found: readonly RedemptionIssue[]): ApiError {
  const issues = [...stock, ...found.map(({ issue }) => issue)]
  const isInvalid = ({ code }: Issue) => code !== 'conflict' && code !== 'insufficient_stock'
  const invalidIssues = [
    ...stock.filter(isInvalid),
    ...found.filter(({ status }) => status === 422).map(({ issue }) => issue),
  ]
  if (invalidIssues.length > 0) return invalid(invalidIssues)
  if (stock.some(isShortage)) {
    return new ApiError('insufficient_stock', 'The stock is less than the order takes.', issues)
  }
  if (found.some(({ isReason }) => isReason)) return createRedemptionError(found)
  return new ApiError('conflict', 'The effects belong to another order, or were made with other values.', issues)
}

/** Publishes an order and applies its effects in one transaction, once. `respond` makes the response. */
export async function takeOrder(
  caller: Caller,
  order: Order,
  respond: (order: TakenOrder) => Response,
): Promise<TakenOrder> {
  const { effects } = order
  const requests = toRedemptionRequests(effects)
  const reference = getReference(order)
  const nowMs = Date.now()
  const now = Math.floor(nowMs / 1000)
  const event = createId('evt')
  const changes = JSON.stringify(effects.stock?.changes ?? [])
  const [reason, oversell] = [effects.stock?.reason ?? 'sale', effects.stock?.oversell === true]
  const hash = await hashKey(JSON.stringify([reference, reason, oversell, changes, requests]))
  const values = {
    ...caller.scope,
    type: order.type,
    row: order.data,
    event,
    atMs: nowMs,
    now,
    baseUrl: caller.renderContext.baseUrl,
    reference,
    reason,
    oversell,
    changes,
    requestHash: hash,
    redemptions: JSON.stringify(requests.map((request) => toRequested(request, now))),
    orderEvent: event,
    orderHash: hash,
    entry: createId('aud'),
    actor: caller.actor,
    requestId: caller.requestId,
  }
  const toTaken = (id: string, stock: unknown, redemptions: readonly z.output<typeof storedRedemption>[]) => ({
    id,
    effects: {
      stock: reference === null ? undefined : toStockResult(reference, stock),
      redemptions: effects.redemptions ? redemptions.map((redemption) => toRedemption(redemption, now)) : undefined,
    },
  })
  const computed = {
    store: [effectStatements.store(), values],
    render(row: unknown) {
      const { id, stock, redemptions } = stored.parse(row)
      return respond(toTaken(id, stock, redemptions))
    },
  } as const
  const results = await commit(
    caller,
    { computed },
    [
      [adjustmentStatements.findKnown(), values],
      [adjustmentStatements.findFaults(), values],
      [findVerdicts(), values],
      [effectStatements.publish(), values],
      [effectStatements.recordStock(), values],
      [adjustmentStatements.updateProducts(), values],
      [adjustmentStatements.raiseChanged(), values],
      [adjustmentStatements.raiseSoldOut(), values],
      [adjustmentStatements.raiseBackInStock(), values],
      [expireHolds(), values],
      [effectStatements.recordRedemptions(), values],
      [effectStatements.assignRedemptions(), values],
      [ofOrders.countCoupons(), values],
      [ofOrders.raiseRedeemed(), values],
      [ofOrders.raiseLimitReached(), values],
      [effectStatements.recordAudit(), values],
    ],
    [
      [findVerdicts(), values],
      [fanOut(), values],
    ],
  )
  const [[known], faults, verdicts, [published], [made]] = results
  const [after, pending] = [results[16], results[17]]
  const toOwn = (list: typeof verdicts) => list.flatMap((verdict) => toOwnRedemption(verdict) ?? [])
  if (published) {
    caller.enqueue(toPendingDeliveries(pending))
    return toTaken(event, made?.changes, toOwn(after))
  }
  const earlier = [
    ...(reference === null ? [] : [{ event: known?.orderEvent ?? null, hash: known?.requestHash ?? null }]),
    ...verdicts.map(({ ownOrderEvent, ownOrderHash }) => ({ event: ownOrderEvent, hash: ownOrderHash })),
  ]
  const [first] = earlier
  if (first && first.event !== null && earlier.every((part) => part.event === first.event && part.hash === hash)) {
    return toTaken(first.event, known?.changes, toOwn(verdicts))
  }
  const used: Issue = {
    pointer: '/effects/stock/reference',
    code: 'conflict',
    message: 'was used for another adjustment',
  }
  const stockIssues = known ? [used] : toStockIssues(faults, '/effects/stock')
  const redemptionIssues = verdicts.flatMap((verdict, index) => {
    const [request, pointer] = [requests[index], `/effects/redemptions/${index}`]
    const found = request ? listRedemptionIssues(verdict, request, pointer) : []
    const isTaken = verdict.ownState === 'released' || verdict.ownOrderEvent !== null
    if (found.length > 0 || !isTaken) return found
    const message =
      verdict.ownState === 'released' ? 'was released for this order' : 'is an effect of the order with other effects'
    return [{ status: 409 as const, issue: { pointer, code: 'conflict' as const, message }, isReason: false }]
  })
  if (stockIssues.length + redemptionIssues.length === 0) throw notFound()
  throw createOrderError(stockIssues, redemptionIssues)
}
