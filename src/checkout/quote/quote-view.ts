import * as z from 'zod/mini'
import { exactDecimals, getCurrencyDecimals } from './amounts.ts'
import { couponReasonCodes, quoteIssueCodes } from './quote-issues.ts'

const amount = (description: string) => z.number().check(z.describe(description))
const message = z.string().check(z.describe('Explanation for people.'))

const option = z.object({
  modifier: z.string().check(z.describe('Id of the modifier.')),
  option: z.string().check(z.describe('Id of the option.')),
  label: z.optional(z.string()).check(z.describe('Name of the option.')),
  quantity: z.int().check(z.describe('Number of times that the option is chosen for one unit.')),
  additionalCost: amount('Amount that the option adds to the price of one unit each time. 0 for an unknown option.'),
})

const item = z.object({
  product: z.string().check(z.describe('Id of the product.')),
  title: z.optional(z.string()).check(z.describe('Name of the product. Absent if the product does not exist.')),
  quantity: z.int().check(z.describe('Number of units.')),
  options: z.array(option).check(z.describe('Chosen options.')),
  unitPrice: amount(`Price of one unit with its options, with up to ${exactDecimals} decimal places. At least 0.`),
  subtotal: amount('`unitPrice` × `quantity`, rounded half up to the decimal places of the currency.'),
  discounts: z
    .array(
      z.object({
        coupon: z.string().check(z.describe('Id of the coupon.')),
        amount: amount('Amount that the coupon takes off the line.'),
      }),
    )
    .check(z.describe('Discounts of the line.')),
  taxRate: amount('Tax rate in percent. 0 if the product is not taxable.'),
  tax: amount('Tax of the line after discounts.'),
  total: amount('Amount to pay for the line: after discounts, with tax.'),
})

const coupon = z.object({
  code: z.string().check(z.describe('Code as the request has it.')),
  coupon: z.optional(z.string()).check(z.describe('Id of the coupon. Absent if no coupon has the code.')),
  status: z.enum(['applied', 'not_applied']).check(z.describe('Whether the coupon lowers the total.')),
  amount: amount('Discount. 0 if the coupon is not applied.'),
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

const tax = z.object({
  rate: amount('Tax rate in percent.'),
  base: amount('Sum of the lines with this rate after discounts. Includes tax if `included`.'),
  amount: amount('Tax.'),
  included: z.boolean().check(z.describe('Whether `base` includes the tax.')),
})

const issue = z.object({
  pointer: z.string().check(z.describe('JSON pointer (RFC 6901) into the request.')),
  code: z.enum(quoteIssueCodes).check(z.describe('Issue for programs, from a closed list.')),
  message,
  available: z.optional(z.number()).check(z.describe('Units in stock. Present for `insufficient_stock`.')),
  modifier: z
    .optional(z.string())
    .check(z.describe('Id of the modifier. Present if the number of its options is wrong.')),
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
  coupons: z.array(coupon).check(z.describe('Coupons in the order of the request.')),
  taxes: z.array(tax).check(z.describe('Taxes by rate, lowest rate first.')),
  subtotal: amount('Sum of the lines before discounts.'),
  discountTotal: amount('Sum of all discounts.'),
  taxTotal: amount('Sum of all taxes.'),
  total: amount('Amount to pay: the sum of the totals of the lines.'),
  issues: z.array(issue).check(z.describe('Everything that prevents the order.')),
})
