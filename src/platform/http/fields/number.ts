import * as z from 'zod/mini'
import { type Rule, rules } from './rules.ts'

interface NumberOptions {
  min?: number | undefined
  max?: number | undefined
  /** Maximum number of decimal places. Default: unlimited. */
  decimals?: number | undefined
}

const inRange =
  ({ min, max, decimals }: NumberOptions): Rule<number> =>
  (value) => {
    if (min !== undefined && value < min) return { code: 'too_small', message: `must be at least ${min}` }
    if (max !== undefined && value > max) return { code: 'too_large', message: `must be at most ${max}` }
    if (decimals !== undefined && Number(value.toFixed(decimals)) !== value) {
      return {
        code: 'too_precise',
        message: decimals === 0 ? 'must be an integer' : `must have at most ${decimals} decimals`,
      }
    }
    return undefined
  }

/** Differences below this are noise of binary fractions: `3 * 1.1` is 3.3000000000000003. */
const noise = 1e-9

/** A number without the noise of binary fractions, for fields with decimal places. */
function withoutNoise(value: number, decimals = 0): number {
  const rounded = Number(value.toFixed(decimals)) + 0
  return decimals > 0 && Math.abs(rounded - value) < noise ? rounded : value
}

const decimal = z.string().check(z.regex(/^-?\d+(?:\.\d+)?$/, { error: 'must be a number in plain decimals' }))

/** A number, or a string in plain decimal notation. With decimal places, it is rounded to them where only noise goes. */
export function number({ min, max, decimals }: NumberOptions) {
  const bounds = {
    ...(decimals === 0 ? { type: 'integer' as const } : {}),
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(decimals === undefined || decimals === 0 ? {} : { decimals }),
  }
  return z.pipe(
    z.pipe(
      z.union([z.number().check(z.meta(bounds)), decimal], {
        error: 'must be a number, or a string that is one in plain decimals',
      }),
      z.transform((value) => withoutNoise(Number(value) + 0, decimals)),
    ),
    z.number({ error: 'must be a finite number' }).check(rules(inRange({ min, max, decimals })), z.meta(bounds)),
  )
}
