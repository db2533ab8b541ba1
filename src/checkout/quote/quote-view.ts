import * as z from 'zod/mini'
import { getCurrencyDecimals } from '../../catalogue/resources/currency.ts'
import { exactDecimals } from './amounts.ts'
import { couponReasonCodes, quoteIssueCodes } from './quote-issues.ts'

const amount = (description: string) => z.number().check(z.describe(description))
const message = z.string().check(z.describe('Explanation for people.'))

const chosenOption = {
  modifier: z.string().check(z.describe('Id of the modifier.')),
  option: z.string().check(z.describe('Id of the option.')),
  label: z.optional(z.string()).check(z.describe('Name of the option.')),
  quantity: z.int().check(z.describe('Number of times that the option is chosen for one unit.')),
  additionalCost: amount(
    'Amount that the option adds to the price of one unit each time. 0 for an unknown option, for the size, and for all but the most expensive option of a modifier with `pricing: "highest"`, which counts once.',
  ),
}

const option = z.object({
  ...chosenOption,
  options: z
    .optional(z.array(z.object(chosenOption)))
    .check(
      z.describe(
        'Chosen options of the modifiers that the option offers. They count as often as the option. Absent without such options.',
      ),
    ),
})

const size = z
  .optional(z.string())
  .check(z.describe('Id of the option that is the size. Absent for a product without sizes.'))

const choice = z.object({
  group: z.string().check(z.describe('Id of the group.')),
  product: z.string().check(z.describe('Id of the part.')),
  title: z.optional(z.string()).check(z.describe('Name of the part. Absent if the group does not have it.')),
  size,
  surcharge: amount('Amount that the part adds to the price of the bundle. Its own price is not charged.'),
  options: z.array(option).check(z.describe('Chosen options of the part.')),
})

const tax = z.object({
  rate: amount('Tax rate in percent.'),
  base: amount('Amount with this rate after discounts, with charges. Includes tax if `included`.'),
  amount: amount('Tax.'),
  included: z.boolean().check(z.describe('Whether `base` includes the tax.')),
  deposit: z
    .optional(z.literal(true))
    .check(z.describe('`true` for the tax of deposits, which has entries of its own. Otherwise absent.')),
})

const item = z.object({
  product: z.string().check(z.describe('Id of the product.')),
  title: z.optional(z.string()).check(z.describe('Name of the product. Absent if the product does not exist.')),
  quantity: z
    .number()
    .check(
      z.describe('Number of units, as the request has it. An integer, unless the product is sold by weight or volume.'),
    ),
  size,
  options: z.array(option).check(z.describe('Chosen options.')),
  choices: z.optional(z.array(choice)).check(z.describe('Chosen parts of a bundle. Absent if the request has none.')),
  unitPrice: amount(
    `Price of one unit with its options and choices, with up to ${exactDecimals} decimal places. At least 0. Without the options if the product is sold by weight or volume.`,
  ),
  subtotal: amount(
    '`unitPrice` × `quantity`, rounded half up to the decimal places of the currency. Lines that differ only in their quantity are rounded together, and share the sum by quantity. By weight or volume, options are added once.',
  ),
  discounts: z
    .array(
      z.object({
        coupon: z.string().check(z.describe('Id of the coupon.')),
        amount: amount('Amount that the coupon takes off the line.'),
      }),
    )
    .check(z.describe('Discounts of the line.')),
  taxRate: amount('Tax rate of the product in percent. 0 if it is not taxable. Not applied if `taxes` is present.'),
  taxes: z
    .optional(z.array(tax))
    .check(z.describe('Taxes of a bundle that is split over the rates of its parts (`splitTax`), lowest rate first.')),
  tax: amount('Tax of the line after discounts.'),
  total: amount('Amount to pay for the line: after discounts, with tax.'),
})

const coupon = z.object({
  code: z.string().check(z.describe('Code as the request has it. Of an automatic coupon: its code.')),
  coupon: z.optional(z.string()).check(z.describe('Id of the coupon. Absent if no coupon has the code.')),
  status: z.enum(['applied', 'not_applied']).check(z.describe('Whether the coupon lowers the total.')),
  amount: amount('Discount. 0 if the coupon is not applied.'),
  automatic: z
    .optional(z.literal(true))
    .check(z.describe('`true` if the coupon applies without its code. Redeem it with the order like the others.')),
  reasons: z
    .array(
      z.object({
        code: z.enum(couponReasonCodes).check(z.describe('Reason for programs, from a closed list.')),
        message,
        missing: z
          .optional(z.number())
          .check(z.describe('Amount by which the subtotal is too small. Present for `minimum_not_met`.')),
      }),
    )
    .check(z.describe('All reasons why the coupon is not applied. Empty if it is applied.')),
})

