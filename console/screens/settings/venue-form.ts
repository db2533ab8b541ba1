import type { Merchant, MerchantUpdate } from '../../../packages/client/src/client.ts'
import { formatNumber, parseAmount } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { showValue } from '../../objects/editor/compare-versions.ts'
import { weekdays } from '../../objects/hours/service-times.ts'
import { toNoteForms, toNotes } from './notes.tsx'

export const addressFields = ['street', 'postalCode', 'city', 'region', 'country'] as const
const optionalFields = [
  'currency',
  'orderingUrl',
  'sandboxUrl',
  'language',
  'color',
  'theme',
  'phone',
  'website',
] as const

export type Hours = NonNullable<Merchant['openingHours']>[number]

/** Content of the section: texts as typed. */
export type VenueForm = ReturnType<typeof toForm>

/** `0400` in the format of the browser: `04:00`. The end of a day becomes `00:00`. */
export const toClock = (time: string) => `${time.slice(0, 2).replace('24', '00')}:${time.slice(2)}`
export const fromClock = (clock: string) => clock.replace(':', '')
/** A time at which something closes: midnight is the end of the day. */
export const fromClosingClock = (clock: string) => fromClock(clock).replace('0000', '2400')

const minutesOfDay = 24 * 60
const minutesOfWeek = weekdays.length * minutesOfDay
const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(2))

/** Index of hours that overlap earlier ones in the list, even if one of them ends on the next day. */
export function findOverlap(hours: readonly Hours[]): number | undefined {
  const spans = hours.flatMap(({ days, opens, closes }, index) => {
    const opened = toMinutes(opens)
    const length = (toMinutes(closes) - opened + minutesOfDay) % minutesOfDay || minutesOfDay
    return days.map((day) => ({ index, start: weekdays.indexOf(day) * minutesOfDay + opened, length }))
  })
  type Span = (typeof spans)[number]
  const startsIn = (a: Span, b: Span) => (a.start - b.start + minutesOfWeek) % minutesOfWeek < b.length
  return spans.find((a) => spans.some((b) => b.index < a.index && (startsIn(a, b) || startsIn(b, a))))?.index
}

export function toForm(merchant: Merchant) {
  const { name, timezone, currency = '', orderingUrl = '', sandboxUrl = '', dayStartsAt } = merchant
  const { pricesIncludeTax, taxRate, taxRates, cashRounding, destinationHosts = [] } = merchant
  const { language = '', color = '', theme = '', phone = '', website = '', openingHours = [] } = merchant
  const { hoursClose, closures = [], specialHours = [] } = merchant
  const { street = '', postalCode = '', city = '', region = '', country = '' } = merchant.address ?? {}
  return {
    ...{ name, timezone, currency, orderingUrl, sandboxUrl, dayStartsAt, pricesIncludeTax },
    ...{ taxRate: formatNumber(taxRate), takeawayRate: formatNumber(taxRates?.takeaway) },
    ...{ deliveryRate: formatNumber(taxRates?.delivery), cashRounding: formatNumber(cashRounding) },
    ...{ language, color, theme, phone, website, openingHours, hoursClose, specialHours },
    closures: closures.map(({ title = '', ...days }) => ({ ...days, title })),
    destinationHosts: destinationHosts.join(', '),
    ...{ street, postalCode, city, region, country },
    publishBy: merchant.publishBy === 'other',
    supportAccess: merchant.supportAccess ?? 'read',
    notes: toNoteForms(merchant.notes),
    ...{ menuActions: merchant.menuBar?.actions ?? [], requireTap: merchant.menuBar?.requireTap ?? false },
  }
}

/** The body of a form; an empty optional field is `null`. */
export function toBody(form: VenueForm) {
  const optional = (text: string) => (text.trim() === '' ? null : text.trim())
  const { name, timezone, dayStartsAt, pricesIncludeTax, openingHours, hoursClose } = form
  const closures = form.closures.map(({ title, ...days }) => ({ ...days, title: optional(title) }))
  // People copy whole addresses.
  const typed = form.destinationHosts.split(/[\s,;]+/).map((text) => text.replace(/^https?:\/\/|\/.*$/gi, ''))
  const hosts = typed.filter((host) => host !== '')
  const takeaway = parseAmount(form.takeawayRate) ?? null
  const delivery = parseAmount(form.deliveryRate) ?? null
  const address = Object.fromEntries(addressFields.map((field) => [field, optional(form[field])]))
  return {
    ...Object.fromEntries(optionalFields.map((field) => [field, optional(form[field])])),
    ...{ name, timezone, dayStartsAt, pricesIncludeTax, taxRate: parseAmount(form.taxRate) ?? 0 },
    taxRates: takeaway === null && delivery === null ? null : { takeaway, delivery },
    cashRounding: parseAmount(form.cashRounding) ?? null,
    destinationHosts: hosts.length === 0 ? null : hosts,
    openingHours: openingHours.length === 0 ? null : [...openingHours],
    hoursClose,
    closures: closures.length === 0 ? null : closures,
    specialHours: form.specialHours.length === 0 ? null : [...form.specialHours],
    notes: toNotes(form.notes),
    publishBy: form.publishBy ? ('other' as const) : null,
    supportAccess: form.supportAccess,
    menuBar: form.menuActions.length === 0 ? null : { actions: [...form.menuActions], requireTap: form.requireTap },
    address: Object.values(address).every((value) => value === null) ? null : address,
  } satisfies MerchantUpdate
}

/** Label of a field of the body, for the comparison of two versions. */
export function nameOf(field: string): string {
  const { settings } = t()
  const names = { takeaway: settings.takeawayRate, delivery: settings.deliveryRate, taxRates: settings.taxRate }
  const others = { ...names, openingHours: settings.hours, language: settings.textsIn }
  return String(new Map<string, unknown>(Object.entries({ ...settings, ...others })).get(field) ?? field)
}

/** A field of a body in readable form. */
export function showField(body: Partial<ReturnType<typeof toBody>>, field: string): string {
  const { settings } = t()
  const { days } = settings
  const hours = body.openingHours?.map((each) => {
    const names = each.days.map((day) => days[day])
    return `${names.join(', ')} ${toClock(each.opens)}–${toClock(each.closes)}`
  })
  const closures = body.closures?.map(({ from, until, title }) => `${from} – ${until} ${title ?? ''}`.trim())
  const special = body.specialHours?.map(({ date, opens, closes }) => `${date} ${toClock(opens)}–${toClock(closes)}`)
  const notes = body.notes?.map(({ text }) => text)
  const lists = { openingHours: hours, closures, specialHours: special, notes }
  const joined = Object.entries(lists).map(([name, list]) => [name, list?.join('; ')])
  const { supportLevels } = settings
  const supportAccess = supportLevels[body.supportAccess ?? 'read']
  const shown = { ...body, supportAccess, publishBy: body.publishBy === 'other', ...Object.fromEntries(joined) }
  return showValue(new Map<string, unknown>(Object.entries(shown)).get(field), nameOf)
}
