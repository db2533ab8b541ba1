import { divideHalfUp, exactHundred, spread, sum } from './amounts.ts'

/** How a venue computes taxes. */
export interface TaxRules {
  /** Whether amounts include tax. */
  isIncluded: boolean
  /** `rate`: tax is rounded once for each rate. `line`: tax is rounded in each line. */
  rounding: 'rate' | 'line'
}

/** Tax of one rate, in minor units. */
export interface RateTax {
  /** In exact percent. */
  rate: bigint
  /** Sum of the lines with this rate after discounts; includes tax if prices do. */
  base: bigint
  amount: bigint
}

/** A line after discounts. */
interface TaxedLine {
  taxRate: bigint
  left: bigint
}

/** Tax on an amount that is not negative, rounded half up. */
export const getTax = (base: bigint, rate: bigint, { isIncluded }: TaxRules) =>
  divideHalfUp(base * rate, isIncluded ? exactHundred + rate : exactHundred)

/** Taxes by rate, lowest rate first, and the tax of each line; both have the same sum. `order` breaks ties as in `spread`. */
export function computeTaxes(lines: readonly TaxedLine[], order: readonly number[], rules: TaxRules) {
  const lineTaxes = lines.map(({ left, taxRate }) => getTax(left, taxRate, rules))
  const rates: RateTax[] = []
  for (const rate of [...new Set(lines.map(({ taxRate }) => taxRate))].sort((a, b) => (a < b ? -1 : 1))) {
    const weights = lines.map(({ left, taxRate }) => (taxRate === rate ? left : 0n))
    const base = sum(weights)
    const roundedLines = sum(lineTaxes.filter((_, index) => lines[index]?.taxRate === rate))
    const amount = rules.rounding === 'rate' ? getTax(base, rate, rules) : roundedLines
    rates.push({ rate, base, amount })
    if (rules.rounding === 'line') continue
    for (const [index, share] of spread(amount, weights, order).entries()) {
      if (lines[index]?.taxRate === rate) lineTaxes[index] = share
    }
  }
  return { rates, lineTaxes }
}

/** Sum of all taxes, without the tax of each line. */
export function sumTaxes(lines: readonly TaxedLine[], rules: TaxRules): bigint {
  if (rules.rounding === 'line') return sum(lines.map(({ left, taxRate }) => getTax(left, taxRate, rules)))
  const bases = new Map<bigint, bigint>()
  for (const { left, taxRate } of lines) bases.set(taxRate, (bases.get(taxRate) ?? 0n) + left)
  return sum(Array.from(bases, ([rate, base]) => getTax(base, rate, rules)))
}
