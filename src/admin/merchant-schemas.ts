import * as z from 'zod/mini'
import { merchantTable as table } from '../db/schema/merchants.ts'
import * as field from '../http/fields.ts'
import * as webAddress from '../lib/web-address.ts'

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const placeholderPattern = /\{(?:tag|code|merchant|metadata\.[^{}]{1,64})\}/g

/** Whether a text is a web address with placeholders only after the host. */
function isAddressTemplate(template: string): boolean {
  const [, authority = ''] = /^https?:\/\/([^/?#\\]*)/i.exec(template) ?? []
  if (authority === '' || /[{}]/.test(authority)) return false
  const filled = template.replace(placeholderPattern, 'x')
  return !/[{}]/.test(filled) && webAddress.isWebAddress(filled)
}

const createFormatRule = (test: (text: string) => boolean, message: string) => (text: string) =>
  test(text) ? undefined : ({ code: 'invalid_format', message } as const)

const addressTemplate = field.exactText({
  min: 1,
  max: field.limits.url,
  form: createFormatRule(
    isAddressTemplate,
    'must be an http or https address; only {tag}, {code}, {merchant} and {metadata.KEY} are allowed, after the host',
  ),
})

/** Values of fields that a create omits. */
export const merchantDefaults = {
  timezone: 'UTC',
  pricesIncludeTax: true,
  taxRate: 0,
  taxRounding: 'rate',
  dayStartsAt: '0400',
}
const taxRounding = z.enum(table.taxRounding.enumValues)

const placeholders = 'Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`.'
const fields = z.strictObject({
  name: field.title,
  timezone: z
    .nullish(field.exactText({ max: 64, form: createFormatRule(isTimeZone, 'must be the name of an IANA time zone') }))
    .check(z.describe(`Name of an IANA time zone. Default: \`${merchantDefaults.timezone}\`.`)),
  currency: z
    .nullish(
      field.exactText({
        max: 3,
        form: createFormatRule((code) => Intl.supportedValuesOf('currency').includes(code), 'must be an ISO 4217 code'),
      }),
    )
    .check(z.describe('ISO 4217 code of the currency.')),
  orderingUrl: z.nullish(addressTemplate).check(z.describe(`Address that live tags redirect to. ${placeholders}`)),
  sandboxUrl: z.nullish(addressTemplate).check(z.describe(`Address that test tags redirect to. ${placeholders}`)),
  pricesIncludeTax: z
    .nullish(field.boolean)
    .check(z.describe(`Whether prices include tax. Default: \`${merchantDefaults.pricesIncludeTax}\`.`)),
  taxRate: z
    .nullish(field.exactPercentage)
    .check(
      z.describe(
        `Tax rate in percent of taxable products without a rate of their own. Default: \`${merchantDefaults.taxRate}\`.`,
      ),
    ),
  taxRounding: z
    .nullish(taxRounding)
    .check(
      z.describe(
        `Where tax is rounded. \`rate\`: once for each tax rate of an order. \`line\`: in each line. Default: \`${merchantDefaults.taxRounding}\`.`,
      ),
    ),
  dayStartsAt: z
    .nullish(field.beginTime)
    .check(
      z.describe(
        `Time when the venue's business day starts, in its time zone: \`HHMM\`, \`0000\` to \`2359\`. Default: \`${merchantDefaults.dayStartsAt}\`.`,
      ),
    ),
})

const view = z.object({
  id: z.string(),
  name: z.string(),
  timezone: z.string(),
  currency: z.optional(z.string()),
  orderingUrl: z.optional(z.string()),
  sandboxUrl: z.optional(z.string()),
  pricesIncludeTax: z.boolean(),
  taxRate: z.number(),
  taxRounding,
  dayStartsAt: z.string(),
  createdAt: z.int(),
  updatedAt: z.int(),
})

/** A merchant in responses. */
export type Merchant = z.output<typeof view>

const readOnly = new Set(Object.keys(view.shape).filter((key) => !(key in fields.shape)))
const partial = z.partial(fields)
/** Bodies and responses of merchants. */
export const merchantSchemas = { create: fields, update: partial, view }
/** Rules for the body of a create. */
export const merchantRules = { schema: fields, partial, readOnly }
/** Rules for the body of an update. */
export const merchantUpdateRules = { schema: partial, partial, readOnly }
