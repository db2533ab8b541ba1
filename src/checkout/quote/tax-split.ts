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

/**
 * Splits what is left of each line over its tax rates, by largest remainder; of equal remainders, the lowest rate is rounded up first. `order` lists the
 * indexes of the lines. Among lines of one pool with equal remainders, the first in this order is rounded up.
 */
export function splitLines(
  lines: readonly PricedLine[],
  left: readonly bigint[],
  order: readonly number[],
): TaxedPart[] {
  const toPart = (line: number, taxRate: bigint, amount: bigint): TaxedPart => {
    const { product = '', subtotal = 0n } = lines[line] ?? {}
    return { line, product, subtotal, taxRate, left: amount }
  }
  const whole = lines.flatMap(({ taxRate, taxSplit }, line) =>
    taxSplit ? [] : [toPart(line, taxRate, left[line] ?? 0n)],
  )
  if (whole.length === lines.length) return whole
  const split = order.filter((line) => lines[line]?.taxSplit)
  const pools = Map.groupBy(split, (line) => lines[line]?.taxSplit?.pool)
  const parts = Array.from(pools.values()).flatMap((members) => {
    const shares = lines[members[0] ?? -1]?.taxSplit?.shares ?? []
    const amounts = splitPool(
      shares,
      members.map((line) => left[line] ?? 0n),
      [...members.keys()],
    )
    return shares.flatMap(({ rate }, index) =>
      members.map((line, position) => toPart(line, rate, amounts[index]?.[position] ?? 0n)),
    )
  })
  return [...whole, ...parts].toSorted((a, b) => a.line - b.line)
}
