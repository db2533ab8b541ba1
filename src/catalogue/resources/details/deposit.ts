import * as z from 'zod/mini'
import * as field from '../../../platform/http/fields.ts'

/** Field for the deposit of one unit. */
export const createDeposit = (description: string) =>
  z
    .nullish(
      z.strictObject({
        amount: field.amount.check(z.describe("Deposit of one unit, in the merchant's currency.")),
        title: z.nullish(field.title).check(z.describe('Name of the deposit, such as that of the bottle.')),
        taxRate: z
          .nullish(field.exactPercentage)
          .check(z.describe('Tax rate of the deposit, in percent. Absent: that of the product.')),
      }),
    )
    .check(z.describe(description))

/** A deposit as stored and shown. */
export const depositView = z.optional(
  z.object({ amount: z.number(), title: z.optional(z.string()), taxRate: z.optional(z.number()) }),
)
