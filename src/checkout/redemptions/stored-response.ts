import * as z from 'zod/mini'
import type { Statement, Values } from '../../platform/db/database.ts'
import type { ComputedResponse } from '../../platform/db/idempotency-keys.ts'
import { redemptionStates } from '../../platform/db/schema/checkout/redemptions.ts'
import { type Redemption, toRedemption } from './redemption-view.ts'

/** Creates the response of a redemption. */
export type RedemptionResponder = (redemption: Redemption, isNew: boolean) => Response

/** A redemption as SQL writes it: null instead of absent. */
export const storedRedemption = z.object({
  id: z.string(),
  coupon: z.string(),
  code: z.string(),
  order: z.string(),
  customer: z.nullable(z.string()),
  amount: z.nullable(z.number()),
  state: z.enum(redemptionStates),
  createdAt: z.int(),
  expiresAt: z.nullable(z.int()),
})
const stored = z.object({ redemption: storedRedemption, isNew: z.number() })

/** The response that the transaction stores for an `Idempotency-Key`, as of that time: a hold is shown as not expired. */
export const createStoredResponse = (
  store: Statement,
  values: Values,
  respond: RedemptionResponder,
): ComputedResponse => ({
  store: [store, values],
  render(computed) {
    const { redemption, isNew } = stored.parse(computed)
    return respond(toRedemption(redemption, redemption.createdAt), isNew === 1)
  },
})
