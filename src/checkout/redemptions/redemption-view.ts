import type * as z from 'zod/mini'
import { createRedemptionView } from '../../catalogue/events/event-data.ts'
import type { RowOf } from '../../platform/db/query.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'

/** Columns that a response shows. */
export const redemptionFields = {
  id: redemptionTable.id,
  coupon: redemptionTable.coupon,
  code: redemptionTable.code,
  order: redemptionTable.orderId,
  customer: redemptionTable.customer,
  amount: redemptionTable.amount,
  state: redemptionTable.state,
  createdAt: redemptionTable.createdAt,
  expiresAt: redemptionTable.expiresAt,
}
/** A redemption as stored. If rows belong to several merchants, each has its merchant id, which no response shows. */
export type StoredRedemption = RowOf<typeof redemptionFields> & { merchantId?: string }

/** A redemption in responses and events. */
export const redemptionView = createRedemptionView()
export type Redemption = z.output<typeof redemptionView>

/** A redemption as it is at `now`, in seconds: a hold expires without being written. */
export function toRedemption(
  { merchantId: _, customer, amount, state, expiresAt, ...stored }: StoredRedemption,
  now: number,
): Redemption {
  const isOver = state === 'held' && expiresAt !== null && expiresAt <= now
  return {
    ...stored,
    customer: customer ?? undefined,
    amount: amount ?? undefined,
    state: isOver ? 'expired' : state,
    expiresAt: expiresAt ?? undefined,
  }
}
