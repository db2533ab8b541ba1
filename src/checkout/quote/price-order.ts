import { sum } from './amounts.ts'
import { combineDiscounts, type Discount, type PricedLine, rankLines } from './discounts.ts'
import { countParts, createSplitter } from './tax-split.ts'
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
  taxes: readonly RateTax[]
  subtotal: bigint
  discountTotal: bigint
  taxTotal: bigint
  total: bigint
}

/** Number of split parts of all combinations of discounts that one order compares. */
const maxSplitParts = 40_000

/**
 * How many combinations of discounts an order compares. A tax that is split costs many times the work of one that is not, so that large
 * orders with split lines compare fewer. Prices that include tax have the same total however it is split.
 */
function limitCombinations(lines: readonly PricedLine[], { isIncluded }: TaxRules): number {
  const isSplit = !isIncluded && lines.some(({ taxSplit }) => taxSplit)
  return isSplit ? Math.max(2, Math.floor(maxSplitParts / countParts(lines))) : Number.POSITIVE_INFINITY
}

/** Prices an order. Pure and exact: the result depends only on the parameters. */
export function priceOrder(lines: readonly PricedLine[], discounts: readonly Discount[], rules: TaxRules): PricedOrder {
  const order = rankLines(lines)
  const split = createSplitter(lines, order)
  const getTotal = (left: readonly bigint[]) => sum(left) + (rules.isIncluded ? 0n : sumTaxes(split(left), rules))
  const { chosen, amounts, left } = combineDiscounts(lines, discounts, getTotal, limitCombinations(lines, rules))
  const parts = split(left).toSorted((a, b) => a.line - b.line)
  const { rates, lineTaxes: partTaxes } = computeTaxes(parts, rankLines(parts), rules)
  const taxesOf = lines.map((): RateTax[] => [])
  for (const [index, { line, taxRate, left: base }] of parts.entries()) {
    taxesOf[line]?.push({ rate: taxRate, base, amount: partTaxes[index] ?? 0n })
  }
  return {
    lines: left.map((net, index) => {
      const taxes = taxesOf[index] ?? []
      const tax = sum(taxes.map(({ amount }) => amount))
      return {
        discounts: amounts.map((amount) => amount[index] ?? 0n),
        tax,
        taxes: lines[index]?.taxSplit ? taxes : [],
        total: rules.isIncluded ? net : net + tax,
      }
    }),
    chosen,
    discounts: amounts.map(sum),
    taxes: rates,
    subtotal: sum(lines.map(({ subtotal }) => subtotal)),
    discountTotal: sum(amounts.map(sum)),
    taxTotal: sum(rates.map(({ amount }) => amount)),
    total: getTotal(left),
  }
}
