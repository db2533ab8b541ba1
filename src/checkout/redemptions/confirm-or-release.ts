import { type Caller, createAuditedValues } from '../../catalogue/resource/caller.ts'
import { withRawRows } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { commitNamed } from '../../platform/db/transaction.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import { fanOut, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'
import { couponReasonMessages } from './coupon-reasons.ts'
import { byId, ofId } from './redemption-statements.ts'
import { type Redemption, type StoredRedemption, toRedemption } from './redemption-view.ts'
import { createStoredResponse, type RedemptionResponder } from './stored-response.ts'

const createValues = (caller: Caller, redemption: string, operation: string) => ({
  ...createAuditedValues(caller),
  redemption,
  newId: null,
  operation,
})

/** The redemption after the transaction: as written, otherwise as found. Throws `DamagedError` for a damaged row. */
function getOutcome(found: Row | undefined, written: StoredRedemption | undefined, now: number): Redemption {
  if (!found) throw notFound()
  return toRedemption(written ?? byId.find().read(found), now)
}

/** Confirms a hold. Throws `conflict` for one that has expired or was released, `coupon_not_redeemable` if a limit leaves no room. */
export async function confirmRedemption(caller: Caller, id: string, respond: RedemptionResponder): Promise<Redemption> {
  const values = createValues(caller, id, 'redemptions.confirm')
  const { found, holds, confirmed, deliveries } = await commitNamed(
    caller,
    { computed: createStoredResponse(ofId.store(), values, respond) },
    values,
    {
      found: withRawRows(byId.find()),
      holds: byId.findHold(),
      confirmed: byId.confirm(),
    },
    {
      coupons: ofId.countCoupons(),
      redeemed: ofId.raiseRedeemed(),
      limitReached: ofId.raiseLimitReached(),
      audit: ofId.recordAudit(),
      deliveries: fanOut(),
    },
  )
  const redemption = getOutcome(found[0], confirmed[0], values.now)
  if (redemption.state !== 'redeemed') {
    const [hold] = holds
    const reasons = (['limit_reached', 'customer_limit_reached'] as const).filter((code) => hold?.[code] === 1)
    if (hold?.isHeld === 1 && reasons.length > 0) {
      const listed = reasons.map((code) => ({ code, message: couponReasonMessages[code] }))
      throw new ApiError('coupon_not_redeemable', 'The coupon cannot be redeemed.', [], {}, listed)
    }
    // The clock of the database decides. By the clock of this isolate, the hold may not have expired.
    const state = redemption.state === 'held' ? 'expired' : redemption.state
    throw new ApiError('conflict', `The redemption cannot be confirmed: it is ${state}.`)
  }
  caller.enqueue(toPendingDeliveries(deliveries))
  return redemption
}

/** Releases a hold, or takes a redemption back. An expired hold stays expired. */
export async function releaseRedemption(caller: Caller, id: string, respond: RedemptionResponder): Promise<Redemption> {
  const values = createValues(caller, id, 'redemptions.release')
  const { found, released, deliveries } = await commitNamed(
    caller,
    { computed: createStoredResponse(ofId.store(), values, respond) },
    values,
    {
      found: withRawRows(byId.find()),
      coupons: byId.uncountCoupon(),
      released: byId.release(),
    },
    {
      event: ofId.raiseReleased(),
      audit: ofId.recordAudit(),
      deliveries: fanOut(),
    },
  )
  const redemption = getOutcome(found[0], released[0], values.now)
  caller.enqueue(toPendingDeliveries(deliveries))
  return redemption
}
