import { sum } from './amounts.ts'
import { combineDiscounts, type Discount, type PricedLine, rankLines } from './discounts.ts'
import { computeTaxes, type RateTax, sumTaxes, type TaxRules } from './taxes.ts'

/** An order with discounts and taxes. All amounts are in minor units. */
export interface PricedOrder {
  lines: readonly {
    /** Amount of each discount. */
    discounts: readonly bigint[]
    tax: bigint
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

/** Prices an order. Pure and exact: the result depends only on the parameters. */
export function priceOrder(lines: readonly PricedLine[], discounts: readonly Discount[], rules: TaxRules): PricedOrder {
  const withLeft = (left: readonly bigint[]) =>
    lines.map(({ taxRate }, index) => ({ taxRate, left: left[index] ?? 0n }))
  const getTotal = (left: readonly bigint[]) => sum(left) + (rules.isIncluded ? 0n : sumTaxes(withLeft(left), rules))
  const { chosen, amounts, left } = combineDiscounts(lines, discounts, getTotal)
  const { rates, lineTaxes } = computeTaxes(withLeft(left), rankLines(lines), rules)
  return {
    lines: left.map((net, index) => {
      const tax = lineTaxes[index] ?? 0n
      return {
        discounts: amounts.map((amount) => amount[index] ?? 0n),
        tax,
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
