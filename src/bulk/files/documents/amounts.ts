import { isObject } from '../../../platform/lib/schema-guard.ts'
import { removeNoise } from '../values/numbers.ts'

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

/** An amount in the currency's minor unit, such as cents. */
export const fromMinorUnits = (amount: unknown, currency: string | undefined): number | undefined =>
  typeof amount === 'number' ? removeNoise(amount / 10 ** getDecimals(currency)) : undefined

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
