import * as z from 'zod/mini'
import * as field from '../../platform/http/fields.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'
import { foldCode } from '../../platform/lib/search-terms.ts'

/** Limits of one quote. */
const quoteLimits = { items: 200, quantity: 999, options: 100, optionQuantity: 99, coupons: 10 } as const

const getCodeKey = (code: unknown) => (typeof code === 'string' ? foldCode(code) : undefined)
const getOptionKey = (chosen: unknown) => {
  const { modifier, option } = isObject(chosen) ? chosen : {}
  return typeof modifier === 'string' && typeof option === 'string' ? JSON.stringify([modifier, option]) : undefined
}

const option = z.strictObject({
  modifier: field.reference.check(z.describe('Id of a modifier of the product.')),
  option: field.reference.check(z.describe('Id of an option of the modifier.')),
  quantity: z
    .nullish(field.integer(1, quoteLimits.optionQuantity))
    .check(z.describe('Number of times that the option is chosen for one unit. Default: 1.')),
})

const item = z.strictObject({
  product: field.reference.check(z.describe('Id of a product.')),
  quantity: field.integer(1, quoteLimits.quantity).check(z.describe('Number of units.')),
  options: z
    .nullish(field.uniqueList(option, quoteLimits.options, getOptionKey))
    .check(z.describe('Options that the customer chose. Each option at most once.')),
})

/** Body of a quote. */
export const quoteFields = z.strictObject({
  items: field
    .filledList(item, quoteLimits.items)
    .check(z.describe('Lines of the order. A product can have several lines.')),
  coupons: z
    .nullish(field.uniqueList(field.code, quoteLimits.coupons, getCodeKey))
    .check(z.describe('Codes of coupons in the order in which they apply. Each code at most once.')),
  customer: z
    .nullish(field.reference)
    .check(z.describe('Id of the customer. Required by coupons with `maxRedemptionsPerCustomer`.')),
  at: z.nullish(field.seconds).check(z.describe('Time of the order, in seconds since 1970-01-01 UTC. Default: now.')),
  menu: z
    .nullish(field.reference)
    .check(
      z.describe(
        'Id of the menu that the customer orders from. Its opening hours are checked; while it is served, its prices replace those of products.',
      ),
    ),
})
export type QuoteRequest = z.output<typeof quoteFields>
export type QuoteItem = QuoteRequest['items'][number]
export type QuoteOption = NonNullable<QuoteItem['options']>[number]

export const quoteRules = { schema: quoteFields, partial: z.partial(quoteFields), readOnly: new Set<string>() }
