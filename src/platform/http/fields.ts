import * as z from 'zod/mini'
import { foldCode } from '../lib/languages/code-keys.ts'
import { isWebAddress } from '../lib/web-address.ts'
import { exactText, matches, number, trimmedText } from './fields/types.ts'

export {
  duplicates,
  exactText,
  filledList,
  list,
  type Rule,
  rules,
  set,
  trimmedText,
  uniqueList,
} from './fields/types.ts'

/** Limits of fields. Text is counted in code points, amounts in the merchant's currency. */
export const limits = {
  title: 255,
  label: 255,
  code: 64,
  email: 320,
  phone: 32,
  text: 5_000,
  url: 2_048,
  id: 64,
  externalId: 128,
  images: 20,
  metadata: 50,
  productModifiers: 50,
  options: 250,
  sections: 200,
  menuItems: 5_000,
  couponProducts: 1_000,
  menuPrices: 1_000,
  sizes: 30,
  optionQuantity: 99,
  nestedModifiers: 3,
  bundleGroups: 20,
  bundleItems: 100,
  bundleChoices: 20,
  labels: 20,
  labelLength: 40,
  soldUnits: 999,
  position: 1_000_000,
  nutrient: 100_000,
  age: 99,
  languageTag: 35,
  allowedIps: 20,
  tagHosts: 10,
  tagRules: 10,
  tagDetailBytes: 4_096,
  openingHours: 50,
  closures: 100,
  specialHours: 100,
  charges: 20,
  guests: 999,
  pauseMessage: 200,
  prepMinutes: 480,
  notes: 5,
  noteLength: 500,
  events: 100,
  stockChanges: 500,
  quoteProducts: 500,
  quoteChoices: 50,
  callerReference: 128,
  orderRedemptions: 10,
  webhooks: 100,
  amount: 1_000_000_000,
  decimals: 4,
  cashRounding: 1_000,
  bodyBytes: 262_144,
  operations: 500,
  batchBytes: 1_048_576,
  batchObjectBytes: 8_388_608,
  pictureBytes: 8_388_608,
  picturePixels: 40_000_000,
  pictureVariants: 8,
  uploadBytes: 16_777_216,
  pictureQuotaBytes: 1_073_741_824,
} as const

export const title = trimmedText({ min: 1, max: limits.title })
export const label = trimmedText({ max: limits.label })
export const code = trimmedText({ min: 1, max: limits.code })
/** Code of a coupon. It has a visible character. */
export const couponCode = trimmedText({
  min: 1,
  max: limits.code,
  form: matches((value) => foldCode(value) !== '', 'must have a visible character'),
})
export const text = exactText({ max: limits.text })

const isExternalIdForm = matches(
  (value) => value.trim() === value && !/\p{Cc}/u.test(value) && value !== '.' && value !== '..',
  'must not contain control characters, begin or end with white space, or be . or ..',
)
/** An integrator's own id of an object. It can be a segment of a path. */
export const externalId = exactText({ min: 1, max: limits.externalId, form: isExternalIdForm })
/** Whether a text can be an external id. */
export const isExternalId = (value: string) => externalId.safeParse(value).success

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
  form: matches((value) => phoneForm.test(value), 'must consist of digits, spaces, + - ( ) . and an extension after x'),
}).check(z.meta({ pattern: phoneForm.source }))

export const url = exactText({
  max: limits.url,
  form: matches(isWebAddress, 'must be an http or https address'),
}).check(z.meta({ format: 'uri', minLength: 1, maxLength: limits.url }))

/** Address of a picture, or `false` for no picture. */
export const picture = z.union([z.literal(false), url], { error: 'must be an http or https address, or false' })

/** Id of another object. The store checks that the object exists. */
export const reference = exactText({ min: 1, max: limits.id })

const ownIdForm = /^(?!__proto__$)[A-Za-z0-9_-]+$/
/** An id that the client may choose. */
export const ownId = exactText({
  min: 1,
  max: limits.id,
  form: matches((value) => ownIdForm.test(value), 'must consist of A-Z a-z 0-9 _ -, and not be __proto__'),
}).check(z.meta({ pattern: ownIdForm.source }))

/** A time of day as `HHMM`. */
const timeOfDay = (form: RegExp, last: string) =>
  z.string().check(z.regex(form, { error: `must be a time in the form HHMM, from 0000 to ${last}` }))
/** A time of day at which something begins. */
export const beginTime = timeOfDay(/^(?:[01]\d|2[0-3])[0-5]\d$/, '2359')
/** A time of day at which something ends. */
export const endTime = timeOfDay(/^(?:(?:[01]\d|2[0-3])[0-5]\d|2400)$/, '2400')

/** `true` or `false`. Accepts `1` and `0` too. */
export const boolean = z.pipe(
  z.pipe(
    z.union([z.boolean(), z.literal([0, 1])], { error: 'must be true or false' }),
    z.transform((value) => value === true || value === 1),
  ),
  z.boolean(),
)

export const amount = number({ min: 0, max: limits.amount, decimals: limits.decimals })
/** An amount that is added to a price. May be negative. */
export const surcharge = number({ min: -limits.amount, max: limits.amount, decimals: limits.decimals })
/** A tax rate of a product in percent. */
export const productTaxRate = number({ min: 0, max: 100 })
/** A tax rate in percent, with as many decimals as an amount. */
export const taxRate = number({ min: 0, max: 100, decimals: limits.decimals })
/** A step of totals in cash. */
export const cashRounding = number({ min: 0.0001, max: limits.cashRounding, decimals: limits.decimals })
/** An integer between two limits. */
export const integer = (min: number, max: number) => number({ min, max, decimals: 0 })
/** A non-negative integer that a JSON number represents exactly. */
export const count = integer(0, Number.MAX_SAFE_INTEGER)
/** A count of at least one. */
export const positiveCount = integer(1, Number.MAX_SAFE_INTEGER)
/** Units that are added to the stock, or that are in stock. */
export const stockChange = number({ min: -limits.amount, max: limits.amount, decimals: limits.decimals })
/** An id from the caller's system, for example of an order. */
export const callerReference = exactText({ min: 1, max: limits.callerReference })
/** Duration of a hold in seconds. */
export const holdSeconds = number({ min: 1, max: 3_600, decimals: 0 })
/** A quantity in stock. Negative when oversold. */
export const quantity = number({ decimals: limits.decimals })
/** Alcohol by volume, in percent. */
export const alcohol = number({ min: 0, max: 100, decimals: 2 })
/** An age in years. */
export const age = integer(1, limits.age)
/** A number of options or parts that guests choose, or may choose at most. */
export const choiceCount = integer(0, limits.optionQuantity)
/** Part of a unit that can be sold, of products by weight or volume. */
export const step = number({ min: 0.001, max: limits.soldUnits, decimals: 3 })
/** Units of a product by weight or volume in an order. An integer for other products. */
export const soldQuantity = number({ min: 0.001, max: limits.soldUnits, decimals: 3 })
/** A position in a list, chosen by clients. */
export const position = integer(0, limits.position)
/** Energy or mass in a nutrition declaration. */
export const nutrient = number({ min: 0, max: limits.nutrient, decimals: limits.decimals })

const isDate = (text: string) => {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  // JavaScript reads 30 February as 1 or 2 March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
/** A calendar day as `YYYY-MM-DD`. */
export const date = exactText({ max: 10, form: matches(isDate, 'must be a day in the form YYYY-MM-DD') }).check(
  z.meta({ format: 'date' }),
)