const issue = z.object({
  pointer: z.string().check(z.describe('JSON pointer (RFC 6901) into the request.')),
  code: z.enum(quoteIssueCodes).check(z.describe('Issue for programs, from a closed list.')),
  message,
  available: z.optional(z.number()).check(z.describe('Units in stock. Present for `insufficient_stock`.')),
  modifier: z
    .optional(z.string())
    .check(z.describe('Id of the modifier. Present if the number of its options is wrong.')),
  group: z
    .optional(z.string())
    .check(z.describe('Id of the group of a bundle. Present if the number of its choices is wrong.')),
  min: z.optional(z.number()).check(z.describe('Smallest quantity. Present for `quantity_not_allowed`.')),
  max: z.optional(z.number()).check(z.describe('Largest quantity. Present for `quantity_not_allowed`.')),
  opensAt: z
    .optional(z.int())
    .check(
      z.describe(
        'First second at which the venue serves again, in seconds since 1970-01-01 UTC. Only for `closed`; absent if it never does.',
      ),
    ),
  until: z
    .optional(z.int())
    .check(
      z.describe(
        'First second at which the venue takes orders again, in seconds since 1970-01-01 UTC. Only for `paused`; absent until the pause is ended by a request.',
      ),
    ),
  step: z.optional(z.number()).check(z.describe('Quantities are multiples of it. Present for `quantity_not_allowed`.')),
})

const charge = z.object({
  id: z.string().check(z.describe('Id of the charge.')),
  title: z.string().check(z.describe('Name of the charge.')),
  amount: amount('Charge, as priced: with tax if prices include it.'),
  taxRate: z
    .optional(z.number())
    .check(z.describe('Tax rate in percent. Absent if the charge is 0 or has several rates.')),
  taxes: z
    .optional(z.array(tax))
    .check(z.describe('Taxes of a charge that follows several rates of the lines, lowest rate first.')),
  tax: amount('Tax of the charge.'),
})

/** Response of a quote. Amounts are in the merchant's currency, with its decimal places. */
export const quoteView = z.object({
  currency: z
    .optional(z.string())
    .check(
      z.describe(
        `ISO 4217 code of the currency. Absent: amounts have ${getCurrencyDecimals(undefined)} decimal places.`,
      ),
    ),
  orderable: z.boolean().check(z.describe('Whether the order can be placed: `issues` is empty.')),
  at: z.int().check(z.describe('Time of the quote, in seconds since 1970-01-01 UTC.')),
  items: z.array(item).check(z.describe('Lines in the order of the request, including those with issues.')),
  coupons: z
    .array(coupon)
    .check(z.describe('Coupons in the order of the request, then automatic ones that are applied.')),
  charges: z
    .optional(z.array(charge))
    .check(z.describe('Charges that apply, in the order of the list. Absent without any.')),
  taxes: z
    .array(tax)
    .check(z.describe('Taxes of lines and charges by rate, lowest rate first. Those of deposits come last.')),
  deposits: z
    .optional(
      z.array(
        z.object({
          product: z.string().check(z.describe('Id of the product.')),
          size,
          title: z.optional(z.string()).check(z.describe('Name of the deposit. Absent without one.')),
          quantity: z.int().check(z.describe('Number of units. Negative for units given back.')),
          amount: amount('Deposit of these units, as priced. Negative for units given back.'),
        }),
      ),
    )
    .check(
      z.describe('Deposits by product and size: those of the lines, then those given back. Absent without deposits.'),
    ),
  tip: z.optional(z.number()).check(z.describe('Tip. Absent if the request has none.')),
  subtotal: amount('Sum of the lines before discounts.'),
  discountTotal: amount('Sum of all discounts.'),
  taxTotal: amount('Sum of all taxes.'),
  total: amount(
    'Amount to pay: the sum of the totals of the lines, of charges and deposits with their taxes, and of the tip. Negative only with returns.',
  ),
  cashTotal: z
    .optional(z.number())
    .check(
      z.describe(
        'Amount to pay in cash: `total`, rounded half up to a multiple of `cashRounding`. Absent without `cashRounding`.',
      ),
    ),
  ageLimit: z
    .optional(z.int())
    .check(
      z.describe(
        'Minimum age of customers, in years: the highest of all products and options. Absent without a minimum age.',
      ),
    ),
  stock: z
    .optional(
      z.array(
        z.object({
          product: z.string().check(z.describe('Id of the product.')),
          delta: z
            .number()
            .check(z.describe('Units that the order takes, as a negative number with up to 3 decimals.')),
        }),
      ),
    )
    .check(
      z.describe(
        'What the order takes from products with `manageStock`, parts of bundles included: `effects.stock.changes` of its event. Present if a product has sizes, is a bundle, or is sold by weight or volume.',
      ),
    ),
  prepMinutes: z
    .optional(z.int())
    .check(z.describe('Minutes that an order takes at present. Absent if the venue does not state it.')),
  issues: z.array(issue).check(z.describe('Everything that prevents the order.')),
})
