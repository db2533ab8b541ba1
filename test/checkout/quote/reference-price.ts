import type { ChargeRules } from '../../../src/checkout/quote/charges/charges.ts'
import type { Discount } from '../../../src/checkout/quote/discounts.ts'
import type { PricedLine } from '../../../src/checkout/quote/pools.ts'
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
  if (a.variant !== b.variant) return a.variant < b.variant
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

/** Names of the rate and of the pool of a line. A line that is not pooled is a pool of its own. */
const rateName = ({ taxRate }: PricedLine) => String(taxRate)
const poolName = ({ product, variant, isPooled }: PricedLine, line: number) =>
  isPooled ? JSON.stringify([product, variant]) : line

/** Hands an amount down: from all lines to their rates, from a rate to its pools, from a pool to its lines. */
function handDown(amount: bigint, lines: readonly PricedLine[], weights: readonly bigint[]): bigint[] {
  const result = lines.map(() => 0n)
  const stages = [rateName, poolName, (_: PricedLine, line: number) => line]
  const descend = (part: bigint, members: readonly number[], stage: number) => {
    const nameOf = stages[stage]
    if (!nameOf) {
      for (const line of members) result[line] = part
      return
    }
    const groups = [...Map.groupBy(members, (line) => nameOf(lines[line] ?? never(), line)).values()]
    const heads = groups.map(([line = -1]) => lines[line] ?? never())
    const sums = groups.map((group) => group.reduce((all, line) => all + (weights[line] ?? 0n), 0n))
    const parts = share(part, heads, sums)
    for (const [index, group] of groups.entries()) descend(parts[index] ?? 0n, group, stage + 1)
  }
  descend(amount, [...lines.keys()], 0)
  return result
}

const never = (): never => {
  throw new Error('there is a line for each index')
}

const taxOn = (base: bigint, rate: bigint, { isIncluded }: TaxRules) =>
  rounded({ over: base * rate, under: 1_000_000n + (isIncluded ? rate : 0n) })

/** A part of a line with one tax rate. */
interface Slice extends PricedLine {
  line: number
  left: bigint
}

/** Cuts lines with a split into one slice for each rate. Lines of one pool are cut as one, and then shared rate by rate. */
function cut(lines: readonly PricedLine[], left: readonly bigint[]): Slice[] {
  const slices: Slice[] = []
  const pools = new Map<string, number[]>()
  for (const [line, each] of lines.entries()) {
    const name = String(poolName(each, line))
    if (each.taxShares) pools.set(name, [...(pools.get(name) ?? []), line])
    else slices.push({ ...each, line, left: left[line] ?? 0n })
  }
  for (const members of pools.values()) {
    const ranked = members.toSorted((a, b) => (comesFirst(lines[a] ?? never(), lines[b] ?? never()) ? -1 : 1))
    const shares = lines[members[0] ?? -1]?.taxShares ?? []
    const open = ranked.map((line) => left[line] ?? 0n)
    const whole = total(open)
    const rates = shares.map(({ rate }) => ({ ...(lines[0] ?? never()), taxRate: rate }))
    const perRate = share(
      whole,
      rates,
      shares.map(({ weight }) => weight),
    )
    for (const [index, { taxRate }] of rates.entries()) {
      const taken = share(
        perRate[index] ?? 0n,
        ranked.map((line) => lines[line] ?? never()),
        open,
      )
      for (const [position, line] of ranked.entries()) {
        const amount = taken[position] ?? 0n
        open[position] = (open[position] ?? 0n) - amount
        slices.push({ ...(lines[line] ?? never()), taxRate, line, left: amount })
      }
    }
  }
  return slices.toSorted((a, b) => a.line - b.line)
}

const total = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n)

/** Cuts charges into one slice for each rate. Those without a rate of their own are shared in proportion to the slices of the lines. */
function cutCharges({ charges, taxRate }: ChargeRules, slices: readonly Slice[]) {
  const all = total(slices.map(({ left }) => left))
  const rates = [...new Set(slices.map((slice) => slice.taxRate))].sort((a, b) => (a < b ? -1 : 1))
  const amounts = charges.map(({ type, value }) =>
    type === 'FIXED' ? value : rounded({ over: all * value, under: 1_000_000n }),
  )
  const cuts = amounts.flatMap((amount, charge) => {
    const fixed = charges[charge]?.taxRate
    if (fixed !== undefined) return [{ charge, rate: fixed, amount }]
    if (all === 0n) return [{ charge, rate: taxRate, amount }]
    const heads = rates.map((rate) => ({ ...(slices[0] ?? never()), taxRate: rate }))
    const weights = rates.map((rate) => total(slices.flatMap((slice) => (slice.taxRate === rate ? slice.left : []))))
    return share(amount, heads, weights).map((part, index) => ({ charge, rate: rates[index] ?? 0n, amount: part }))
  })
  return { amounts, cuts: cuts.filter(({ amount }) => amount > 0n) }
}

