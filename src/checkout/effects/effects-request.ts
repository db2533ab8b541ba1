import * as z from 'zod/mini'
import { stockReasons } from '../../platform/db/schema/stock-adjustments.ts'
import { duplicates, list } from '../../platform/http/fields/types.ts'
import * as field from '../../platform/http/fields.ts'
import { foldCode } from '../../platform/lib/languages/code-keys.ts'
import {
  type RedemptionRequest,
  redemptionRequest,
  redemptionRequestFields,
  toRedemptionMeaning,
} from '../redemptions/redemption-request.ts'
import { redemptionView } from '../redemptions/redemption-view.ts'
import { stockRequest, stockResult, toStockMeaning } from '../stock/stock-request.ts'

const stock = z.strictObject({
  ...stockRequest.shape,
  reference: z
    .nullish(field.callerReference)
    .check(z.describe("The caller's id of the adjustment. Default: the `Idempotency-Key`.")),
  reason: z.nullish(z.enum(stockReasons)).check(z.describe('Why the stock changes. Default: `sale`.')),
})

/** Message of a redemption whose coupon an earlier element of the list names. */
export const duplicateMessage = 'is in the list already'

const redemptions = list(z.strictObject(redemptionRequestFields), field.limits.orderRedemptions).check(
  z.superRefine(
    (elements, context) => {
      const toKey = (element: unknown) => {
        const code: unknown = Object(element).code
        return typeof code === 'string' ? foldCode(code) : undefined
      }
      for (const index of duplicates(elements, toKey)) {
        context.addIssue({
          code: 'custom',
          params: { code: 'duplicate' },
          message: duplicateMessage,
          input: elements,
          path: [index, 'code'],
        })
      }
    },
    { when: ({ value }) => Array.isArray(value) },
  ),
)

/** Changes that an order makes with its event: stock and redemptions. */
export const effectsRequest = z.strictObject({
  stock: z.nullish(stock).check(z.describe('Stock that the order takes. Requires the scope `stock:write`.')),
  redemptions: z
    .nullish(redemptions)
    .check(z.describe('Coupons that the order redeems, each once. Requires the scope `redemptions:write`.')),
})
export type EffectsRequest = z.output<typeof effectsRequest>

/** The redemptions of an order, sorted: their order has no meaning. */
const sortRedemptions = (requests: readonly RedemptionRequest[]) =>
  requests.map(toRedemptionMeaning).toSorted((a, b) => (a.code < b.code ? -1 : 1))

/** Text that identifies the effects of an order. Absent and empty lists are equal. */
export const toEffectsMeaning = (effects: EffectsRequest) => {
  const { stock } = effects
  const redemptions = sortRedemptions(toRedemptionRequests(effects))
  return {
    stock: stock
      ? toStockMeaning({ ...stock, reason: stock.reason ?? 'sale', reference: stock.reference ?? undefined })
      : undefined,
    redemptions: effects.redemptions ? redemptions : undefined,
  }
}

/** A redemption of an order, in the form of a separate request. */
export const toRedemptionRequests = ({ redemptions }: EffectsRequest) =>
  (redemptions ?? []).map((redemption) => redemptionRequest.parse(redemption))

/** The effects of an order in the response. */
export const effectsResult = z.object({
  stock: z.optional(stockResult).check(z.describe('The stock after the order.')),
  redemptions: z.optional(z.array(redemptionView)).check(z.describe('The redemptions of the order.')),
})
export type EffectsResult = z.output<typeof effectsResult>
