import { withRawRows } from '../../db/query.ts'
import type { Row } from '../../db/row.ts'
import { commitNamed } from '../../db/transaction.ts'
import { ApiError, notFound } from '../../errors.ts'
import { fanOut, toPendingDeliveries } from '../../outbox/fan-out.ts'
import { type Caller, createAuditedValues } from '../../resource/caller.ts'
import { byId, ofId } from './redemption-statements.ts'
import { type Redemption, type StoredRedemption, toRedemption } from './redemption-view.ts'
import { createStoredResponse, type RedemptionResponder } from './stored-response.ts'

const createValues = (caller: Caller, redemption: string, operation: string) => ({
  ...createAuditedValues(caller),
  redemption,
  newId: null,
  operation,
})

/** The redemption after the transaction: as it was written, else as it was found. Throws `DamagedError` for a damaged row. */
function getOutcome(found: Row | undefined, written: StoredRedemption | undefined, now: number): Redemption {
  if (!found) throw notFound()
  return toRedemption(written ?? byId.find().read(found), now)
}

/** Confirms a hold. Throws `conflict` for one that has expired or was released. */
export async function confirmRedemption(caller: Caller, id: string, respond: RedemptionResponder): Promise<Redemption> {
  const values = createValues(caller, id, 'redemptions.confirm')
  const { found, confirmed, deliveries } = await commitNamed(
    caller,
    { computed: createStoredResponse(ofId.store(), values, respond) },
    values,
    {
      found: withRawRows(byId.find()),
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
    throw new ApiError('conflict', `The redemption cannot be confirmed: it is ${redemption.state}.`)
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
