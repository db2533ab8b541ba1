import * as z from 'zod/mini'
import { defaultOrderType, orderTypes } from '../../catalogue/resources/details/order-types.ts'
import { seconds } from '../../platform/http/fields/seconds.ts'
import { number } from '../../platform/http/fields/types.ts'
import * as field from '../../platform/http/fields.ts'
import { foldCode } from '../../platform/lib/languages/code-keys.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'

const { limits } = field
/** Limits of one quote. */
const quoteLimits = {
  items: 200,
  options: 100,
  optionQuantity: limits.optionQuantity,
  coupons: 10,
  returns: 50,
  optionalCharges: limits.charges,
} as const

const getCodeKey = (code: unknown) => (typeof code === 'string' ? foldCode(code) : undefined)
const getOptionKey = (chosen: unknown) => {
  const { modifier, option } = isObject(chosen) ? chosen : {}
  return typeof modifier === 'string' && typeof option === 'string' ? JSON.stringify([modifier, option]) : undefined
}

const nestedOption = z.strictObject({
  modifier: field.reference.check(z.describe('Id of a modifier that the option offers.')),
  option: field.reference.check(z.describe('Id of an option of the modifier.')),
  quantity: z
    .nullish(field.integer(1, quoteLimits.optionQuantity))
    .check(z.describe('Number of times that the option is chosen for each time of the option above it. Default: 1.')),
})

const option = z.strictObject({
  modifier: field.reference.check(z.describe('Id of a modifier of the product.')),
  option: field.reference.check(z.describe('Id of an option of the modifier.')),
  quantity: z
    .nullish(field.integer(1, quoteLimits.optionQuantity))
    .check(z.describe('Number of times that the option is chosen for one unit. Default: 1.')),
  options: z
    .nullish(field.uniqueList(nestedOption, quoteLimits.options, getOptionKey))
    .check(z.describe('Options of the modifiers that the option offers. Each option at most once.')),
})
const options = z.nullish(field.uniqueList(option, quoteLimits.options, getOptionKey))

const choice = z.strictObject({
  group: field.reference.check(z.describe('Id of a group of the bundle.')),
  product: field.reference.check(z.describe('Id of a part of the group.')),
  options: options.check(z.describe('Options of the part. Each option at most once.')),
})

const item = z.strictObject({
  product: field.reference.check(z.describe('Id of a product.')),
  quantity: field.soldQuantity.check(
    z.describe('Number of units. An integer, unless the product is sold by weight or volume (`soldBy`).'),
  ),
  options: options.check(z.describe('Options that the customer chose. Each option at most once.')),
  choices: z
    .nullish(field.list(choice, limits.quoteChoices))
    .check(z.describe('Parts that the customer chose of a bundle. The same part may be chosen again.')),
})

const returned = z.strictObject({
  product: field.reference.check(z.describe('Id of a product with a deposit.')),
  size: z.nullish(field.reference).check(z.describe('Id of the option that is the size. Absent: no size.')),
  quantity: field
    .integer(1, limits.soldUnits)
    .check(z.describe(`Number of units given back, 1 to ${limits.soldUnits}.`)),
})

const tip = z
  .strictObject({
    percent: z
      .nullish(number({ min: 0, max: 100, decimals: limits.decimals }))
      .check(
        z.describe('Percentage of the lines after discounts and the charges, with taxes that are added to prices.'),
      ),
    amount: z
      .nullish(field.amount)
      .check(z.describe("Amount in the merchant's currency, with at most its decimal places.")),
  })
  .check(
    field.rules(({ percent, amount }) => {
      const isPercent = typeof percent === 'number'
      if (isPercent !== (typeof amount === 'number')) return undefined
      return isPercent
        ? { code: 'conflict', message: 'must have percent or amount, not both' }
        : { code: 'required', message: 'must have percent or amount' }
    }),
  )

/** Products that items name: lines and parts of bundles, each once. */
export const listQuotedProducts = (items: readonly QuoteItem[]): string[] => [
  ...new Set(items.flatMap(({ product, choices }) => [product, ...(choices ?? []).map((part) => part.product)])),
]

