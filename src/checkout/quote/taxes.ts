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

/** A line after discounts, or a part of a charge. */
interface TaxedLine {
  taxRate: bigint
  left: bigint
}

/** Tax on an amount that is not negative, rounded half up. */
export const getTax = (base: bigint, rate: bigint, { isIncluded }: TaxRules) =>
  divideHalfUp(base * rate, isIncluded ? exactHundred + rate : exactHundred)

/**
 * Taxes by rate, lowest rate first, and the tax of each line and each charge; all have the same sum. The tax of a rate is first spread over all lines
 * together and each charge, so that the tax of a charge does not depend on how units are grouped into lines. `order` breaks ties as in `spread`.
 */
export function computeTaxes(
  lines: readonly TaxedLine[],
  order: readonly number[],
  rules: TaxRules,
  charges: readonly TaxedLine[] = [],
) {
  const all = [...lines, ...charges]
  const taxes = all.map(({ left, taxRate }) => getTax(left, taxRate, rules))
  const rates: RateTax[] = []
  for (const rate of [...new Set(all.map(({ taxRate }) => taxRate))].sort((a, b) => (a < b ? -1 : 1))) {
    const weights = all.map(({ left, taxRate }) => (taxRate === rate ? left : 0n))
    const base = sum(weights)
    const rounded = sum(taxes.filter((_, index) => all[index]?.taxRate === rate))
    const amount = rules.rounding === 'rate' ? getTax(base, rate, rules) : rounded
    rates.push({ rate, base, amount })
    if (rules.rounding === 'line') continue
    const [ofLines, ofCharges] = [weights.slice(0, lines.length), weights.slice(lines.length)]
    const [tax = 0n, ...chargeTaxes] = spread(amount, [sum(ofLines), ...ofCharges])
    for (const [index, share] of [...spread(tax, ofLines, order), ...chargeTaxes].entries()) {
      if (all[index]?.taxRate === rate) taxes[index] = share
    }
  }
  return { rates, lineTaxes: taxes.slice(0, lines.length), chargeTaxes: taxes.slice(lines.length) }
}

/** Sum of all taxes, without the tax of each line. */
export function sumTaxes(lines: readonly TaxedLine[], rules: TaxRules): bigint {
  if (rules.rounding === 'line') return sum(lines.map(({ left, taxRate }) => getTax(left, taxRate, rules)))
  const bases = new Map<bigint, bigint>()
  for (const { left, taxRate } of lines) bases.set(taxRate, (bases.get(taxRate) ?? 0n) + left)
  return sum(Array.from(bases, ([rate, base]) => getTax(base, rate, rules)))
}
