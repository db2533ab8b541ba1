import * as z from 'zod/mini'
import { getCurrencyDecimals } from '../catalogue/resources/currency.ts'
import { addressTemplate, hosts, placeholders } from '../catalogue/resources/destination.ts'
import { createTaxRates, taxRatesView } from '../catalogue/resources/details/order-types.ts'
import { hoursFields, hoursView } from '../catalogue/resources/venue-hours.ts'
import { profileFields, profileView } from '../catalogue/resources/venue-profile.ts'
import { jurisdictions, locations } from '../platform/db/home/object-connection.ts'
import { homeKinds } from '../platform/db/schema/directory/homes.ts'
import { merchantTable as table } from '../platform/db/schema/merchants.ts'
import type { Issue } from '../platform/errors.ts'
import * as field from '../platform/http/fields.ts'
import { isTimeZone } from '../platform/lib/day.ts'
import { supportAccessField, supportAccessView } from './support-access.ts'

const createFormatRule = (test: (text: string) => boolean, message: string) => (text: string) =>
  test(text) ? undefined : ({ code: 'invalid_format', message } as const)

/** Values of fields that a create omits. */
const merchantDefaults = {
  home: 'd1',
  timezone: 'UTC',
  pricesIncludeTax: true,
  taxRate: 0,
  taxRounding: 'rate',
  dayStartsAt: '0400',
  hoursClose: true,
}
const taxRounding = z.enum(table.taxRounding.enumValues)
const publishBy = z.enum(table.publishBy.enumValues)

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
  destinationHosts: z
    .nullish(hosts)
    .check(
      z.describe(
        `Further hosts to which destinations of tags may lead, such as \`order.example.com\`, at most ${field.limits.tagHosts}. The hosts of \`orderingUrl\`, \`sandboxUrl\` and \`website\` need not be listed. Tags whose destination has another host lead to the address of the merchant. Replaces all hosts.`,
      ),
    ),
  pricesIncludeTax: z
    .nullish(field.boolean)
    .check(z.describe(`Whether prices include tax. Default: \`${merchantDefaults.pricesIncludeTax}\`.`)),
  taxRate: z
    .nullish(field.taxRate)
    .check(
      z.describe(
        `Tax rate in percent of taxable products without their own rate: 19 is 19 %. Default: \`${merchantDefaults.taxRate}\`.`,
      ),
    ),
  taxRounding: z
    .nullish(taxRounding)
    .check(
      z.describe(
        `Rounding of tax. \`rate\`: once for each tax rate of an order. \`line\`: in each line. Default: \`${merchantDefaults.taxRounding}\`.`,
      ),
    ),
  taxRates: createTaxRates(
    'Tax rates of takeaway and delivery for taxable products without their own rate. Absent: `taxRate`.',
  ),
  cashRounding: z
    .nullish(field.cashRounding)
    .check(
      z.describe(
        'Amount of which totals in cash are multiples, such as 0.05: a multiple of the smallest unit of the currency. Quotes show `cashTotal`. Absent: no rounding.',
      ),
    ),
  dayStartsAt: z
    .nullish(field.beginTime)
    .check(
      z.describe(
        `Time when the venue's business day starts, in its time zone: \`HHMM\`, \`0000\` to \`2359\`. Default: \`${merchantDefaults.dayStartsAt}\`.`,
      ),
    ),
  publishBy: z
    .nullish(publishBy)
    .check(
      z.describe(
        'Who may publish a release, and set its time. `anyone`: with the scopes of publishing. `other`: not its author. Default: `anyone`.',
      ),
    ),
  supportAccess: supportAccessField,
  ...profileFields,
  ...hoursFields,
})

/** Fields for the home of a merchant's data. */
export const homeRequestFields = {
  home: z
    .nullish(z.enum(homeKinds))
    .check(
      z.describe(
        'Home of the data. `d1`: the shared database. `object`: a separate database. Default: the variable `DEFAULT_HOME`, otherwise `d1`.',
      ),
    ),
  location: z
    .nullish(z.enum(locations))
    .check(z.describe('Region near which the separate database is created. Requires `home` to be `object`.')),
  jurisdiction: z
    .nullish(z.enum(jurisdictions))
    .check(z.describe('Jurisdiction of the separate database. Requires `home` to be `object`.')),
}
/** The venue sets `supportAccess`, and operators create merchants. */
const createFields = z.extend(z.omit(fields, { supportAccess: true }), homeRequestFields)

