import { spread, sum } from './amounts.ts'
import type { Pools, PricedLine, TaxShare } from './pools.ts'

/** The part of a line with one tax rate: the whole line, unless it is split. */
interface TaxedPart extends PricedLine {
  /** Index of the line. */
  line: number
  /** Amount after discounts, in minor units. */
  left: bigint
}

/** An amount by tax rate, by largest remainder; of equal remainders, the lowest rate is rounded up first. */
const splitAmount = (amount: bigint, shares: readonly TaxShare[]): bigint[] =>
  spread(
    amount,
    shares.map(({ weight }) => weight),
  )

/** Amounts of the lines of one pool by tax rate and line. They add up to what is left of each line. */
function splitPool(shares: readonly TaxShare[], left: readonly bigint[]): bigint[][] {
  let open: readonly bigint[] = left
  return splitAmount(sum(left), shares).map((amount) => {
    const taken = spread(amount, open)
    open = open.map((rest, index) => rest - (taken[index] ?? 0n))
    return taken
  })
}

/** How often lines count when they are split: once for each of their rates. */
export const countParts = (lines: readonly PricedLine[]): number =>
  lines.reduce((count, { taxShares }) => count + (taxShares?.length ?? 1), 0)

/** Amounts left of the lines by tax rate. Split pools are split as one, so that it does not matter how units are grouped into lines. */
export function sumByRate(
  lines: readonly PricedLine[],
  left: readonly bigint[],
  pools: Pools,
): ReadonlyMap<bigint, bigint> {
  const bases = new Map<bigint, bigint>()
  const add = (rate: bigint, amount: bigint) => bases.set(rate, (bases.get(rate) ?? 0n) + amount)
  for (const members of pools.flat()) {
    const { taxRate = 0n, taxShares } = lines[members[0] ?? -1] ?? {}
    const amount = sum(members.map((line) => left[line] ?? 0n))
    if (!taxShares) add(taxRate, amount)
    else for (const [index, part] of splitAmount(amount, taxShares).entries()) add(taxShares[index]?.rate ?? 0n, part)
  }
  return bases
}

/** Splits what is left of each line over its tax rates. The parts are in the order of the lines, lowest rate first. */
export function splitLines(lines: readonly PricedLine[], left: readonly bigint[], pools: Pools): TaxedPart[] {
  const parts: TaxedPart[] = []
  for (const members of pools.flat()) {
    const amounts = members.map((line) => left[line] ?? 0n)
    const shares = lines[members[0] ?? -1]?.taxShares
    const split = shares ? splitPool(shares, amounts) : [amounts]
    for (const [index, ofRate] of split.entries()) {
      for (const [position, amount] of ofRate.entries()) {
        const line = members[position] ?? -1
        const own = lines[line]
        if (own) parts.push({ ...own, line, taxRate: shares?.[index]?.rate ?? own.taxRate, left: amount })
      }
    }
  }
  return parts.sort((a, b) => a.line - b.line)
}
