import type { Caller } from '../../catalogue/resource/caller.ts'
import { requireScopes } from '../../platform/auth/authenticate.ts'
import { ApiError, type Issue, invalid, notFound } from '../../platform/errors.ts'
import { duplicates } from '../../platform/http/fields/types.ts'
import { createRedemptionError, listRedemptionIssues, type RedemptionIssue } from '../redemptions/redeem.ts'
import type { RedemptionRequest } from '../redemptions/redemption-request.ts'
import type { Verdict } from '../redemptions/verdict.ts'
import { isShortage } from '../stock/adjust-stock.ts'
import { adjustmentRetentionDays } from '../stock/adjustment-retention.ts'
import { duplicateMessage } from './effects-request.ts'
import type { FoundOrder } from './order-record.ts'

/** The issue of a reference that another order has. */
export const usedOrderReference: Issue = {
  pointer: '/effects/reference',
  code: 'conflict',
  message: 'was used for another order',
}

/** The issue of a reference under which another adjustment was recorded. */
export const usedReference: Issue = {
  pointer: '/effects/stock/reference',
  code: 'conflict',
  message: 'was used for another adjustment',
}

/** The error of an order that was cancelled. No stored response replaces it: each reports that the order was taken. */
export function orderCancelled({ idempotency }: Caller, reference: string): ApiError {
  if (idempotency) idempotency.isOutdated = true
  return new ApiError('order_cancelled', `The order ${reference} was cancelled.`)
}

/** The order of a change. Throws if none or several have the reference, or if a scope is missing for what the order has changed. */
export function requireOrder(
  orders: readonly FoundOrder[],
  reference: string,
  granted: readonly string[] | undefined,
): FoundOrder {
  const [found, ...others] = orders
  if (!found) {
    throw new ApiError(
      'unknown_order',
      `No order of the last ${adjustmentRetentionDays} days has the reference ${reference}.`,
    )
  }
  if (others.length > 0) throw new ApiError('conflict', `Several orders have the reference ${reference}.`)
  requireScopes(granted, [
    ...(found.takesStock ? ['stock:write'] : []),
    ...(found.redeems ? ['redemptions:write'] : []),
  ])
  return found
}

/** The error of an order whose adjustment recorded no differences. */
export const unknownDifferences = () =>
  new ApiError(
    'not_supported',
    'The order is of an earlier release, which recorded no differences. Adjust the stock instead.',
  )

/** The issues of one redemption of an order. `pointer` is its position in the body. */
export function listIssuesOfOne(verdict: Verdict, request: RedemptionRequest, pointer: string): RedemptionIssue[] {
  const issues = listRedemptionIssues(verdict, request, pointer)
  const isReleased = verdict.ownState === 'released'
  if (issues.length > 0 || !(isReleased || verdict.ownOrderEvent !== null)) return issues
  const message = isReleased ? 'was released for this order' : 'is an effect of the order with other effects'
  return [{ status: 409, issue: { pointer, code: 'conflict', message }, isReason: false }]
}

/** The issues of the redemptions of an order. `listIssues` lists those of one of them. */
export function listIssuesOfOrder<Of extends Verdict>(
  verdicts: readonly Of[],
  requests: readonly RedemptionRequest[],
  listIssues: (verdict: Of, request: RedemptionRequest, pointer: string) => RedemptionIssue[] = listIssuesOfOne,
): RedemptionIssue[] {
  const repeated = new Set([
    ...duplicates(verdicts, ({ ownId }) => ownId ?? undefined),
    ...duplicates(verdicts, ({ coupon }) => coupon ?? undefined),
  ])
  return verdicts.flatMap((verdict, index) => {
    const pointer = `/effects/redemptions/${index}`
    const request = requests[index]
    if (!request) return []
    if (!repeated.has(index)) return listIssues(verdict, request, pointer)
    const issue = { pointer: `${pointer}/code`, code: 'duplicate', message: duplicateMessage } as const
    return [{ status: 422, issue, isReason: false }]
  })
}

const isInvalid = ({ code }: Issue) => code !== 'conflict' && code !== 'insufficient_stock'

/** The error of a rejected order. Invalid values come first, then shortages, then coupons. */
export function createOrderError(ofStock: readonly Issue[], ofRedemptions: readonly RedemptionIssue[]): ApiError {
  const issues = [...ofStock, ...ofRedemptions.map(({ issue }) => issue)]
  // Without an issue, only the deletion of the merchant can prevent the order.
  if (issues.length === 0) return notFound()
  const invalidIssues = [
    ...ofStock.filter(isInvalid),
    ...ofRedemptions.filter(({ status }) => status === 422).map(({ issue }) => issue),
  ]
  if (invalidIssues.length > 0) return invalid(invalidIssues)
  if (ofStock.some(isShortage)) {
    return new ApiError('insufficient_stock', 'The stock is too low for the order.', issues)
  }
  if (ofRedemptions.some(({ isReason }) => isReason)) return createRedemptionError(ofRedemptions)
  return new ApiError('conflict', 'The effects belong to another order, or were made with other values.', issues)
}
