import * as z from 'zod/mini'
import type { IssueCode } from '../errors.ts'
import { isWebAddress } from '../lib/web-address.ts'

/** Every limit of the contract. Strings count code points, amounts are in the merchant's currency. */
export const limits = {
  title: 255,
  label: 255,
  code: 64,
  email: 320,
  phone: 32,
  text: 5_000,
  url: 2_048,
  id: 64,
  images: 20,
  metadata: 50,
  productModifiers: 50,
  options: 250,
  sections: 200,
  menuItems: 5_000,
  couponProducts: 1_000,
  events: 100,
  webhooks: 100,
  amount: 1_000_000_000,
  decimals: 4,
  bodyBytes: 262_144,
} as const

/** What JSON calls the types of zod. */
const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
}

/** What is said of a value wherever a schema says nothing of its own. */
z.config({
  localeError: (issue) => {
    if (issue.code === 'invalid_type') return `must be ${typeNames[issue.expected] ?? issue.expected}`
    if (issue.code === 'invalid_value') return `must be ${issue.values.join(' or ')}`
    return 'is not valid'
  },
})

/** A rule for one value: undefined where it holds, else what is wrong. */
export type Rule<Value> = (value: Value) => { code: IssueCode; message: string } | undefined

/** A zod check out of rules; the first that fails is reported. */
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
    : { code: 'invalid_character', message: 'must not contain NUL or half of a surrogate pair' }

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

const matches =
  (test: (text: string) => boolean, message: string): Rule<string> =>
  (text) =>
    test(text) ? undefined : { code: 'invalid_format', message }

const string = z.string()

interface TextOptions {
  min?: number
  max: number
  form?: Rule<string>
}

/** Text kept exactly as it came. */
export const exactText = ({ min = 0, max, form }: TextOptions) =>
  string.check(
    rules(isStorable, hasLength(min, max), ...(form ? [form] : [])),
    z.meta({ minLength: min, maxLength: max }),
  )

/** Text stored without the white space around it; the limits count what remains. */
export const trimmedText = ({ min = 0, max, form }: TextOptions) =>
  string.check(
    z.trim(),
    rules(isStorable, hasLength(min, max), ...(form ? [form] : [])),
    z.meta({ minLength: min, maxLength: max, trimmed: true }),
  )

export const title = trimmedText({ min: 1, max: limits.title })
export const label = trimmedText({ max: limits.label })
export const code = trimmedText({ min: 1, max: limits.code })
export const text = exactText({ max: limits.text })

const emailForm =
  /^(?!\.)(?!.*\.\.)[^\s@"(),:;<>[\\\]\p{C}]{1,64}(?<!\.)@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])$/u
export const email = trimmedText({
  min: 1,
  max: limits.email,
  form: matches((value) => emailForm.test(value), 'must be an email address'),
}).check(z.meta({ format: 'idn-email' }))

const phoneForm = /^(?=.*\d)[\d +().-]+(?:x *\d+)?$/
export const phone = trimmedText({
  min: 1,
  max: limits.phone,
  form: matches(
    (value) => phoneForm.test(value),
    'must consist of digits, spaces, + - ( ) . and an extension behind x',
  ),
}).check(z.meta({ pattern: phoneForm.source }))

export const url = exactText({
  max: limits.url,
  form: matches(isWebAddress, 'must be an http or https address'),
}).check(z.meta({ format: 'uri', minLength: 1, maxLength: limits.url }))

/** A picture's address, or `false` for none. */
export const picture = z.union([z.literal(false), url], { error: 'must be an http or https address, or false' })

/** A reference to another object. Whether that exists is for the store to say. */
export const reference = exactText({ min: 1, max: limits.id })

const ownIdForm = /^[A-Za-z0-9_-]+$/
/** An id that the client may choose. */
export const ownId = exactText({
  min: 1,
  max: limits.id,
  form: matches((value) => ownIdForm.test(value), 'must consist of A-Z a-z 0-9 _ -'),
}).check(z.meta({ pattern: ownIdForm.source }))

/** `true`, `false`, and the `1` and `0` of the document's examples. */
export const boolean = z.pipe(
  z.pipe(
    z.union([z.boolean(), z.literal([0, 1])], { error: 'must be true or false' }),
    z.transform((value) => value === true || value === 1),
  ),
  z.boolean(),
)

/** A boolean as SQLite holds it. */
export const zeroOrOne = z.pipe(
  z.number(),
  z.transform((value: number) => value !== 0),
)

interface NumberOptions {
  min?: number | undefined
  max?: number | undefined
  /** Decimals at most; absent: any number of them. */
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

const decimal = z.string().check(z.regex(/^-?\d+(?:\.\d+)?$/, { error: 'must be a number in plain decimals' }))

/** A number, or a string that is one in plain decimals, as the document's examples send it. */
function number({ min, max, decimals }: NumberOptions) {
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
      z.transform((value) => Number(value) + 0),
    ),
    z.number({ error: 'must be a finite number' }).check(rules(inRange({ min, max, decimals })), z.meta(bounds)),
  )
}

export const amount = number({ min: 0, max: limits.amount, decimals: limits.decimals })
/** An amount that may lower what it is added to. */
export const surcharge = number({ min: -limits.amount, max: limits.amount, decimals: limits.decimals })
export const percentage = number({ min: 0, max: 100 })
/** Something counted: whole, not negative, and small enough to be exact in a JSON number. */
export const count = number({ min: 0, max: Number.MAX_SAFE_INTEGER, decimals: 0 })
/** What is in stock; oversold is negative. */
export const quantity = number({ decimals: limits.decimals })

/** Rules for a list as a whole are checked where elements of it are at fault, too: every fault belongs in one answer. */
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

/** Reports each element whose key an earlier one has; `undefined` keys are nobody's. */
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

/** A list of at most `max` different texts. */
export const set = <Element extends z.ZodMiniType<string, unknown>>(element: Element, max: number) =>
  list(element, max).check(
    z.superRefine((elements, context) => {
      const message = 'stands in the list already'
      for (const index of duplicates(elements, (element) => (typeof element === 'string' ? element : undefined))) {
        context.addIssue({
          code: 'custom',
          params: { code: 'duplicate' },
          message,
          input: elements[index],
          path: [index],
        })
      }
    }, alsoWhenInvalid),
    z.meta({ uniqueItems: true, maxItems: max }),
  )
