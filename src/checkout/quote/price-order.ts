import { spread, sum } from './amounts.ts'
import {
  type ChargeRules,
  getChargeError,
  getShift,
  noCharges,
  type PricedCharge,
  splitCharges,
  sumCharges,
  toPricedCharges,
} from './charges/charges.ts'
import { type AppliedDiscounts, combineDiscounts, type Discount } from './discounts.ts'
import { groupLines, mergePools, type Pools, type PricedLine, rankLines } from './pools.ts'
import { countParts, splitLines, sumByRate } from './tax-split.ts'
import { computeTaxes, type RateTax, sumTaxes, type TaxRules } from './taxes.ts'

/** An order with discounts and taxes. All amounts are in minor units. */
export interface PricedOrder {
  lines: readonly {
    /** Amount of each discount. */
    discounts: readonly bigint[]
    tax: bigint
    /** Taxes by rate, lowest rate first. Empty unless the line is split. */
    taxes: readonly RateTax[]
    total: bigint
  }[]
  /** Indexes of the combined discounts. */
  chosen: ReadonlySet<number>
  /** Sum of each discount. */
  discounts: readonly bigint[]
  charges: readonly PricedCharge[]
  /** Taxes of the lines and the charges, by rate. */
  taxes: readonly RateTax[]
  subtotal: bigint
  discountTotal: bigint
  taxTotal: bigint
  total: bigint
}

/** Number of split parts of all combinations of discounts that one order compares. */
const maxSplitParts = 40_000

/**
 * How combinations of discounts are compared. `lines` are pools, unless tax is added in each line: what is rounded does not depend on how units are
 * grouped into lines. Prices that include tax have the same total however it is split.
 */
function createComparison(lines: readonly PricedLine[], pools: Pools, rules: TaxRules, charged: ChargeRules) {
  const isTaxed = !rules.isIncluded
  const getTaxes = (left: readonly bigint[]) => {
    const bases = sumByRate(lines, left, pools)
    const taxed =
      rules.rounding === 'line'
        ? splitLines(lines, left, pools)
        : Array.from(bases, ([taxRate, amount]) => ({ taxRate, left: amount }))
    return sumTaxes([...taxed, ...splitCharges(charged, bases)], rules)
  }
  const parts = countParts(lines)
  const isSplit = isTaxed && lines.some(({ taxShares }) => taxShares)
  const rates = new Set(lines.flatMap(({ taxRate, taxShares }) => taxShares?.map(({ rate }) => rate) ?? [taxRate]))
  /**
   * A discount is rounded once, and each share of its three stages by less than 1. Taxes are at most 100 percent of that. Each tax is rounded,
   * and each part of a split pool.
   */
  const roundings = 1 + pools.length + pools.flat().length + lines.length
  const getMaxError = (discounts: number) => {
    const error = BigInt(roundings * discounts)
    const withCharges = error + getChargeError(charged, error, rates.size)
    return isTaxed ? 2n * (withCharges + BigInt(parts)) : withCharges
  }
  return {
    pools,
    getTotal(left: readonly bigint[]) {
      const base = sum(left)
      return base + sumCharges(charged, base) + (isTaxed ? getTaxes(left) : 0n)
    },
    getMaxError,
    maxShift: isTaxed ? getShift(charged, [...rates]) : 0n,
    // A tax that is split costs many times the work of one that is not, so that large orders with split lines compare fewer combinations.
    maxCombinations: isSplit ? Math.max(2, Math.floor(maxSplitParts / parts)) : Number.POSITIVE_INFINITY,
  }
}

/** Discounts of pools, spread over the lines of each pool. */
function spreadPools(
  lines: readonly PricedLine[],
  pools: Pools,
  { chosen, amounts }: Pick<AppliedDiscounts, 'chosen' | 'amounts'>,
): AppliedDiscounts {
  const left = lines.map(({ subtotal }) => subtotal)
  const spreadOut = amounts.map(() => lines.map(() => 0n))
  // In the order in which they apply.
  for (const discount of chosen) {
    for (const [pool, members] of pools.flat().entries()) {
      const amount = amounts[discount]?.[pool] ?? 0n
      const weights = members.map((line) => left[line] ?? 0n)
      for (const [position, share] of spread(amount, weights).entries()) {
        const line = members[position] ?? -1
        spreadOut[discount]?.splice(line, 1, share)
        left[line] = (weights[position] ?? 0n) - share
      }
    }
  }
  return { chosen, amounts: spreadOut, left }
}

/** Discounts of each line. Combinations are compared by pools, unless tax is added in each line. */
function applyDiscounts(
  lines: readonly PricedLine[],
  pools: Pools,
  discounts: readonly Discount[],
  rules: TaxRules,
  charged: ChargeRules,
): AppliedDiscounts {
  if (!rules.isIncluded && rules.rounding === 'line') {
    return combineDiscounts(lines, discounts, createComparison(lines, pools, rules, charged))
  }
  const merged = mergePools(lines, pools)
  let next = 0
  const single = pools.map((rate) => rate.map(() => [next++]))
  const ofPools = discounts.map((discount) => ({
    ...discount,
    matches: pools.flat().map(([first = -1]) => discount.matches[first] ?? false),
  }))
  const comparison = createComparison(merged, single, rules, charged)
  return spreadPools(lines, pools, combineDiscounts(merged, ofPools, comparison))
}

/** Prices an order. Pure and exact: the result depends only on the parameters. */
export function priceOrder(
  lines: readonly PricedLine[],
  discounts: readonly Discount[],
  rules: TaxRules,
  charged: ChargeRules = noCharges,
): PricedOrder {
  const pools = groupLines(lines, rankLines(lines))
  const { chosen, amounts, left } = applyDiscounts(lines, pools, discounts, rules, charged)
  const parts = splitLines(lines, left, pools)
  const chargeParts = splitCharges(charged, sumByRate(lines, left, pools))
  const { rates, lineTaxes: partTaxes, chargeTaxes } = computeTaxes(parts, rankLines(parts), rules, chargeParts)
  const charges = toPricedCharges(charged, chargeParts, chargeTaxes)
  const taxesOf = lines.map((): RateTax[] => [])
  for (const [index, { line, taxRate, left: base }] of parts.entries()) {
    taxesOf[line]?.push({ rate: taxRate, base, amount: partTaxes[index] ?? 0n })
  }
  const taxTotal = sum(rates.map(({ amount }) => amount))
  return {
    lines: left.map((net, index) => {
      const taxes = taxesOf[index] ?? []
      const tax = sum(taxes.map(({ amount }) => amount))
      return {
        discounts: amounts.map((amount) => amount[index] ?? 0n),
        tax,
        taxes: lines[index]?.taxShares ? taxes : [],
        total: rules.isIncluded ? net : net + tax,
      }
    }),
    chosen,
    discounts: amounts.map(sum),
    charges,
    taxes: rates,
    subtotal: sum(lines.map(({ subtotal }) => subtotal)),
    discountTotal: sum(amounts.map(sum)),
    taxTotal,
    total: sum(left) + sum(charges.map(({ amount }) => amount)) + (rules.isIncluded ? 0n : taxTotal),
  }
}
