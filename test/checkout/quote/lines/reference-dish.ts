import type { PricedLine } from '../../../../src/checkout/quote/pools.ts'
import type { QuoteItem } from '../../../../src/checkout/quote/quote-request.ts'
import { sizeModifier, type TestProduct, type TestVenue } from './random-basket.ts'

type Options = NonNullable<QuoteItem['options']>

/** The digits of a decimal number, as an integer of its last place. */
function digits(value: number, places: number): bigint {
  const [whole = '', fraction = ''] = Math.abs(value).toFixed(places).split('.')
  return (value < 0 ? -1n : 1n) * BigInt(whole + fraction)
}
const money = (value: number) => digits(value, 4)
const notBelowZero = (value: bigint) => (value < 0n ? 0n : value)
/** Half up. The remainder decides. */
const round = (value: bigint, unit: bigint) => value / unit + (2n * (value % unit) >= unit ? 1n : 0n)

/** Charge of one modifier for its chosen options; each has its cost, and the cost of the options below it. */
function charge(isHighest: boolean, chosen: readonly { cost: bigint; count: bigint; below: bigint }[]): bigint {
  const below = chosen.reduce((all, each) => all + each.count * each.below, 0n)
  if (!isHighest) return below + chosen.reduce((all, each) => all + each.count * each.cost, 0n)
  const [first, ...rest] = chosen
  return first ? below + rest.reduce((most, { cost }) => (cost > most ? cost : most), first.cost) : below
}

/** Charges for the options that are chosen of these modifiers. */
function chargeAll(venue: TestVenue, offered: readonly string[], chosen: Options, size: string | undefined): bigint {
  return venue.modifiers
    .filter(({ id }) => offered.includes(id) && id !== sizeModifier)
    .reduce((total, modifier) => {
      const own = chosen.flatMap((each) => {
        const option = each.modifier === modifier.id && modifier.options.find(({ id }) => id === each.option)
        if (!option) return []
        const ofSize = size === undefined ? undefined : option.sized[size]
        const below = chargeAll(venue, option.modifiers, [...(each.options ?? [])], size)
        return [{ cost: money(ofSize ?? option.cost ?? 0), count: BigInt(each.quantity ?? 1), below }]
      })
      return total + charge(modifier.isHighest, own)
    }, 0n)
}

/** The first rate of those in the order of the contract. */
export function rateOf({ orderType, rate, typeRates }: TestVenue, product: TestProduct) {
  if (!product.isTaxable) return 0n
  const fitting = ({ takeaway, delivery }: TestVenue['typeRates']) =>
    ({ dine_in: [], takeaway: [takeaway], delivery: [delivery, takeaway] })[orderType]
  const rates = [...fitting(product.typeRates), product.rate, ...fitting(typeRates), rate]
  return money(rates.find((each) => each !== undefined) ?? 0)
}
const chosenSize = (product: TestProduct, options: Options) =>
  product.sizes && options.find(({ modifier }) => modifier === sizeModifier)?.option
const ordinaryPrice = (product: TestProduct, size: string | undefined) =>
  money((size !== undefined && product.sizes?.[size]) || (size !== undefined && product.sizes ? 0 : product.price))

const canonical = (options: Options): string[] =>
  options
    .map(({ modifier, option, quantity, options: below }) =>
      JSON.stringify([modifier, option, quantity ?? 1, canonical([...(below ?? [])])]),
    )
    .toSorted((a, b) => (a < b ? -1 : 1))

/** A chosen part: what it adds to the bundle, and its weight in the split of taxes. Undefined if the bundle does not offer it. */
function toPart(venue: TestVenue, bundle: TestProduct, choice: NonNullable<QuoteItem['choices']>[number]) {
  const group = bundle.groups?.find(({ id }) => id === choice.group)
  const product = venue.products.find(({ id }) => id === choice.product)
  const items = group?.items.filter((item) => item.product === choice.product) ?? []
  if (!product || items.length === 0) return undefined
  const options: Options = [...(choice.options ?? [])]
  const named = chosenSize(product, options)
  const fits = items.filter((item) => item.size === named)
  const free = items.filter((item) => item.size === undefined)
  const [item] = named === undefined ? (free.length > 0 ? free : items.length === 1 ? items : []) : [...fits, ...free]
  if (named !== undefined && !item) return undefined
  const size = item?.size ?? named
  const adds = money(item?.surcharge ?? 0) + chargeAll(venue, product.modifiers, options, size)
  return {
    adds,
    size,
    rate: rateOf(venue, product),
    weight: notBelowZero(ordinaryPrice(product, size) + adds),
    options,
  }
}