const fields = z.strictObject({
  items: field
    .list(item, quoteLimits.items)
    .check(
      field.rules((items) =>
        listQuotedProducts(items).length <= limits.quoteProducts
          ? undefined
          : { code: 'too_many', message: `must name at most ${limits.quoteProducts} different products` },
      ),
    )
    .check(
      z.describe(
        `Lines of the order. Not empty, unless there are returns. A product can have several lines. Lines and choices together name at most ${limits.quoteProducts} different products.`,
      ),
    ),
  coupons: z
    .nullish(field.uniqueList(field.couponCode, quoteLimits.coupons, getCodeKey))
    .check(z.describe('Codes of coupons in the order in which they apply. Each code at most once.')),
  returns: z
    .nullish(field.list(returned, quoteLimits.returns))
    .check(
      z.describe('Empties that the customer gives back. Their deposits are subtracted, so the total may be negative.'),
    ),
  tip: z.nullish(tip).check(z.describe('Tip, which is not taxed: a percentage or an amount.')),
  customer: z
    .nullish(field.reference)
    .check(z.describe('Id of the customer. Required by coupons with `maxRedemptionsPerCustomer`.')),
  at: z.nullish(seconds).check(z.describe('Time of the order, in seconds since 1970-01-01 UTC. Default: now.')),
  orderType: z
    .nullish(z.enum(orderTypes))
    .check(
      z.describe(
        `How the order is consumed. It decides about tax rates and whether the menu is served. Default: \`${defaultOrderType}\`.`,
      ),
    ),
  guests: z
    .nullish(field.integer(1, limits.guests))
    .check(z.describe('Number of guests of the order, for charges with `minGuests`. Default: 1.')),
  optionalCharges: z
    .nullish(field.set(field.reference, quoteLimits.optionalCharges))
    .check(
      z.describe(
        'Ids of optional charges that the customer wants. Those that apply anyway have no effect here. Each id at most once.',
      ),
    ),
  ignoreHours: z
    .nullish(field.boolean)
    .check(
      z.describe(
        'Whether to leave out the issues `closed`, `paused`, `not_served_now` and `outside_menu_hours`, for orders that staff take. Prices of the menu still count only while it is served. Default: `false`.',
      ),
    ),
  menu: z
    .nullish(field.reference)
    .check(
      z.describe(
        'Id of the menu that the customer orders from. Its opening hours are checked; while it is served, its prices replace those of products and their sizes.',
      ),
    ),
  release: z
    .nullish(field.reference)
    .check(
      z.describe(
        'Id of a release that is not published: the order is priced as after it. Requires the scope `releases:read`.',
      ),
    ),
})
/** Body of a quote. */
export const quoteFields = fields.check(({ value, issues }) => {
  if (value.items.length > 0 || (value.returns ?? []).length > 0) return
  issues.push({
    code: 'custom',
    params: { code: 'too_short' },
    message: 'must have an element',
    input: value,
    path: ['items'],
  })
})
export type QuoteRequest = z.output<typeof quoteFields>
export type QuoteItem = z.output<typeof item>
export type QuoteOption = z.output<typeof option>
export type QuoteNestedOption = z.output<typeof nestedOption>
export type QuoteChoice = z.output<typeof choice>

export const quoteRules = { schema: quoteFields, partial: z.partial(fields), readOnly: new Set<string>() }

/** The quantities of items that have a fraction, also those of an invalid body. */
const quantities = z.object({
  items: z.pipe(
    z.pipe(
      z.array(z.unknown()),
      z.transform((items) => items.slice(0, quoteLimits.items)),
    ),
    z.array(z.catch(z.nullable(z.object({ product: field.reference, quantity: field.soldQuantity })), null)),
  ),
})

/** A quantity with a fraction: the index of its item, and the product. */
export interface FractionalItem {
  index: number
  product: string
}

/** Items of a body, valid or not, whose quantity is valid and has a fraction: of no more items and products than a valid body has. */
export function listFractions(body: unknown): FractionalItem[] {
  const found = (quantities.safeParse(body).data?.items ?? []).flatMap((each, index) =>
    each && !Number.isInteger(each.quantity) ? [{ index, product: each.product }] : [],
  )
  const products = new Set([...new Set(found.map(({ product }) => product))].slice(0, limits.quoteProducts))
  return found.filter(({ product }) => products.has(product))
}
