import { min, spread, sum, takePercent } from './amounts.ts'

/** The weight of a tax rate. */
export interface TaxShare {
  /** In exact percent. */
  rate: bigint
  weight: bigint
}

/** Tax rates that a line is split over, in proportion to their weights. */
interface TaxSplit {
  /** Lines of one pool are split together, so that it does not matter how units are grouped into lines. */
  pool: string
  /** Lowest rate first. */
  shares: readonly TaxShare[]
}

/** The part of an order line that discounts and taxes use. */
export interface PricedLine {
  product: string
  /** In minor units. */
  subtotal: bigint
  /** In exact percent; 0 if not taxable. */
  taxRate: bigint
  /** How the amount is split over other tax rates. Absent: `taxRate` holds for all of it. */
  taxSplit?: TaxSplit
}

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
interface AppliedDiscounts {
  /** Indexes of the combined discounts. */
  chosen: ReadonlySet<number>
  /** Amounts by discount and line. All 0 for discounts that were not chosen. */
  amounts: readonly (readonly bigint[])[]
  /** Remaining total of each line. */
  left: readonly bigint[]
}

/**
 * Indexes of lines by tax rate, product, subtotal and choices: the order in which equal remainders are rounded up. It does not depend on the
 * order of the lines.
 */
export function rankLines(lines: readonly PricedLine[]): number[] {
  const ranked = lines.map((line, index) => ({ line, index }))
  ranked.sort(
    ({ line: a }, { line: b }) =>
      compare(a.taxRate, b.taxRate) ||
      compare(a.product, b.product) ||
      compare(a.subtotal, b.subtotal) ||
      compare(a.taxSplit?.pool ?? '', b.taxSplit?.pool ?? ''),
  )
  return ranked.map(({ index }) => index)
}

const compare = <Value extends bigint | string>(a: Value, b: Value) => (a < b ? -1 : a > b ? 1 : 0)

/** Amounts that one discount subtracts from the remaining total of each line. */
function takeDiscount(
  { type, value, maxAmount, matches }: Discount,
  left: readonly bigint[],
  order: readonly number[],
): bigint[] {
  const weights = left.map((amount, index) => (matches[index] ? amount : 0n))
  const matching = sum(weights)
  const available = min(matching, maxAmount ?? matching)
  if (type === 'FIXED') return spread(min(value, available), weights, order)
  const amounts = weights.map((weight) => takePercent(weight, value))
  return sum(amounts) <= available ? amounts : spread(available, weights, order)
}

/** Order in which discounts apply: percentages before fixed amounts, otherwise as given. */
const toSequence = (discounts: readonly Discount[]) =>
  ['PERCENTAGE', 'FIXED'].flatMap((type) => [...discounts.keys()].filter((index) => discounts[index]?.type === type))

/**
 * Chooses the combination of discounts with the lowest total and applies it. All discounts except individual ones can be combined. An individual
 * discount excludes all others. It also compares combinations that leave out a discount, unless they cannot be cheaper: through rounding, a discount
 * can raise the total by a minor unit, but adding a coupon must never do that. If totals are equal, the combination with the discount named first
 * wins. After `maxCombinations`, no further combination of several discounts is compared: only rounding could make one cheaper than that of all.
 */
export function combineDiscounts(
  lines: readonly PricedLine[],
  discounts: readonly Discount[],
  getTotal: (left: readonly bigint[]) => bigint,
  maxCombinations = Number.POSITIVE_INFINITY,
): AppliedDiscounts {
  const order = rankLines(lines)
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
    const amounts = discount ? takeDiscount(discount, left, order) : none
    return { amounts, left: left.map((amount, line) => amount - (amounts[line] ?? 0n)) }
  }
  // A split line is rounded once more for each of its rates.
  const taxed = lines.reduce((count, { taxSplit }) => count + (taxSplit ? 2 * taxSplit.shares.length : 1), 0)
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
    const error = getMaxError(taxed, combinable.length - position)
    if (compared >= maxCombinations) return withAll
    if (best === undefined || withAll - 2n * error <= best.total) visit(position + 1, taken, left)
    return withAll
  }
  visit(0, new Map(), subtotals)
  for (const index of sequence.filter((index) => discounts[index]?.isIndividual)) {
    const { amounts, left } = take(index, subtotals)
    propose(new Map([[index, amounts]]), left)
  }
  return best ?? { chosen: new Set(), amounts: discounts.map(() => none), left: subtotals }
}

/**
 * Upper bound of the effect of rounding on a total. Without rounding, another discount never raises a total. Each discount rounds a line by up to 1,
 * and the cap of a percentage can add another 1. Taxes are at most 100 percent of that, and are rounded too. A combination is therefore at most twice
 * this bound cheaper than one with more discounts.
 */
const getMaxError = (lines: number, discounts: number) => 5n * BigInt(lines) * BigInt(discounts)

/** Whether a combination contains the first discount in which the two combinations differ. */
function isPreferred(combination: ReadonlyMap<number, unknown>, other: ReadonlySet<number>): boolean {
  const own = [...combination.keys()].filter((index) => !other.has(index))
  const others = [...other].filter((index) => !combination.has(index))
  return Math.min(...own, Number.POSITIVE_INFINITY) < Math.min(...others, Number.POSITIVE_INFINITY)
}
