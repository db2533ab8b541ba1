import * as z from 'zod/mini'
import type { Issue } from '../../../platform/errors.ts'
import * as field from '../../../platform/http/fields.ts'
import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { getOwn, isObject } from '../../../platform/lib/schema-guard.ts'
import type { DetailFields, DetailsContext, DetailsPatch } from '../../resource/details/details-definition.ts'
import { createDeposit, depositView, lacksAmount } from './deposit.ts'

const { limits } = field

/** Sizes of a product in a body. A member that is absent stays as it is. */
export const sizesField = z
  .nullish(
    z.strictObject({
      modifier: z
        .nullish(field.reference)
        .check(
          z.describe('Id of a modifier of the product, of type `RADIO`. Guests choose exactly one of its options.'),
        ),
      prices: z
        .nullish(
          z.record(
            z.string(),
            z.nullish(
              z.strictObject({
                price: z
                  .nullish(field.amount)
                  .check(
                    z.describe(
                      "Price of one unit in this size, in the merchant's currency. Replaces the price of the product and the `additionalCost` of the option.",
                    ),
                  ),
                sku: z.nullish(field.code).check(z.describe('Stock keeping unit of this size. Need not be unique.')),
                upc: z.nullish(field.code).check(z.describe('Bar code of this size. Need not be unique.')),
                deposit: createDeposit('Deposit of one unit in this size. Replaces that of the product.'),
                calories: z
                  .nullish(field.count)
                  .check(z.describe('Energy of one unit in this size, in kilocalories. Replaces that of the product.')),
              }),
            ),
          ),
        )
        .check(
          z.describe(
            `Prices by the id of the option, one for each option of the modifier, at most ${limits.sizes}. An option that is added later has no price and cannot be ordered until it has one.`,
          ),
        ),
      sameContents: z
        .nullish(field.boolean)
        .check(
          z.describe(
            'Whether the sizes with a price add no allergens and suit every diet of the product. A size that is added later is not stated. Default: `false`.',
          ),
        ),
    }),
  )
  .check(
    z.describe(
      'Sizes with prices of their own. The price of the product stays an ordinary field, for clients that know no sizes.',
    ),
  )

/** Sizes as stored and shown. */
export const sizesView = z.optional(
  z.object({
    modifier: z.string(),
    prices: z.record(
      z.string(),
      z.object({
        price: z.number(),
        sku: z.optional(z.string()),
        upc: z.optional(z.string()),
        calories: z.optional(z.number()),
        deposit: depositView,
      }),
    ),
    sameContents: z.optional(z.boolean()),
  }),
)

const issue = (path: readonly PropertyKey[], code: Issue['code'], message: string): Issue => ({
  pointer: toJsonPointer(path),
  code,
  message,
})

/** Issues of the sizes of a product, if the request changes them. */
export function* checkSizes({ after, patch }: DetailsPatch, { partIds, modifiers }: DetailsContext): Iterable<Issue> {
  const sizes = after['sizes']
  if (!isObject(patch['sizes']) || !isObject(sizes)) return
  const id = sizes['modifier']
  if (typeof id !== 'string') {
    yield issue(['sizes', 'modifier'], 'required', 'must be given')
    return
  }
  const modifier = modifiers.get(id)
  // The reference itself has an issue.
  if (!modifier) return
  if (!partIds.has(id)) yield issue(['sizes', 'modifier'], 'not_found', 'is not a modifier of this product')
  if (modifier.type !== 'RADIO') yield issue(['sizes', 'modifier'], 'conflict', 'must be a modifier of type RADIO')
  const prices = isObject(sizes['prices']) ? sizes['prices'] : {}
  if (Object.keys(prices).length > limits.sizes) {
    yield issue(['sizes', 'prices'], 'too_many', `must have at most ${limits.sizes} sizes`)
  }
  for (const option of Object.keys(prices)) {
    if (modifier.options.has(option)) continue
    yield issue(['sizes', 'prices', option], 'not_found', 'is not the id of an option of the modifier')
  }
  for (const option of modifier.options) {
    const size = getOwn(prices, option)
    if (!isObject(size)) yield issue(['sizes', 'prices', option], 'required', 'must have a price: it is an option')
    else if (typeof size['price'] !== 'number') {
      yield issue(['sizes', 'prices', option, 'price'], 'required', 'must be given')
    } else if (lacksAmount(size['deposit'])) {
      yield issue(['sizes', 'prices', option, 'deposit', 'amount'], 'required', 'must be given')
    }
  }
}

/** A patch of sizes. One that adds a size takes `sameContents` back, unless it says so again: nothing is stated about the new size. */
export function completeSizes(patch: DetailFields, { sizes: before }: DetailFields): DetailFields {
  const { sizes } = patch
  if (!isObject(sizes) || !isObject(sizes['prices']) || 'sameContents' in sizes) return patch
  const { modifier, prices } = isObject(before) ? before : {}
  const known = (sizes['modifier'] ?? modifier) === modifier && isObject(prices) ? prices : {}
  const areKnown = Object.keys(sizes['prices']).every((option) => Object.hasOwn(known, option))
  return areKnown ? patch : { ...patch, sizes: { ...sizes, sameContents: null } }
}

/** Leaves out sizes whose option is gone, and all of them if their modifier no longer fits. */
export function keepSizes(details: DetailFields, { partIds, modifiers }: DetailsContext): DetailFields {
  const { sizes, ...others } = details
  if (!isObject(sizes)) return details
  const modifier = modifiers.get(String(sizes['modifier']))
  // A later type of the modifier changes nothing: guests choose exactly one size.
  if (!modifier || !partIds.has(modifier.id) || !isObject(sizes['prices'])) return others
  const prices = Object.entries(sizes['prices']).filter(([option]) => modifier.options.has(option))
  return prices.length > 0 ? { ...others, sizes: { ...sizes, prices: Object.fromEntries(prices) } } : others
}
