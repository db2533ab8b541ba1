import * as z from 'zod/mini'
import { createChangedStock } from '../../catalogue/events/event-data.ts'
import { stockReasons } from '../../platform/db/schema/stock-adjustments.ts'
import * as field from '../../platform/http/fields.ts'
import type { ParsedBody } from '../../platform/http/validation.ts'

const { limits } = field

const change = z
  .strictObject({
    product: field.reference.check(z.describe('Id of the product. Each product at most once.')),
    delta: z
      .optional(field.stockChange)
      .check(z.describe('Number of units to add to the stock. Negative to take units out.')),
    set: z.optional(field.stockChange).check(z.describe('New number of units in stock.')),
  })
  .check(
    z.superRefine(({ delta, set }, context) => {
      if ((delta === undefined) !== (set === undefined)) return
      const code = set === undefined ? 'required' : 'conflict'
      const message = set === undefined ? 'must be given, or set' : 'must not be given together with delta'
      context.addIssue({
        code: 'custom',
        params: { code },
        message,
        input: set,
        path: [set === undefined ? 'delta' : 'set'],
      })
    }),
  )

/** A list of changes. Reports each product that an earlier change names. */
const changes = field.list(change, limits.stockChanges).check(
  z.superRefine(
    (elements, context) => {
      if (elements.length === 0) {
        const message = 'must have at least 1 element'
        context.addIssue({ code: 'custom', params: { code: 'too_short' }, message, input: elements })
      }
      for (const index of field.duplicates(elements, (element) => element?.product)) {
        const message = 'is in the list already'
        const path = [index, 'product']
        context.addIssue({ code: 'custom', params: { code: 'duplicate' }, message, input: elements, path })
      }
    },
    { when: ({ value }) => Array.isArray(value) },
  ),
  z.meta({ minItems: 1, maxItems: limits.stockChanges }),
)

const fields = {
  reference: field.callerReference.check(
    z.describe("The caller's id of the adjustment, for example of the order. An adjustment is applied once."),
  ),
  reason: z.enum(stockReasons).check(z.describe('Why the stock changes.')),
  oversell: z.nullish(field.boolean).check(z.describe('Whether the stock may become negative. Default: `false`.')),
  changes: changes.check(z.describe('Changes by product. All are applied, or none.')),
}

/** Body of a stock adjustment. */
export const stockRequest = z.strictObject(fields)
export type StockRequest = z.output<typeof stockRequest>

export const stockRules = {
  schema: stockRequest,
  partial: z.partial(stockRequest),
  readOnly: new Set<string>(),
  toMeaning: ({ patch }: ParsedBody) => toStockMeaning(stockRequest.parse(patch)),
}

type Changes = StockRequest['changes']
/** The changes of an adjustment, sorted: their order has no meaning. */
export const sortChanges = (changes: Changes): Changes => changes.toSorted((a, b) => (a.product < b.product ? -1 : 1))

/** Text that identifies the content of an adjustment. */
export const toStockMeaning = <Stock extends Pick<StockRequest, 'oversell' | 'changes'>>({
  oversell,
  changes,
  ...rest
}: Stock) => ({
  ...rest,
  oversell: oversell === true,
  changes: sortChanges(changes),
})

/** The response to an adjustment: the stock of each product after it. */
export const stockResult = z.object({
  reference: z.string().check(z.describe('Reference of the adjustment.')),
  changes: z.array(createChangedStock()).check(z.describe('The changed products, in the order of the request.')),
})
export type StockResult = z.output<typeof stockResult>
