import type { Discount, PricedLine } from '../../../src/checkout/quote/discounts.ts'
import type { TaxRules } from '../../../src/checkout/quote/taxes.ts'

/** A fraction of two integers that are not negative. */
interface Fraction {
  over: bigint
  under: bigint
}

const wholeOf = ({ over, under }: Fraction) => over / under
const restOf = ({ over, under }: Fraction): Fraction => ({ over: over % under, under })
const isLess = (a: Fraction, b: Fraction) => a.over * b.under < b.over * a.under
/** Half up. */
const rounded = (value: Fraction) => wholeOf(value) + (isLess(restOf(value), { over: 1n, under: 2n }) ? 0n : 1n)

const comesFirst = (a: PricedLine, b: PricedLine) => {
  if (a.taxRate !== b.taxRate) return a.taxRate < b.taxRate
  if (a.product !== b.product) return a.product < b.product
  return a.subtotal < b.subtotal
}

/** Gives every line the whole part of its quota, and then single units to the largest rest. */
function share(amount: bigint, lines: readonly PricedLine[], weights: readonly bigint[]): bigint[] {
  let under = 0n
  for (const weight of weights) under += weight
  if (under === 0n) return weights.map(() => 0n)
  const quotas = weights.map((weight) => ({ over: amount * weight, under }))
  const shares = quotas.map(wholeOf)
  const rests = quotas.map(restOf)
  let open = amount
  for (const part of shares) open -= part
  const served = new Set<number>()
  for (; open > 0n; open--) {
    let next = -1
    for (const [index, rest] of rests.entries()) {
      if (served.has(index)) continue
      const best = rests[next]
      if (!best || isLess(best, rest)) next = index
      else if (!isLess(rest, best) && comesFirst(lines[index] ?? never(), lines[next] ?? never())) next = index
    }
    served.add(next)
    shares[next] = (shares[next] ?? 0n) + 1n
  }
  return shares
}

const never = (): never => {
  throw new Error('there is a line for each index')
}

const taxOn = (base: bigint, rate: bigint, { isIncluded }: TaxRules) =>
  rounded({ over: base * rate, under: 1_000_000n + (isIncluded ? rate : 0n) })

/** Tax of each line, and of each rate by the decimal text of the rate. */
function taxesOf(lines: readonly PricedLine[], left: readonly bigint[], rules: TaxRules) {
  const own = lines.map(() => 0n)
  const byRate = new Map<string, bigint>()
  for (const rate of new Set(lines.map(({ taxRate }) => taxRate))) {
    const indexes = [...lines.keys()].filter((index) => lines[index]?.taxRate === rate)
    const amounts = indexes.map((index) => left[index] ?? 0n)
    const base = amounts.reduce((all, amount) => all + amount, 0n)
    const members = indexes.map((index) => lines[index] ?? never())
    const taxes =
      rules.rounding === 'line'
        ? amounts.map((amount) => taxOn(amount, rate, rules))
        : share(taxOn(base, rate, rules), members, amounts)
    for (const [position, index] of indexes.entries()) own[index] = taxes[position] ?? 0n
    byRate.set(
      String(rate),
      taxes.reduce((all, tax) => all + tax, 0n),
    )
  }
  return { own, byRate }
}

/** Takes the given discounts off the lines, one after the other. */
function takeAll(lines: readonly PricedLine[], discounts: readonly Discount[]) {
  const left = lines.map(({ subtotal }) => subtotal)
  const taken = discounts.map(({ type, value, maxAmount, matches }) => {
    const weights = left.map((amount, index) => (matches[index] ? amount : 0n))
    const all = weights.reduce((total, weight) => total + weight, 0n)
    const limit = maxAmount !== undefined && maxAmount < all ? maxAmount : all
    let amounts = weights.map((weight) => rounded({ over: weight * value, under: 1_000_000n }))
    const asked = type === 'FIXED' ? value : amounts.reduce((total, amount) => total + amount, 0n)
    if (type === 'FIXED' || asked > limit) amounts = share(asked < limit ? asked : limit, lines, weights)
    for (const [index, amount] of amounts.entries()) left[index] = (left[index] ?? 0n) - amount
    return amounts
  })
  return { left, taken }
}

/** Prices an order in another way than the service does: every combination from the start, with fractions. */
export function priceAgain(lines: readonly PricedLine[], discounts: readonly Discount[], rules: TaxRules) {
  const outcomes = Array.from({ length: 2 ** discounts.length }, (_, bits) => {
    // The first discount is the highest bit, so that of two combinations the higher number has the discount given first.
    const members = discounts.filter((_, index) => (bits >> (discounts.length - 1 - index)) & 1)
    const isAllowed = members.length < 2 || !members.some(({ isIndividual }) => isIndividual)
    const ordered = [
      ...members.filter(({ type }) => type === 'PERCENTAGE'),
      ...members.filter(({ type }) => type === 'FIXED'),
    ]
    const { left, taken } = takeAll(lines, ordered)
    const { own, byRate } = taxesOf(lines, left, rules)
    const totals = left.map((amount, index) => amount + (rules.isIncluded ? 0n : (own[index] ?? 0n)))
    const total = totals.reduce((all, amount) => all + amount, 0n)
    const amountsOf = (discount: Discount) => taken[ordered.indexOf(discount)] ?? lines.map(() => 0n)
    return { bits, isAllowed, total, totals, own, byRate, taken: discounts.map(amountsOf) }
  })
  return outcomes
    .filter(({ isAllowed }) => isAllowed)
    .reduce((best, next) =>
      next.total < best.total || (next.total === best.total && next.bits > best.bits) ? next : best,
    )
}
