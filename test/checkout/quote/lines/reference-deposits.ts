import type { QuoteItem, QuoteRequest } from '../../../../src/checkout/quote/quote-request.ts'
import { sizeModifier, type TestVenue } from './random-basket.ts'
import { rateOf } from './reference-dish.ts'

type Returns = NonNullable<QuoteRequest['returns']>

/** An amount or a rate as an integer of 1/10,000. */
const money = (value: number) => BigInt(value.toFixed(4).replace('.', ''))
/** Half away from zero. */
const round = (over: bigint, under: bigint) => {
  const size = over < 0n ? -over : over
  const rounded = size / under + (2n * (size % under) >= under ? 1n : 0n)
  return over < 0n ? -rounded : rounded
}

/** The product and size of each bottle of a line, and how many. A choice whose group does not have the part has none. */
function bottlesOf(venue: TestVenue, item: QuoteItem) {
  const find = (id: string) => venue.products.find((each) => each.id === id)
  const line = find(item.product)
  if (!line) return []
  const sizeOf = (options: QuoteItem['options']) => options?.find(({ modifier }) => modifier === sizeModifier)?.option
  const count = line.isByWeight ? 1 : item.quantity
  const own = { product: line, size: line.sizes && sizeOf(item.options), count }
  const parts = (item.choices ?? []).flatMap((choice) => {
    const items = line.groups
      ?.find(({ id }) => id === choice.group)
      ?.items.filter((each) => each.product === choice.product)
    const product = find(choice.product)
    if (!product || !items || items.length === 0) return []
    const named = product.sizes && sizeOf(choice.options)
    const free = items.find(({ size }) => size === undefined)
    if (named === undefined) {
      const size = free ? undefined : items.length === 1 ? items[0]?.size : undefined
      return [{ product, size: product.sizes && size, count }]
    }
    const fits = items.some(({ size }) => size === named) || free
    return fits ? [{ product, size: named, count }] : []
  })
  return [own, ...parts]
}

/** Deposits, their taxes and the tip, from the contract. `base` is the total of the lines, in minor units. */
export function priceDeposits(venue: TestVenue, items: readonly QuoteItem[], returns: Returns) {
  const back = returns.flatMap(({ product: id, size, quantity }) => {
    const product = venue.products.find((each) => each.id === id)
    return product ? [{ product, size: size ?? undefined, count: -quantity }] : []
  })
  const deposits: { product: string; size: string | undefined; quantity: number; amount: bigint; rate: bigint }[] = []
  for (const bottles of [items.flatMap((item) => bottlesOf(venue, item)), back]) {
    const counted = new Map<string, (typeof bottles)[number]>()
    for (const each of bottles) {
      const name = `${each.product.id}/${each.size}`
      counted.set(name, { ...each, count: each.count + (counted.get(name)?.count ?? 0) })
    }
    for (const { product, size, count } of counted.values()) {
      const deposit = (size !== undefined && product.sizes ? product.sizeDeposits[size] : undefined) ?? product.deposit
      if (!deposit) continue
      const amount = round(money(deposit.amount) * BigInt(count), 10n ** BigInt(4 - venue.decimals))
      const rate = deposit.taxRate === undefined ? rateOf(venue, product) : money(deposit.taxRate)
      deposits.push({ product: product.id, size, quantity: count, amount, rate })
    }
  }
  const taxOn = (base: bigint, rate: bigint) => round(base * rate, 1_000_000n + (venue.isIncluded ? rate : 0n))
  const rates = [...new Set(deposits.map(({ rate }) => rate))].sort((a, b) => (a < b ? -1 : 1))
  const taxes = rates.map((rate) => {
    const amounts = deposits.filter((each) => each.rate === rate).map(({ amount }) => amount)
    const base = amounts.reduce((all, amount) => all + amount, 0n)
    const each = amounts.reduce((all, amount) => all + taxOn(amount, rate), 0n)
    return { rate, base, amount: venue.rounding === 'line' ? each : taxOn(base, rate) }
  })
  return { deposits, taxes }
}
