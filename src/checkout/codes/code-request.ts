import * as z from 'zod/mini'
import { parameter } from '../../platform/http/fields/query-parameters.ts'
import { exactText, matches } from '../../platform/http/fields/types.ts'
import * as field from '../../platform/http/fields.ts'
import { listFields } from '../../platform/http/pagination.ts'

/** Limits of single-use codes. Lengths are in characters. */
export const codeLimits = {
  /** Codes of one request. */
  count: 10_000,
  /** Codes and batches of one coupon. */
  perCoupon: 100_000,
  batches: 1_000,
  prefix: 20,
  length: { min: 10, max: 32 },
} as const

const prefixForm = /^[A-Za-z0-9_-]*$/

/** Body of a request for codes. */
export const codesRequest = z.strictObject({
  count: field.integer(1, codeLimits.count).check(z.describe('Number of codes.')),
  prefix: z
    .nullish(
      exactText({
        max: codeLimits.prefix,
        form: matches((value) => prefixForm.test(value), 'must consist of A-Z a-z 0-9 _ -'),
      }).check(z.meta({ pattern: prefixForm.source })),
    )
    .check(z.describe('Text before the random characters of each code. Default: none.')),
  length: z
    .nullish(field.integer(codeLimits.length.min, codeLimits.length.max))
    .check(z.describe(`Number of random characters of each code. Default: ${codeLimits.length.min}.`)),
})
export type CodesRequest = z.output<typeof codesRequest>

export const codesRules = { schema: codesRequest, partial: z.partial(codesRequest), readOnly: new Set<string>() }

/** Response to a request for codes. */
export const madeCodes = z.object({
  batch: z.string().check(z.describe('Id of the batch, for `GET …/codes?batch=`.')),
  count: z.int().check(z.describe('Number of codes that were made.')),
})

/** A batch of codes. */
export const codeBatchView = z.object({
  batch: z.string().check(z.describe('Id of the batch.')),
  count: z.int().check(z.describe('Number of codes.')),
  prefix: z.optional(z.string()).check(z.describe('Text before the random characters. Absent: none.')),
  createdAt: z.int().check(z.describe('Time of creation, in seconds since 1970-01-01 UTC.')),
})

const codeStates = ['available', 'held', 'redeemed'] as const

/** A code with its state. */
export const codeView = z.object({
  code: z.string().check(z.describe('The code. A guest can enter it once.')),
  state: z
    .enum(codeStates)
    .check(
      z.describe(
        '`available`: can be redeemed. `held`: reserved by a hold that has not expired. `redeemed`: used. A released redemption makes the code available again.',
      ),
    ),
  redemption: z
    .optional(z.string())
    .check(z.describe('Id of the redemption that uses the code. Absent for an available code.')),
})

/** Query of the list of codes. */
export const codesQuery = z.strictObject({
  batch: parameter.check(z.describe('Id of the batch.')),
  format: z
    .optional(z.enum(['json', 'csv']))
    .check(
      z.describe(
        '`csv` returns the whole batch as one file with the columns `code`, `state` and `redemption`. Default: `json`, in pages.',
      ),
    ),
  limit: listFields.limit,
  cursor: listFields.cursor,
})
