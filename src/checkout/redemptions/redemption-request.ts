import * as z from 'zod/mini'
import * as field from '../../platform/http/fields.ts'
import type { ParsedBody } from '../../platform/http/validation.ts'
import { createId } from '../../platform/lib/ids.ts'
import { foldCode, toCodeKeys } from '../../platform/lib/languages/code-keys.ts'

/** Redemption of a coupon by an order. */
export const redemptionRequestFields = {
  code: field.couponCode.check(
    z.describe('Code of the coupon. Ignores case, character width, invisible characters and the dot of an i.'),
  ),
  order: field.callerReference.check(
    z.describe("The caller's id of the order. An order redeems a coupon at most once."),
  ),
  customer: z
    .nullish(field.reference)
    .check(z.describe('Id of the customer. Required if the coupon has `maxRedemptionsPerCustomer`.')),
  amount: z
    .nullish(field.amount)
    .check(z.describe("Discount granted to the guest, in the merchant's currency. Stored as sent.")),
}

/** Body of a redemption. */
export const redemptionRequest = z.strictObject({
  ...redemptionRequestFields,
  hold: z
    .nullish(field.holdSeconds)
    .check(z.describe('Reserves the coupon for this number of seconds instead of redeeming it.')),
})
export type RedemptionRequest = z.output<typeof redemptionRequest>

/** Text that identifies the content of a redemption. */
export const toRedemptionMeaning = ({ code, customer, amount, hold, ...rest }: RedemptionRequest) => ({
  ...rest,
  code: foldCode(code),
  customer: customer ?? undefined,
  amount: amount ?? undefined,
  hold: hold ?? undefined,
})

export const redemptionRules = {
  toMeaning: ({ patch }: ParsedBody) => toRedemptionMeaning(redemptionRequest.parse(patch)),
  schema: redemptionRequest,
  partial: z.partial(redemptionRequest),
  readOnly: new Set(['id', 'coupon', 'state', 'createdAt', 'expiresAt']),
}

/** The element of `:redemptions` for a request, with a new id. */
export const toRequested = ({ code, order, customer, amount, hold }: RedemptionRequest) => ({
  id: createId('red'),
  code,
  ...toCodeKeys(code),
  order,
  customer: customer ?? null,
  amount: amount ?? null,
  hold: hold ?? null,
})
