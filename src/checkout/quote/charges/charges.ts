import { getRateOfType, type OrderType } from '../../../catalogue/resources/details/order-types.ts'
import { isChargeOffered, type VenueCharge } from '../../../catalogue/resources/venue-charges.ts'
import { exactHundred, min, spread, sum, takePercent, toExact, toMinor } from '../amounts.ts'
import type { QuotedLine } from '../lines/line.ts'
import type { QuoteData } from '../load-quote.ts'
import type { QuoteIssue } from '../quote-issues.ts'
import type { QuoteRequest } from '../quote-request.ts'
import type { QuotedVenue } from '../service/quoted-venue.ts'
import type { RateTax } from '../taxes.ts'

/** A charge of an order. */
interface Charge {
  type: 'PERCENTAGE' | 'FIXED'
  /** Exact percent of what is left of all lines, or minor units. */
  value: bigint
  /** In exact percent; undefined: the rates of the lines, in proportion. */
  taxRate: bigint | undefined
}

/** All charges of an order. */
export interface ChargeRules {
  charges: readonly Charge[]
  /** Rate of charges that follow the lines while nothing is left of them, in exact percent. */
  taxRate: bigint
}

/** An order without charges. */
export const noCharges: ChargeRules = { charges: [], taxRate: 0n }

/** The part of a charge with one tax rate. */
interface ChargePart {
  /** Index of the charge. */
  charge: number
  taxRate: bigint
  /** Amount in minor units. */
  left: bigint
}

const getAmount = ({ type, value }: Charge, base: bigint) => (type === 'FIXED' ? value : takePercent(base, value))

/** Sum of the charges on what is left of all lines. */
export const sumCharges = ({ charges }: ChargeRules, base: bigint): bigint =>
  sum(charges.map((charge) => getAmount(charge, base)))

/** Charges by tax rate. `left` has what is left of the lines by rate. Of equal remainders, the lowest rate is rounded up first. */
export function splitCharges({ charges, taxRate }: ChargeRules, left: ReadonlyMap<bigint, bigint>): ChargePart[] {
  if (charges.length === 0) return []
  const base = sum([...left.values()])
  const rates = base === 0n ? [taxRate] : [...left.keys()].sort((a, b) => (a < b ? -1 : 1))
  const weights = base === 0n ? [1n] : rates.map((rate) => left.get(rate) ?? 0n)
  return charges.flatMap((each, charge): ChargePart[] => {
    const amount = getAmount(each, base)
    if (amount === 0n) return []
    if (each.taxRate !== undefined) return [{ charge, taxRate: each.taxRate, left: amount }]
    return spread(amount, weights).flatMap((part, index) =>
      part > 0n ? [{ charge, taxRate: rates[index] ?? 0n, left: part }] : [],
    )
  })
}

/** Total of the percentages, rounded up to whole times of the lines. */
const getGrowth = ({ charges }: ChargeRules) =>
  charges.reduce((total, { type, value }) => total + (type === 'PERCENTAGE' ? value : 0n), exactHundred - 1n) /
  exactHundred

/** Upper bound of the effect of rounding on charges and their taxes, if rounding changes what is left of the lines by `error`. */
export const getChargeError = (rules: ChargeRules, error: bigint, rates: number): bigint =>
  getGrowth(rules) * error + BigInt(rules.charges.length * (1 + 2 * rates))

/**
 * Maximum amount by which a discount can raise the taxes of fixed charges that follow the rates of the lines: it can leave more of a higher rate. `rates`
 * are those of the lines.
 */
export function getShift({ charges, taxRate }: ChargeRules, rates: readonly bigint[]): bigint {
  const following = charges.filter((charge) => charge.type === 'FIXED' && charge.taxRate === undefined)
  if (following.length === 0) return 0n
  const sorted = [...rates, taxRate].sort((a, b) => (a < b ? -1 : 1))
  const range = (sorted.at(-1) ?? 0n) - (sorted[0] ?? 0n)
  return (sum(following.map(({ value }) => value)) * range) / exactHundred + 1n
}

/** Number of units of the known products of an order. A line by weight or volume is one, and so is a bundle. */
const countItems = (lines: readonly QuotedLine[]) =>
  lines.reduce((count, { isKnown, isPooled, item }) => count + (isKnown ? (isPooled ? item.quantity : 1) : 0), 0)

function toCharge(
  { type, value, per, taxable, taxRate }: VenueCharge,
  lines: readonly QuotedLine[],
  decimals: number,
): Charge {
  const times = per === 'item' ? BigInt(countItems(lines)) : 1n
  const rate = taxRate === undefined ? undefined : min(toExact(taxRate), exactHundred)
  return {
    type,
    value: type === 'FIXED' ? toMinor(times * toExact(value), decimals) : toExact(value),
    taxRate: taxable ? rate : 0n,
  }
}

/** Properties of an order that decide about its charges. */
interface ChargeContext {
  orderType: OrderType
  decimals: number
}

const defaultGuests = 1

/** The charges that apply to an order, in the order of the list. An order without lines has none. */
export function chooseCharges(
  { guests, optionalCharges }: Pick<QuoteRequest, 'guests' | 'optionalCharges'>,
  lines: readonly QuotedLine[],
  charges: readonly VenueCharge[],
  { orderType }: Pick<ChargeContext, 'orderType'>,
): VenueCharge[] {
  if (lines.length === 0) return []
  const wanted = new Set(optionalCharges ?? [])
  return charges.filter(
    (charge) =>
      isChargeOffered(charge, orderType, guests ?? defaultGuests) && (!charge.optional || wanted.has(charge.id)),
  )
}

/** Charges of an order as amounts. */
export const toChargeRules = (
  charges: readonly VenueCharge[],
  lines: readonly QuotedLine[],
  venue: Pick<QuotedVenue, 'taxRate' | 'taxRates'>,
  { orderType, decimals }: ChargeContext,
): ChargeRules => ({
  charges: charges.map((charge) => toCharge(charge, lines, decimals)),
  taxRate: min(toExact(getRateOfType(venue.taxRates, orderType) ?? venue.taxRate), exactHundred),
})

/** A charge of an order with its taxes, in minor units. */
export interface PricedCharge {
  amount: bigint
  tax: bigint
  /** Lowest rate first. Empty if the charge is 0. */
  taxes: readonly RateTax[]
}

/** Charges with the taxes of their parts. */
export const toPricedCharges = (
  { charges }: ChargeRules,
  parts: readonly ChargePart[],
  partTaxes: readonly bigint[],
): PricedCharge[] =>
  charges.map((_, charge) => {
    const taxes = parts.flatMap((part, index) =>
      part.charge === charge ? [{ rate: part.taxRate, base: part.left, amount: partTaxes[index] ?? 0n }] : [],
    )
    return { amount: sum(taxes.map(({ base }) => base)), tax: sum(taxes.map(({ amount }) => amount)), taxes }
  })

/** Issues of charges that a request names. */
export function* findChargeIssues(
  { guests, optionalCharges }: QuoteRequest,
  { charges }: QuoteData,
  orderType: OrderType,
): Iterable<QuoteIssue> {
  for (const [index, id] of (optionalCharges ?? []).entries()) {
    const charge = charges.find((each) => each.id === id)
    const pointer = `/optionalCharges/${index}`
    if (!charge) yield { pointer, code: 'unknown_charge', message: 'The charge does not exist.' }
    else if (!isChargeOffered(charge, orderType, guests ?? defaultGuests)) {
      yield { pointer, code: 'charge_not_offered', message: 'The charge is not offered for this order.' }
    }
  }
}
