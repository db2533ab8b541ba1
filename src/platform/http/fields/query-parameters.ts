import * as z from 'zod/mini'
import { toCodeKeys } from '../../lib/languages/code-keys.ts'
import { foldLabel } from '../../lib/search-terms.ts'
import { limits, rules } from '../fields.ts'

/** A parameter of a query, which must not be repeated. */
export const parameter = z.string({ error: 'must be given once' })

const digits = (error: string) =>
  z.pipe(z.pipe(parameter.check(z.regex(/^\d{1,15}$/, { error })), z.transform(Number)), z.int().check(z.minimum(0)))

/** A whole number in a query. */
export const wholeNumber = digits('must be a whole number')

/** A time in a query, in seconds. */
export const secondsParameter = digits('must be a time in seconds since 1970-01-01 UTC')

/** Rejects numbers outside a range. */
export const inRange = (min: number, max: number) =>
  rules<number>((value) => {
    if (value < min) return { code: 'too_small', message: `must be at least ${min}` }
    return value > max ? { code: 'too_large', message: `must be at most ${max}` } : undefined
  })

/** A whole number in a query, up to a limit. */
export const wholeNumberUpTo = (max: number) =>
  z.pipe(wholeNumber, z.number().check(inRange(0, max), z.meta({ type: 'integer', minimum: 0, maximum: max })))

/** A filter for exactly equal text. */
export const textFilter = z.optional(parameter).check(z.describe('Returns only objects with exactly this value.'))

/** A filter for objects that refer to another one. */
export const referenceFilter = (name: string) =>
  z.optional(parameter).check(z.describe(`Returns only objects that refer to the ${name} with this id.`))

/** A filter for objects that another one refers to. */
export const referrerFilter = (name: string) =>
  z.optional(parameter).check(z.describe(`Returns only objects that the ${name} with this id refers to.`))

/** A filter for one label of the details. */
export const labelFilter = z
  .optional(z.pipe(z.pipe(parameter, z.transform(foldLabel)), z.string()))
  .check(
    z.describe('Returns only objects whose details have this label. Compares whole labels; ignores case and accents.'),
  )

/** A filter that takes a whole number of at least 1. */
export const countFilter = z.pipe(
  wholeNumber,
  z.number().check(inRange(1, limits.amount), z.meta({ type: 'integer', minimum: 1, maximum: limits.amount })),
)

/** A filter for a boolean: `true`, `false`, `1` or `0`. */
export const booleanFilter = z
  .optional(
    z.pipe(
      z.pipe(
        z.enum(['true', 'false', '1', '0']),
        z.transform((value) => value === 'true' || value === '1'),
      ),
      z.boolean(),
    ),
  )
  .check(z.describe('Returns only objects with this value. `1` is `true`, `0` is `false`.'))

/** The JSON list of the keys of a code. Coupons whose codes clashed have keys of an earlier release. */
const listCodeKeys = (code: string) => JSON.stringify(Object.values(toCodeKeys(code)))

/** A filter for codes, for columns in `listFilters`. Ignores case, character width, invisible characters and the dot of an i. */
export const codeFilter = z
  .optional(z.pipe(z.pipe(parameter, z.transform(listCodeKeys)), z.string()))
  .check(
    z.describe(
      'Returns only the object with this code. Ignores case, character width, invisible characters and the dot of an i.',
    ),
  )

/** Query parameter of lists of objects that can be restored. */
export const deletedFilter = z
  .optional(z.literal('true', { error: 'must be true' }))
  .check(
    z.describe(
      'Returns deleted objects that can be restored, the last deleted first, each with `deletedAt`, `by`, its `title` and the `object`. Only with `limit`, `cursor` and `q`.',
    ),
  )