const view = z.object({
  id: z.string(),
  name: z.string(),
  timezone: z.string(),
  currency: z.optional(z.string()),
  orderingUrl: z.optional(z.string()),
  sandboxUrl: z.optional(z.string()),
  destinationHosts: z.optional(z.array(z.string())),
  pricesIncludeTax: z.boolean(),
  taxRate: z.number(),
  taxRounding,
  taxRates: taxRatesView,
  cashRounding: z.optional(z.number()),
  dayStartsAt: z.string(),
  publishBy: z.optional(publishBy),
  supportAccess: supportAccessView,
  ...profileView,
  ...hoursView,
  home: z
    .optional(z.enum(homeKinds))
    .check(
      z.describe(
        'Home of the data. `d1`: the shared database. `object`: a separate database. Shown only to operators.',
      ),
    ),
  location: z
    .optional(z.string())
    .check(z.describe('Region near which the separate database was created. Absent if no region was chosen.')),
  jurisdiction: z
    .optional(z.string())
    .check(z.describe('Jurisdiction of the separate database. Absent if no jurisdiction was chosen.')),
  createdAt: z.int(),
  updatedAt: z.int(),
  status: z
    .enum(['active', 'suspended', 'closed'])
    .check(
      z.describe(
        '`suspended`: keys are rejected, guests see a notice, deliveries wait. `closed`: like `suspended`, until the data is deleted.',
      ),
    ),
  suspendedAt: z
    .optional(z.int())
    .check(z.describe('Time of the suspension, in seconds since 1970-01-01 UTC. Absent unless suspended.')),
  closedAt: z
    .optional(z.int())
    .check(z.describe('Time of the closure, in seconds since 1970-01-01 UTC. Absent unless closed.')),
  deletesAt: z
    .optional(z.int())
    .check(
      z.describe(
        'End of the grace period, in seconds since 1970-01-01 UTC: the data is deleted after this time. Absent unless closed.',
      ),
    ),
})

/** A merchant in responses. */
export type Merchant = z.output<typeof view>

/** Returns the issue of a `cashRounding` that is no multiple of the smallest unit of the currency. */
export function checkCashRounding({ currency, cashRounding }: Pick<Merchant, 'currency' | 'cashRounding'>): Issue[] {
  if (cashRounding === undefined) return []
  const decimals = getCurrencyDecimals(currency)
  if (Number(cashRounding.toFixed(decimals)) === cashRounding) return []
  return [{ pointer: '/cashRounding', code: 'too_precise', message: `must have at most ${decimals} decimals` }]
}

/** Returns the issues of a home. */
export function checkHome({
  home,
  location,
  jurisdiction,
}: Partial<Pick<Merchant, keyof typeof homeRequestFields>>): Issue[] {
  if (home === 'object') return []
  const message = 'requires home to be object'
  return Object.entries({ location, jurisdiction }).flatMap(([field, value]) =>
    value === undefined ? [] : [{ pointer: `/${field}`, code: 'conflict', message }],
  )
}

const times = z.pick(view, { closedAt: true, suspendedAt: true })
const complete = (fields: object) => {
  const { closedAt, suspendedAt } = times.parse(fields)
  const status = closedAt !== undefined ? 'closed' : suspendedAt !== undefined ? 'suspended' : 'active'
  return { ...merchantDefaults, ...fields, status }
}

/** Completes the stored fields of a merchant: adds defaults, and computes the status from its times. */
export const toMerchant = (fields: object): Merchant => view.parse(complete(fields))

/** Completes fields that may be damaged. Leaves out optional fields that do not fit. Returns undefined if another field does not fit. */
export function readMerchantFields(
  fields: Readonly<Record<string, unknown>>,
  isOptional: (field: string) => boolean,
): { merchant?: Merchant; unfit: readonly string[] } {
  const { data, error } = view.safeParse(complete(fields))
  if (data) return { merchant: data, unfit: [] }
  const unfit = [...new Set(error.issues.map(({ path: [field] }) => String(field)))]
  if (!unfit.every(isOptional)) return { unfit }
  const rest = Object.fromEntries(Object.entries(fields).filter(([field]) => !unfit.includes(field)))
  return { merchant: toMerchant(rest), unfit }
}

/** Number of days between the closure of a merchant and the deletion of its data. */
export const graceDays = { default: 30, max: 365 } as const
export const closeFields = z.strictObject({
  graceDays: z
    .nullish(field.integer(1, graceDays.max))
    .check(
      z.describe(
        `Number of days from the closure to the deletion of the data. Default: ${graceDays.default}. Maximum: ${graceDays.max}.`,
      ),
    ),
})

const listReadOnly = (writable: object) => new Set(Object.keys(view.shape).filter((key) => !(key in writable)))
const partial = z.partial(fields)
/** Bodies and responses of merchants. */
export const merchantSchemas = { create: createFields, update: partial, view }
/** Rules for the body of a create. */
export const merchantRules = {
  schema: createFields,
  partial: z.partial(createFields),
  readOnly: listReadOnly(createFields.shape),
}
/** Rules for the body of an update. */
export const merchantUpdateRules = { schema: partial, partial, readOnly: listReadOnly(fields.shape) }
/** Rules for the body of a closure. */
export const closeRules = { schema: closeFields, partial: closeFields, readOnly: new Set<string>() }
