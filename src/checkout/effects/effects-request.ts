import * as z from 'zod/mini'
import { stockReasons } from '../../platform/db/schema/stock-adjustments.ts'
import type { Issue } from '../../platform/errors.ts'
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
  reference: z
    .nullish(field.callerReference)
    .check(
      z.describe(
        "The caller's id of the order, by which it can be cancelled. Only with `order.created`. Default: the reference of `stock`, else the `Idempotency-Key`, else the `order` of the redemptions.",
      ),
    ),
  undo: z
    .nullish(field.callerReference)
    .check(
      z.describe(
        'Reference of the order whose effects are undone: stock is given back, redemptions are released. Only with `order.cancelled`. Requires the scopes of what the order has changed.',
      ),
    ),
  replace: z
    .nullish(field.callerReference)
    .check(
      z.describe(
        'Reference of the order whose effects are replaced: `stock` and `redemptions` are all that the order takes and redeems from now on, and the difference is made. Absent ones stay; null means none. Only with `order.updated`. Requires the scopes of what the order has changed.',
      ),
    ),
  revision: z
    .nullish(field.positiveCount)
    .check(
      z.describe(
        'Number of the change of the order, higher than that of every earlier change. Required with `replace`, and only with it.',
      ),
    ),
  stock: z
    .nullish(stock)
    .check(
      z.describe(
        'Stock that the order takes. Requires the scope `stock:write`. With `replace`, without `reference` and `set`.',
      ),
    ),
  redemptions: z
    .nullish(redemptions)
    .check(z.describe('Coupons that the order redeems, each once. Requires the scope `redemptions:write`.')),
})
export type EffectsRequest = z.output<typeof effectsRequest>

/** The effects that an event of each type may have. */
const effectsOfTypes: Readonly<Partial<Record<string, readonly string[]>>> = {
  'order.created': ['reference', 'stock', 'redemptions'],
  'order.updated': ['replace', 'revision', 'stock', 'redemptions'],
  'order.cancelled': ['undo'],
}
/** The effects that an event of each type must have, if it has any. */
const requiredOfTypes: Readonly<Partial<Record<string, readonly ('undo' | 'replace' | 'revision')[]>>> = {
  'order.updated': ['replace', 'revision'],
  'order.cancelled': ['undo'],
}

/** Issues of stock that replaces that of an order: it has no reference of its own, and only differences. */
function* listReplacedIssues({ stock }: EffectsRequest): Iterable<Issue> {
  if (stock?.reference != null) {
    yield { pointer: '/effects/stock/reference', code: 'conflict', message: 'must not be given with replace' }
  }
  for (const [index, { set }] of stock?.changes.entries() ?? []) {
    const pointer = `/effects/stock/changes/${index}/set`
    if (set !== undefined) yield { pointer, code: 'conflict', message: 'must not be given with replace: give delta' }
  }
}

/** Issues of effects that the type of the event does not have, or lacks. */
export function listMisplacedEffects(type: string, effects: EffectsRequest | null | undefined): Issue[] {
  if (!effects) return []
  const allowed = effectsOfTypes[type]
  const message = `must not be given with ${type}`
  if (!allowed) return [{ pointer: '/effects', code: 'conflict', message }]
  const misplaced = Object.entries(effects).filter(([name, value]) => value != null && !allowed.includes(name))
  const missing = (requiredOfTypes[type] ?? []).filter((name) => effects[name] == null)
  return [
    ...misplaced.map(([name]): Issue => ({ pointer: `/effects/${name}`, code: 'conflict', message })),
    ...missing.map((name): Issue => ({ pointer: `/effects/${name}`, code: 'required', message: 'must be given' })),
    ...(effects.replace ? listReplacedIssues(effects) : []),
  ]
}

/** The redemptions of an order, sorted: their order has no meaning. */
const sortRedemptions = (requests: readonly RedemptionRequest[]) =>
  requests.map(toRedemptionMeaning).toSorted((a, b) => (a.code < b.code ? -1 : 1))

/** Text that identifies the effects of an order. Absent and empty lists are equal. */
export const toEffectsMeaning = (effects: EffectsRequest) => {
  const { stock, reference, undo, replace, revision } = effects
  // Null and absent differ only in a replacement.
  const none = replace ? null : undefined
  const redemptions = sortRedemptions(toRedemptionRequests(effects))
  return {
    reference: reference ?? undefined,
    undo: undo ?? undefined,
    replace: replace ?? undefined,
    revision: revision ?? undefined,
    stock: stock
      ? toStockMeaning({ ...stock, reason: stock.reason ?? 'sale', reference: stock.reference ?? undefined })
      : stock === null
        ? none
        : undefined,
    redemptions: effects.redemptions || (replace && effects.redemptions === null) ? redemptions : undefined,
  }
}

/** A redemption of an order, in the form of a separate request. */
export const toRedemptionRequests = ({ redemptions }: EffectsRequest) =>
  (redemptions ?? []).map((redemption) => redemptionRequest.parse(redemption))

/** The effects of an order in the response. */
export const effectsResult = z.object({
  stock: z.optional(stockResult).check(z.describe('The stock after the order.')),
  redemptions: z.optional(z.array(redemptionView)).check(z.describe('The redemptions of the order.')),
  skipped: z
    .optional(z.array(z.string()))
    .check(
      z.describe(
        'Products whose stock could not be given back: they are deleted, or their stock is no longer managed.',
      ),
    ),
})
export type EffectsResult = z.output<typeof effectsResult>
