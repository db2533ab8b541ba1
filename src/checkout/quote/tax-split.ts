import { spread, sum } from './amounts.ts'
import type { PricedLine, TaxShare } from './discounts.ts'

/** The part of a line with one tax rate: the whole line, unless it is split. */
interface TaxedPart {
  /** Index of the line. */
  line: number
  product: string
  subtotal: bigint
  taxRate: bigint
  /** Amount after discounts, in minor units. */
  left: bigint
}

/** Amounts of the lines of one pool by tax rate and line. They add up to what is left of each line. */
function splitPool(shares: readonly TaxShare[], left: readonly bigint[], order: readonly number[]): bigint[][] {
  const byRate = spread(
    sum(left),
    shares.map(({ weight }) => weight),
    [...shares.keys()],
  )
  let open: readonly bigint[] = left
  return byRate.map((amount) => {
    const taken = spread(amount, open, order)
    open = open.map((rest, index) => rest - (taken[index] ?? 0n))
    return taken
  })
}

/** How often a line counts when it is split: once for each of its rates. */
export const countParts = (lines: readonly PricedLine[]): number =>
  lines.reduce((count, { taxSplit }) => count + (taxSplit?.shares.length ?? 1), 0)

/**
 * Returns a function that splits what is left of each line over its tax rates, by largest remainder; of equal remainders, the lowest rate is
 * rounded up first. `order` lists the indexes of the lines. Among lines of one pool with equal remainders, the first in this order is
 * rounded up. The parts have no order. Pools are found once, for all combinations of discounts.
 */
export function createSplitter(lines: readonly PricedLine[], order: readonly number[]) {
  const pools = Map.groupBy(
    order.filter((line) => lines[line]?.taxSplit),
    (line) => lines[line]?.taxSplit?.pool,
  )
  const groups = Array.from(pools.values(), (members) => ({
    members,
    positions: [...members.keys()],
    shares: lines[members[0] ?? -1]?.taxSplit?.shares ?? [],
  }))
  return (left: readonly bigint[]): TaxedPart[] => {
    const toPart = (line: number, taxRate: bigint, amount: bigint): TaxedPart => {
      const { product = '', subtotal = 0n } = lines[line] ?? {}
      return { line, product, subtotal, taxRate, left: amount }
    }
    const whole = lines.flatMap(({ taxRate, taxSplit }, line) =>
      taxSplit ? [] : [toPart(line, taxRate, left[line] ?? 0n)],
    )
    const parts = groups.flatMap(({ members, positions, shares }) => {
      const amounts = splitPool(
        shares,
        members.map((line) => left[line] ?? 0n),
        positions,
      )
      return shares.flatMap(({ rate }, index) =>
        members.map((line, position) => toPart(line, rate, amounts[index]?.[position] ?? 0n)),
      )
    })
    return [...whole, ...parts]
  }
}
