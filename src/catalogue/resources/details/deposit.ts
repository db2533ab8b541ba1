import * as z from 'zod/mini'
import * as field from '../../../platform/http/fields.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'

/** Field for the deposit of one unit. */
export const createDeposit = (description: string) =>
  z
    .nullish(
      z.strictObject({
        amount: z
          .nullish(field.amount)
          .check(
            z.describe("Deposit of one unit, in the merchant's currency. Required, but stays if a request omits it."),
          ),
        title: z.nullish(field.title).check(z.describe('Name of the deposit, such as that of the bottle.')),
        taxRate: z
          .nullish(field.taxRate)
          .check(z.describe('Tax rate of the deposit in percent: 19 is 19 %. Absent: that of the product.')),
      }),
    )
    .check(z.describe(description))

/** Whether a deposit has no amount after a request. */
export const lacksAmount = (deposit: unknown): boolean => isObject(deposit) && typeof deposit['amount'] !== 'number'

/** A deposit as stored and shown. */
export const depositView = z.optional(
  z.object({ amount: z.number(), title: z.optional(z.string()), taxRate: z.optional(z.number()) }),
)