/** A line before it is rounded: its exact price in 1/1,000, and the number of units. */
type UnroundedLine = Omit<PricedLine, 'subtotal'> & { unitPrice: bigint; exact: bigint; count: bigint }

/** A line priced from the contract, with exact integers. */
function priceLine(venue: TestVenue, item: QuoteItem, isOnMenu: boolean): UnroundedLine {
  const product = venue.products.find(({ id }) => id === item.product)
  const count = digits(item.quantity, 3)
  const options: Options = [...(item.options ?? [])]
  const choices = item.choices ?? []
  const parts = product ? choices.map((choice) => toPart(venue, product, choice)) : []
  const chosen = choices.map(({ group, product: id, options: own }, index) =>
    JSON.stringify([group, id, parts[index]?.size ?? null, canonical([...(own ?? [])])]),
  )
  const variant = JSON.stringify([canonical(options), chosen.toSorted((a, b) => (a < b ? -1 : 1))])
  const line = { product: item.product, variant, count }
  if (!product) return { ...line, isPooled: true, taxRate: 0n, unitPrice: 0n, exact: 0n }
  const size = chosenSize(product, options)
  const entry = isOnMenu ? venue.menu.find((each) => each.product === product.id) : undefined
  const onMenu = product.sizes ? (size === undefined ? undefined : entry?.sizes?.[size]) : entry?.price
  const base = onMenu === undefined ? ordinaryPrice(product, size) : money(onMenu)
  const extra = parts.reduce(
    (all, part) => all + (part?.adds ?? 0n),
    chargeAll(venue, product.modifiers, options, size),
  )
  const unitPrice = notBelowZero(product.isByWeight ? base : base + extra)
  const weights = new Map<bigint, bigint>()
  for (const part of parts)
    if (part && part.weight > 0n) weights.set(part.rate, (weights.get(part.rate) ?? 0n) + part.weight)
  const taxShares = Array.from(weights, ([rate, weight]) => ({ rate, weight })).toSorted((a, b) =>
    a.rate < b.rate ? -1 : 1,
  )
  return {
    ...line,
    isPooled: !product.isByWeight,
    taxRate: rateOf(venue, product),
    unitPrice,
    exact: product.isByWeight ? notBelowZero(base * count + extra * 1_000n) : unitPrice * count,
    ...(product.isSplit && taxShares.length > 0 && { taxShares }),
  }
}

/** Lines of a basket. Equal lines are rounded together; each has its whole part, and single units go to the largest rests. */
export function priceLines(venue: TestVenue, items: readonly QuoteItem[], isOnMenu: boolean) {
  const lines = items.map((item) => ({ ...priceLine(venue, item, isOnMenu), subtotal: 0n }))
  const name = (line: (typeof lines)[number]) =>
    line.isPooled ? JSON.stringify([line.product, line.variant]) : lines.indexOf(line)
  for (const pool of Map.groupBy(lines, name).values()) {
    const unit = 10n ** BigInt(7 - venue.decimals)
    const whole = round(
      pool.reduce((all, { exact }) => all + exact, 0n),
      unit,
    )
    const units = pool.reduce((all, { count }) => all + count, 0n)
    for (const line of pool) line.subtotal = (whole * line.count) / units
    const open = whole - pool.reduce((all, { subtotal }) => all + subtotal, 0n)
    const rest = ({ count }: UnroundedLine) => (whole * count) % units
    const ranked = pool.toSorted((a, b) => Number(rest(b) - rest(a)) || Number(a.count - b.count))
    for (const line of ranked.slice(0, Number(open))) line.subtotal += 1n
  }
  return lines
}
