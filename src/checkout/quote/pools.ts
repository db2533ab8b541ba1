import { spread, sum } from './amounts.ts'

/** The weight of a tax rate. */
export interface TaxShare {
  /** In exact percent. */
  rate: bigint
  weight: bigint
}

/** The part of an order line that discounts and taxes use. */
export interface PricedLine {
  product: string
  /** Size, options and choices as one text, which does not depend on their order. */
  variant: string
  /** Whether the line forms a pool with the lines that differ from it only in their quantity. False for lines by weight. */
  isPooled: boolean
  /** In minor units. */
  subtotal: bigint
  /** In exact percent; 0 if not taxable. */
  taxRate: bigint
  /** Tax rates that the line is split over, lowest rate first. Absent: `taxRate` holds for all of it. Equal in all lines of a pool. */
  taxShares?: readonly TaxShare[]
}

const compare = <Value extends bigint | string>(a: Value, b: Value) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Indexes of lines by tax rate, product, variant and subtotal: the order in which equal remainders are rounded up. It does not depend on the
 * order of the lines.
 */
export function rankLines(lines: readonly Omit<PricedLine, 'isPooled'>[]): number[] {
  const ranked = lines.map((line, index) => ({ line, index }))
  ranked.sort(
    ({ line: a }, { line: b }) =>
      compare(a.taxRate, b.taxRate) ||
      compare(a.product, b.product) ||
      compare(a.variant, b.variant) ||
      compare(a.subtotal, b.subtotal),
  )
  return ranked.map(({ index }) => index)
}

/** Name of the pool of a line. A line that is not pooled is a pool of its own. */
const toPoolKey = ({ product, variant, isPooled }: PricedLine, index: number) =>
  isPooled ? `${product} ${variant}` : index

/** Indexes of lines: of each tax rate its pools, and of each pool its lines. All are in the order of `rankLines`. */
export type Pools = readonly (readonly (readonly number[])[])[]

/** Groups lines by the tax rate of their product, and those that differ only in their quantity. */
export function groupLines(lines: readonly PricedLine[], order: readonly number[]): Pools {
  const rates = Map.groupBy(order, (index) => lines[index]?.taxRate)
  return Array.from(rates.values(), (members) => {
    const pools = Map.groupBy(members, (index) => {
      const line = lines[index]
      return line && toPoolKey(line, index)
    })
    return [...pools.values()]
  })
}

/**
 * Splits an amount in proportion to the weights of lines in three stages, each by largest remainder: over tax rates, over the pools of a rate, over
 * the lines of a pool. The share of a pool therefore does not depend on how its units are grouped into lines.
 */
export function spreadOverPools(amount: bigint, weights: readonly bigint[], rates: Pools): bigint[] {
  const shares = weights.map(() => 0n)
  const pools = rates.map((each) => each.map((lines) => lines.map((line) => weights[line] ?? 0n)))
  const ofPools = pools.map((each) => each.map(sum))
  for (const [rate, ofRate] of spread(amount, ofPools.map(sum)).entries()) {
    for (const [pool, ofPool] of spread(ofRate, ofPools[rate] ?? []).entries()) {
      const lines = rates[rate]?.[pool] ?? []
      for (const [position, share] of spread(ofPool, pools[rate]?.[pool] ?? []).entries()) {
        shares[lines[position] ?? -1] = share
      }
    }
  }
  return shares
}

/** Each pool as one line, in the order of `rankLines`. */
export const mergePools = (lines: readonly PricedLine[], rates: Pools): PricedLine[] =>
  rates.flat().flatMap((members) => {
    const first = lines[members[0] ?? -1]
    return first ? { ...first, subtotal: sum(members.map((index) => lines[index]?.subtotal ?? 0n)) } : []
  })
