import * as z from 'zod/mini'
import type { IssueCode } from '../../errors.ts'

/** Names of JSON types in messages, by zod's names. */
const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
}

/** Messages of schemas that declare none. */
z.config({
  localeError: (issue) => {
    if (issue.code === 'invalid_type') return `must be ${typeNames[issue.expected] ?? issue.expected}`
    if (issue.code === 'invalid_value') return `must be ${issue.values.join(' or ')}`
    return 'is not valid'
  },
})

/** A rule for one value. Returns undefined for a valid value, otherwise the issue. */
export type Rule<Value> = (value: Value) => { code: IssueCode; message: string } | undefined

/** Creates a zod check from rules. Reports the first rule that fails. */
export const rules =
  <Value>(...all: readonly Rule<Value>[]) =>
  (payload: z.core.ParsePayload<Value>) => {
    for (const rule of all) {
      const failure = rule(payload.value)
      if (failure) {
        payload.issues.push({
          code: 'custom',
          params: { code: failure.code },
          message: failure.message,
          input: payload.value,
        })
        return
      }
    }
  }

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

/** A number, or a string in plain decimal notation. If decimal places are limited, removes the noise beyond them. */
export function number(options: NumberOptions) {
  const { min, max, decimals } = options
  const bounds = {
    ...(decimals === 0 ? { type: 'integer' as const } : {}),
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(decimals === undefined || decimals === 0 ? {} : { decimals }),
  }
  return z.pipe(
    z.pipe(
      z.union([z.number().check(z.meta(bounds)), decimal], {
        error: 'must be a number, or a string with a number in plain decimals',
      }),
      z.transform((value) => withoutNoise(Number(value) + 0, decimals)),
    ),
    z.number({ error: 'must be a finite number' }).check(rules(inRange(options)), z.meta(bounds)),
  )
}

/** Checks a list even if some elements are invalid, so that one response contains every issue. */
const alsoWhenInvalid = { when: ({ value }: z.core.ParsePayload) => Array.isArray(value) }

/** A list of at most `max` elements. */
export const list = <Element extends z.ZodMiniType>(element: Element, max: number) =>
  z.array(element).check(
    z.superRefine((elements, context) => {
      if (elements.length <= max) return
      const message = `must have at most ${max} elements`
      context.addIssue({ code: 'custom', params: { code: 'too_many' }, message, input: elements })
    }, alsoWhenInvalid),
    z.meta({ maxItems: max }),
  )

/** Returns the index of each element whose key an earlier element has. Elements without a key are never duplicates. */
export function duplicates<Element>(elements: readonly Element[], keyOf: (element: Element) => string | undefined) {
  const seen = new Set<string>()
  return elements.flatMap((element, index) => {
    const key = keyOf(element)
    if (key === undefined) return []
    if (seen.has(key)) return [index]
    seen.add(key)
    return []
  })
}

/** A list of at least one and at most `max` elements. */
export const filledList = <Element extends z.ZodMiniType>(element: Element, max: number) =>
  list(element, max).check(
    rules((elements) =>
      elements.length > 0 ? undefined : { code: 'too_short', message: 'must have at least 1 element' },
    ),
    z.meta({ minItems: 1, maxItems: max }),
  )

/** A list of at most `max` elements with different keys. Ignores elements that are not valid, for which `getKey` returns undefined. */
export const uniqueList = <Element extends z.ZodMiniType>(
  element: Element,
  max: number,
  getKey: (element: unknown) => string | undefined,
) =>
  list(element, max).check(
    z.superRefine((elements, context) => {
      const message = 'is already in the list'
      for (const index of duplicates<unknown>(elements, getKey)) {
        context.addIssue({
          code: 'custom',
          params: { code: 'duplicate' },
          message,
          input: elements[index],
          path: [index],
        })
      }
    }, alsoWhenInvalid),
    z.meta({ maxItems: max }),
  )

/** A list of at most `max` texts without duplicates. */
export const set = <Element extends z.ZodMiniType<string, unknown>>(element: Element, max: number) =>
  uniqueList(element, max, (text) => (typeof text === 'string' ? text : undefined)).check(
    z.meta({ uniqueItems: true, maxItems: max }),
  )
