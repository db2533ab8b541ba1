import { isObject } from '../../../platform/lib/schema-guard.ts'
import { removeNoise } from './numbers.ts'

/** Decimal places of a currency. A file may name one that does not exist: 2, as without a currency. */
export function getDecimals(currency: string | undefined): number {
  try {
    return (
      new Intl.NumberFormat('en', { style: 'currency', currency: currency ?? 'EUR' }).resolvedOptions()
        .maximumFractionDigits ?? 2
    )
  } catch {
    return 2
  }
}

/** An amount in the minor unit of a currency, such as cents, in its main unit. */
export const fromMinorUnits = (amount: unknown, currency: string | undefined): number | undefined =>
  typeof amount === 'number' ? removeNoise(amount / 10 ** getDecimals(currency)) : undefined

/** Prices without decimals from which on they may be cents. */
const minCents = 50
/** Currencies in which some dish of a menu costs less than that. In others, such as rupees, a menu without lower prices is usual. */
const strong = new Set(
  'EUR USD GBP CHF AUD CAD NZD SGD BRL PLN ILS MYR RON BGN GEL AZN PEN AED SAR QAR BHD KWD OMR JOD'.split(' '),
)

/** At least half of the dishes of a menu cost less. */
const maxMedian = 100

/**
 * Whether prices may be in the minor unit of their currency: all are whole, and none is as low as that of some dish, or half of them are higher than
 * those of most dishes.
 */
export function mayBeCents(prices: readonly number[], currency: string | undefined): boolean {
  const paid = prices.filter((price) => price !== 0)
  const isHigh = paid.filter((price) => price >= maxMedian).length * 2 >= paid.length
  return (
    strong.has(currency ?? 'EUR') &&
    paid.length > 0 &&
    prices.every(Number.isInteger) &&
    (isHigh || paid.every((price) => price >= minCents))
  )
}

/** A text or a number as a text; empty for other values. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''

/** The objects in a list, or the one object. */
export const objectsOf = (value: unknown): Readonly<Record<string, unknown>>[] => [value].flat().filter(isObject)

/** The member of an object, or of its member. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, key) => (isObject(inside) && Object.hasOwn(inside, key) ? inside[key] : undefined),
    value,
  )
}

/** The members that have a value, without empty texts. */
export const withoutAbsent = (body: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== ''))
