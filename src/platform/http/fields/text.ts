import * as z from 'zod/mini'
import { type Rule, rules } from './rules.ts'

const countCodePoints = (text: string) => {
  let count = 0
  for (const _ of text) count++
  return count
}

const isStorable: Rule<string> = (text) =>
  text.isWellFormed() && !text.includes('\0')
    ? undefined
    : { code: 'invalid_character', message: 'must not contain NUL or an unpaired surrogate' }

const hasLength =
  (min: number, max: number): Rule<string> =>
  (text) => {
    // A string has at least as many UTF-16 units as code points, and at most twice as many.
    if (text.length < min)
      return { code: 'too_short', message: `must have at least ${min} character${min === 1 ? '' : 's'}` }
    if (text.length > max && (text.length > 2 * max || countCodePoints(text) > max)) {
      return { code: 'too_long', message: `must have at most ${max} characters` }
    }
    return undefined
  }

/** Creates a rule that reports `invalid_format`. */
export const matches =
  (test: (text: string) => boolean, message: string): Rule<string> =>
  (text) =>
    test(text) ? undefined : { code: 'invalid_format', message }

const string = z.string()

/** Limits in code points, and a rule for the format. */
interface TextOptions {
  min?: number
  max: number
  form?: Rule<string>
}

/** Text that is stored unchanged. */
export const exactText = ({ min = 0, max, form }: TextOptions) =>
  string.check(
    rules(isStorable, hasLength(min, max), ...(form ? [form] : [])),
    z.meta({ minLength: min, maxLength: max }),
  )

/** Text that is stored without leading and trailing white space. The limits apply to the stored text. */
export const trimmedText = ({ min = 0, max, form }: TextOptions) =>
  string.check(
    z.trim(),
    rules(isStorable, hasLength(min, max), ...(form ? [form] : [])),
    z.meta({ minLength: min, maxLength: max, trimmed: true }),
  )
