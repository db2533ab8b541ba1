import { min, sum, takePercent } from './amounts.ts'
import { type Pools, type PricedLine, spreadOverPools } from './pools.ts'

/** The discount of a coupon. */
export interface Discount {
  type: 'PERCENTAGE' | 'FIXED'
  /** Exact percent, or minor units. */
  value: bigint
  /** Maximum discount in minor units; undefined: no maximum. */
  maxAmount: bigint | undefined
  /** Whether the discount excludes all others. */
  isIndividual: boolean
  /** For each line, whether the discount applies to it. */
  matches: readonly boolean[]
}

/** The discounts of an order: amounts for each discount and line, in minor units. */
export interface AppliedDiscounts {
  /** Indexes of the combined discounts, in the order in which they apply. */
  chosen: ReadonlySet<number>
  /** Amounts by discount and line. All 0 for discounts that were not chosen. */
  amounts: readonly (readonly bigint[])[]
  /** Remaining total of each line. */
  left: readonly bigint[]
}

/** Amounts that one discount subtracts from the remaining total of each line. It is rounded once, and then spread. */
function takeDiscount({ type, value, maxAmount, matches }: Discount, left: readonly bigint[], pools: Pools): bigint[] {
  const weights = left.map((amount, index) => (matches[index] ? amount : 0n))
  const matching = sum(weights)
  const amount = type === 'FIXED' ? value : takePercent(matching, value)
  return spreadOverPools(min(amount, min(matching, maxAmount ?? matching)), weights, pools)
}

/** Order in which discounts apply: percentages before fixed amounts, otherwise as given. */
const toSequence = (discounts: readonly Discount[]) =>
  ['PERCENTAGE', 'FIXED'].flatMap((type) => [...discounts.keys()].filter((index) => discounts[index]?.type === type))

/** Measure that decides between combinations of discounts. */
interface Comparison {
  pools: Pools
  /** Total of the order, from the remaining total of each line. Without rounding, another discount raises it by at most `maxShift`. */
  getTotal: (left: readonly bigint[]) => bigint
  /** Upper bound of the effect of rounding on the total of an order with a number of discounts. */
  getMaxError: (discounts: number) => bigint
  /** Maximum amount by which discounts raise the total without rounding. */
  maxShift: bigint
  /** After it, no further combination of several discounts is compared: only rounding could make one cheaper than that of all. */
  maxCombinations: number
}

/**
 * Chooses the combination of discounts with the lowest total and applies it. All discounts except individual ones can be combined. An individual
 * discount excludes all others. It also compares combinations that leave out a discount, unless they cannot be cheaper: through rounding, and through
 * charges that follow the tax rates of lines, a discount can raise the total, but adding a coupon must never do that. If totals are equal, the combination with the discount named first
 * wins.
 */
export function combineDiscounts(
  lines: readonly PricedLine[],
  discounts: readonly Discount[],
  { pools, getTotal, getMaxError, maxShift, maxCombinations }: Comparison,
): AppliedDiscounts {
  const none = lines.map(() => 0n)
  const subtotals = lines.map(({ subtotal }) => subtotal)
  let best: (AppliedDiscounts & { total: bigint }) | undefined
  const propose = (taken: ReadonlyMap<number, readonly bigint[]>, left: readonly bigint[]): bigint => {
    const total = getTotal(left)
    if (best && (total > best.total || (total === best.total && !isPreferred(taken, best.chosen)))) return total
    const amounts = [...discounts.keys()].map((index) => taken.get(index) ?? none)
    best = { chosen: new Set(taken.keys()), amounts, left, total }
    return total
  }
  const take = (index: number, left: readonly bigint[]) => {
    const discount = discounts[index]
    const amounts = discount ? takeDiscount(discount, left, pools) : none
    return { amounts, left: left.map((amount, line) => amount - (amounts[line] ?? 0n)) }
  }
  const sequence = toSequence(discounts)
  const combinable = sequence.filter((index) => !discounts[index]?.isIndividual)
  let compared = 0
  /** Compares all combinations that begin with those `taken`. Returns the total with all remaining discounts. */
  const visit = (position: number, taken: ReadonlyMap<number, readonly bigint[]>, left: readonly bigint[]): bigint => {
    const index = combinable[position]
    if (index === undefined) {
      compared += 1
      return propose(taken, left)
    }
    const next = take(index, left)
    const withAll = visit(position + 1, new Map(taken).set(index, next.amounts), next.left)
    // Two roundings: that of this combination, and that of one with fewer discounts.
    const error = 2n * getMaxError(combinable.length - position) + maxShift
    if (compared >= maxCombinations) return withAll
    if (best === undefined || withAll - error <= best.total) visit(position + 1, taken, left)
    return withAll
  }
  visit(0, new Map(), subtotals)
  for (const index of sequence.filter((index) => discounts[index]?.isIndividual)) {
    const { amounts, left } = take(index, subtotals)
    propose(new Map([[index, amounts]]), left)
  }
  return best ?? { chosen: new Set(), amounts: discounts.map(() => none), left: subtotals }
}

/** Whether a combination contains the first discount in which the two combinations differ. */
function isPreferred(combination: ReadonlyMap<number, unknown>, other: ReadonlySet<number>): boolean {
  const own = [...combination.keys()].filter((index) => !other.has(index))
  const others = [...other].filter((index) => !combination.has(index))
  return Math.min(...own, Number.POSITIVE_INFINITY) < Math.min(...others, Number.POSITIVE_INFINITY)
}
