import * as z from 'zod/mini'
import type { RowOf } from '../../platform/db/query.ts'
import { redemptionStates, redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'

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
/** A redemption as stored. Rows of several merchants name theirs, which no response shows. */
export type StoredRedemption = RowOf<typeof redemptionFields> & { merchantId?: string }

/** A redemption in responses and events. */
export const redemptionView = z.object({
  id: z.string().check(z.describe('Unique identifier. Ids sort by time of creation.')),
  coupon: z.string().check(z.describe('Id of the coupon, which may be deleted.')),
  code: z.string().check(z.describe('Code of the coupon as the request spelled it.')),
  order: z.string().check(z.describe("The caller's id of the order.")),
  customer: z.optional(z.string()).check(z.describe('Id of the customer, who may be deleted.')),
  amount: z
    .optional(z.number())
    .check(z.describe("Discount that the guest was granted, in the merchant's currency. Stored as sent.")),
  state: z
    .enum(redemptionStates)
    .check(
      z.describe(
        '`held`: reserved until `expiresAt`. `redeemed`: counted in `timesRedeemed`. `released`: taken back. `expired`: held, and not confirmed in time.',
      ),
    ),
  createdAt: z.int().check(z.describe('Time of creation, in seconds since 1970-01-01 UTC.')),
  expiresAt: z
    .optional(z.int())
    .check(
      z.describe(
        'First second at which the hold has no effect, in seconds since 1970-01-01 UTC. Only with `held` and `expired`.',
      ),
    ),
})
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
