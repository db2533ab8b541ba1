import { type Caller, createAuditedValues } from '../../catalogue/resource/caller.ts'
import { busy } from '../../catalogue/resource/object-lock.ts'
import { commitNamed } from '../../platform/db/transaction.ts'
import { ApiError, type Issue, type IssueCode, invalid, unknownReference } from '../../platform/errors.ts'
import type { ParsedBody } from '../../platform/http/validation.ts'
import { fanOut, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'
import { type CouponReasonCode, couponReasonMessages } from './coupon-reasons.ts'
import { type RedemptionRequest, redemptionRequest, toRequested } from './redemption-request.ts'
import { createRedemptionStatement, expireHolds, ofOrders } from './redemption-statements.ts'
import { type Redemption, type StoredRedemption, toRedemption } from './redemption-view.ts'
import { createStoredResponse, type RedemptionResponder } from './stored-response.ts'
import { findVerdicts, type Verdict } from './verdict.ts'

const record = createRedemptionStatement()

const isReasonCode = (code: string): code is CouponReasonCode => Object.hasOwn(couponReasonMessages, code)
const reasonCodes = Object.keys(couponReasonMessages).filter(isReasonCode)

/** The existing redemption of the coupon by the order. */
export function toOwnRedemption(verdict: Verdict): StoredRedemption | undefined {
  const { ownId, ownCoupon, ownCode, ownOrder, ownState, ownCreatedAt } = verdict
  if (ownId === null || ownCoupon === null || ownCode === null || ownOrder === null) return undefined
  if (ownState === null || ownCreatedAt === null) return undefined
  return {
    id: ownId,
    coupon: ownCoupon,
    code: ownCode,
    order: ownOrder,
    customer: verdict.ownCustomer,
    amount: verdict.ownAmount,
    state: ownState,
    createdAt: ownCreatedAt,
    expiresAt: verdict.ownExpiresAt,
  }
}

/** An issue of a redemption that is not written. */
export interface RedemptionIssue {
  /** The status of the problem that has the issue. */
  status: 409 | 422
  issue: Issue & { pointer: string }
  /** Whether the reason prevents every order from redeeming the coupon. */
  isReason: boolean
}

const createIssue = (pointer: string, code: IssueCode, message: string) => ({ pointer, code, message })

const listReasons = (verdict: Verdict, codes: readonly CouponReasonCode[], pointer: string): RedemptionIssue[] =>
  codes
    .filter((code) => verdict[code] === 1)
    .map((code) => ({
      status: 409,
      issue: createIssue(`${pointer}/code`, code, couponReasonMessages[code]),
      isReason: true,
    }))

/** Issues that prevent a redemption. `pointer` is its position in the body. */
export function listRedemptionIssues(verdict: Verdict, request: RedemptionRequest, pointer = ''): RedemptionIssue[] {
  const existing = toOwnRedemption(verdict)
  if (existing) {
    if (verdict.isOtherCode === 1) {
      const message = `is not that of the order's redemption ${existing.id}`
      return [{ status: 409, issue: createIssue(`${pointer}/code`, 'conflict', message), isReason: false }]
    }
    const differs = (field: 'amount' | 'customer') => (existing[field] ?? null) !== (request[field] ?? null)
    const differing = (['amount', 'customer'] as const).filter(differs).map((field) => ({
      status: 409 as const,
      issue: createIssue(
        `${pointer}/${field}`,
        'conflict',
        `differs from that of the order's redemption ${existing.id}`,
      ),
      isReason: false,
    }))
    return differing.length > 0 ? differing : listReasons(verdict, ['limit_reached', 'customer_limit_reached'], pointer)
  }
  if (verdict.isUnknownCustomer === 1) {
    const issue = createIssue(`${pointer}/customer`, 'not_found', unknownReference)
    return [{ status: 422, issue, isReason: false }]
  }
  return listReasons(verdict, reasonCodes, pointer)
}

/** The error of redemptions that are not written. */
export function createRedemptionError(found: readonly RedemptionIssue[]): ApiError {
  const issues = found.map(({ issue }) => issue)
  if (found.some(({ status }) => status === 422)) {
    return invalid(found.filter(({ status }) => status === 422).map(({ issue }) => issue))
  }
  const reasons = found.filter(({ isReason }) => isReason).map(({ issue: { code, message } }) => ({ code, message }))
  return reasons.length > 0
    ? new ApiError('coupon_not_redeemable', 'The coupon cannot be redeemed.', issues, {}, reasons)
    : new ApiError('conflict', 'The order has redeemed the coupon with other values.', issues)
}

interface Redeemed {
  redemption: Redemption
  isNew: boolean
}

/** Redeems or holds a coupon for an order, once. `isNew` is false for the redemption that the order already had. */
export async function redeem(
  caller: Caller,
  { patch, issues }: ParsedBody,
  respond: RedemptionResponder,
): Promise<Redeemed> {
  if (issues.length > 0) throw invalid(issues)
  const request = redemptionRequest.parse(patch)
  const redeemed = (await attempt(caller, request, respond)) ?? (await attempt(caller, request, respond))
  if (!redeemed) throw busy()
  return redeemed
}

/** Redeems once. Undefined if a hold or a period ended between two statements of the transaction. The transaction then wrote nothing. */
async function attempt(
  caller: Caller,
  request: RedemptionRequest,
  respond: RedemptionResponder,
): Promise<Redeemed | undefined> {
  const common = createAuditedValues(caller)
  const { now } = common
  const one = toRequested(request)
  const values = {
    ...common,
    redemptions: JSON.stringify([one]),
    newId: one.id,
    orderEvent: undefined,
    orderHash: undefined,
    orderReference: undefined,
    operation: 'redemptions.create',
  }
  const results = await commitNamed(
    caller,
    { computed: createStoredResponse(ofOrders.store(), values, respond) },
    values,
    {
      verdicts: findVerdicts(),
      expiredHolds: expireHolds(),
      redemptions: record(),
    },
    {
      usedCodes: ofOrders.useCodes(),
      coupons: ofOrders.countCoupons(),
      redeemed: ofOrders.raiseRedeemed(),
      limitReached: ofOrders.raiseLimitReached(),
      audit: ofOrders.recordAudit(),
      deliveries: fanOut(),
    },
  )
  const [written] = results.redemptions
  if (written) {
    caller.enqueue(toPendingDeliveries(results.deliveries))
    return { redemption: toRedemption(written, now), isNew: written.id === one.id }
  }
  const [verdict] = results.verdicts
  if (!verdict) throw new Error('no verdict')
  const found = listRedemptionIssues(verdict, request)
  const existing = toOwnRedemption(verdict)
  if (found.length > 0) throw createRedemptionError(found)
  if (!existing || (existing.state === 'held' && !request.hold)) return undefined
  return { redemption: toRedemption(existing, now), isNew: false }
}