/** Tax of each line and each charge, in all and by rate, and of each rate by the decimal text of the rate. */
function taxesOf(lines: readonly PricedLine[], left: readonly bigint[], rules: TaxRules, charged: ChargeRules) {
  const own = lines.map(() => 0n)
  const byLine = lines.map((): { rate: bigint; base: bigint; amount: bigint }[] => [])
  const byRate = new Map<string, bigint>()
  const slices = cut(lines, left)
  const { amounts: charges, cuts } = cutCharges(charged, slices)
  const ofCharges = charges.map(() => 0n)
  const all = [...slices.map(({ taxRate }) => taxRate), ...cuts.map(({ rate }) => rate)]
  for (const rate of [...new Set(all)].sort((a, b) => (a < b ? -1 : 1))) {
    const members = slices.filter(({ taxRate }) => taxRate === rate)
    const added = cuts.filter((each) => each.rate === rate)
    const amounts = members.map((member) => member.left)
    const [ofLines, extra] = [total(amounts), added.map(({ amount }) => amount)]
    // One head for the lines and one for each charge, in this order: of equal rests, the first is served first.
    const heads = [ofLines, ...extra].map((_, index) => ({
      ...(lines[0] ?? never()),
      taxRate: BigInt(index),
    }))
    const [forLines = 0n, ...forCharges] =
      rules.rounding === 'line'
        ? [0n, ...extra.map((amount) => taxOn(amount, rate, rules))]
        : share(taxOn(ofLines + total(extra), rate, rules), heads, [ofLines, ...extra])
    const taxes =
      rules.rounding === 'line'
        ? amounts.map((amount) => taxOn(amount, rate, rules))
        : share(forLines, members, amounts)
    for (const [position, member] of members.entries()) {
      const tax = taxes[position] ?? 0n
      own[member.line] = (own[member.line] ?? 0n) + tax
      byLine[member.line]?.push({ rate, base: member.left, amount: tax })
    }
    for (const [position, { charge }] of added.entries()) {
      ofCharges[charge] = (ofCharges[charge] ?? 0n) + (forCharges[position] ?? 0n)
    }
    byRate.set(String(rate), total([...taxes, ...forCharges]))
  }
  return { own, byRate, byLine, charges, ofCharges }
}

/** Subtracts the given discounts from the lines, one after the other. */
function takeAll(lines: readonly PricedLine[], discounts: readonly Discount[]) {
  const left = lines.map(({ subtotal }) => subtotal)
  const taken = discounts.map(({ type, value, maxAmount, matches }) => {
    const weights = left.map((amount, index) => (matches[index] ? amount : 0n))
    const all = weights.reduce((total, weight) => total + weight, 0n)
    const limit = maxAmount !== undefined && maxAmount < all ? maxAmount : all
    const asked = type === 'FIXED' ? value : rounded({ over: all * value, under: 1_000_000n })
    const amounts = handDown(asked < limit ? asked : limit, lines, weights)
    for (const [index, amount] of amounts.entries()) left[index] = (left[index] ?? 0n) - amount
    return amounts
  })
  return { left, taken }
}

/** Prices an order in another way than the service does: every combination from the start, with fractions. */
export function priceAgain(
  lines: readonly PricedLine[],
  discounts: readonly Discount[],
  rules: TaxRules,
  charged: ChargeRules = { charges: [], taxRate: 0n },
) {
  const outcomes = Array.from({ length: 2 ** discounts.length }, (_, bits) => {
    // The first discount is the highest bit, so that of two combinations the higher number has the discount given first.
    const members = discounts.filter((_, index) => (bits >> (discounts.length - 1 - index)) & 1)
    const isAllowed = members.length < 2 || !members.some(({ isIndividual }) => isIndividual)
    const ordered = [
      ...members.filter(({ type }) => type === 'PERCENTAGE'),
      ...members.filter(({ type }) => type === 'FIXED'),
    ]
    const { left, taken } = takeAll(lines, ordered)
    const { own, byRate, byLine, charges, ofCharges } = taxesOf(lines, left, rules, charged)
    const totals = left.map((amount, index) => amount + (rules.isIncluded ? 0n : (own[index] ?? 0n)))
    const withCharges = total([...totals, ...charges, ...(rules.isIncluded ? [] : ofCharges)])
    const amountsOf = (discount: Discount) => taken[ordered.indexOf(discount)] ?? lines.map(() => 0n)
    const taxed = { own, byRate, byLine, charges, ofCharges }
    return { bits, isAllowed, total: withCharges, totals, ...taxed, taken: discounts.map(amountsOf) }
  })
  return outcomes
    .filter(({ isAllowed }) => isAllowed)
    .reduce((best, next) =>
      next.total < best.total || (next.total === best.total && next.bits > best.bits) ? next : best,
    )
}
