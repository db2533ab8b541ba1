import * as z from 'zod/mini'
import { maxSeconds } from '../../lib/day.ts'
import { type Rule, rules } from './types.ts'

const message = 'must be a time in seconds since 1970-01-01 UTC'
const bounds = { type: 'integer' as const, minimum: 0, maximum: maxSeconds }
/** Milliseconds exceed the maximum, and texts such as `2026-11-28` are no numbers: every issue names the unit. */
const isTime: Rule<number> = (value) => {
  if (value < 0) return { code: 'too_small', message }
  if (value > maxSeconds) return { code: 'too_large', message }
  return Number.isInteger(value) ? undefined : { code: 'too_precise', message }
}

/** A time in seconds since 1970-01-01 UTC, up to the end of the year 9999. A number, or a string with one. */
export const seconds = z.pipe(
  z.pipe(
    z.union([z.number().check(z.meta(bounds)), z.string().check(z.regex(/^-?\d+(?:\.\d+)?$/, { error: message }))], {
      error: message,
    }),
    z.transform((value) => Number(value) + 0),
  ),
  z.number({ error: 'must be a finite number' }).check(rules(isTime), z.meta(bounds)),
)
