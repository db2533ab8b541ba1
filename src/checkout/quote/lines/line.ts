import { getRateOfType, type OrderType } from '../../../catalogue/resources/details/order-types.ts'
import { getOwn } from '../../../platform/lib/schema-guard.ts'
import { exactHundred, min, spread, sum, toExact, toMinor } from '../amounts.ts'
import type { QuoteData } from '../load-quote.ts'
import { groupLines, type PricedLine, rankLines, type TaxShare } from '../pools.ts'
import type { QuoteItem } from '../quote-request.ts'
import type { QuotedVenue } from '../service/quoted-venue.ts'
import { type Dish, type DishOption, getOrdinaryPrice, sumCosts, toDish, toUnknownOptions } from './dish.ts'
import { type Part, toPart } from './parts.ts'
import type { QuotedProduct } from './quoted-dishes.ts'

/** A line of a quote before discounts. */
export interface QuotedLine extends PricedLine {
  item: QuoteItem
  title: string | undefined
  /** Undefined if the product does not exist. */
  dish: Dish | undefined
  options: readonly DishOption[]
  parts: readonly Part[]
  /** Exact price of one unit: with its options, unless it is sold by weight or volume. At least 0. */
  unitPrice: bigint
  /** Whether the product exists. */
  isKnown: boolean
}

/** Prices of a menu, by product. */
type MenuPrices = ReadonlyMap<
  string,
  { price?: number | undefined; sizes?: Readonly<Record<string, number>> | undefined }
>

/** Properties of the order that concern all its lines. */
interface LineContext {
  /** Prices that replace those of products. */
  prices: MenuPrices
  orderType: OrderType
}

/** Decimal places of quantities. */
const quantityDecimals = 3
/** A quantity as an integer of 1/1,000. */
export const toThousandths = (quantity: number): bigint => BigInt(Math.round(quantity * 10 ** quantityDecimals))

/** Tax rate of a product for an order type, in exact percent. */
export function getTaxRate(
  { taxable, useCustomTaxRate, taxRate, details }: QuotedProduct,
  venue: QuotedVenue,
  type: OrderType,
): bigint {
  if (!taxable) return 0n
  const ofVenue = getRateOfType(venue.taxRates, type) ?? venue.taxRate
  const rate = getRateOfType(details.taxRates, type) ?? (useCustomTaxRate ? taxRate : ofVenue)
  return min(toExact(rate ?? 0), exactHundred)
}

/** Exact price of one unit without options. A menu replaces the prices of its products, and of the sizes that it lists. */
function getBasePrice(dish: Dish, menu: MenuPrices): bigint {
  const { product, size } = dish
  const ofMenu = menu.get(product.id)
  const replaced =
    size === undefined ? (product.details.sizes ? undefined : ofMenu?.price) : getOwn(ofMenu?.sizes, size)
  return replaced === undefined ? getOrdinaryPrice(dish) : toExact(replaced)
}

const atLeastZero = (amount: bigint) => (amount > 0n ? amount : 0n)

/** Exact amount that a part adds to its bundle: its surcharge and its options. Its own price is not charged. */
const getPartCost = ({ dish, surcharge }: Part) => surcharge + (dish ? sumCosts(dish.options) : 0n)

/** Weights of the tax rates of a bundle's parts: their ordinary prices with surcharges and options. Undefined if nothing weighs. */
function getTaxShares(parts: readonly Part[], venue: QuotedVenue, type: OrderType): readonly TaxShare[] | undefined {
  const weights = new Map<bigint, bigint>()
  for (const part of parts) {
    if (!part.dish) continue
    const rate = getTaxRate(part.dish.product, venue, type)
    const weight = atLeastZero(getOrdinaryPrice(part.dish) + getPartCost(part))
    weights.set(rate, (weights.get(rate) ?? 0n) + weight)
  }
  const shares = Array.from(weights, ([rate, weight]) => ({ rate, weight })).filter(({ weight }) => weight > 0n)
  return shares.length > 0 ? shares.toSorted((a, b) => (a.rate < b.rate ? -1 : 1)) : undefined
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const toOptionKeys = (options: readonly DishOption[]): string[] =>
  options
    .map((each) => JSON.stringify([each.modifier, each.option, each.quantity, toOptionKeys(each.options)]))
    .toSorted(compareTexts)

/** Size, options and choices. Lines of one product with equal variants differ only in their quantity. */
const toVariant = (options: readonly DishOption[], parts: readonly Part[]) =>
  JSON.stringify([
    toOptionKeys(options),
    parts
      .map(({ choice, dish }) =>
        JSON.stringify([choice.group, choice.product, dish?.size ?? null, toOptionKeys(dish?.options ?? [])]),
      )
      .toSorted(compareTexts),
  ])

/** A line before it is rounded. */
interface ExactLine extends Omit<QuotedLine, 'subtotal'> {
  /** Exact price of all units, in 1/1,000. */
  thousandths: bigint
}

/** An unknown product, and unknown options and choices, cost 0. */
function toExactLine(item: QuoteItem, data: QuoteData, { prices, orderType }: LineContext): ExactLine {
  const product = data.products.get(item.product)
  const { bundle, soldBy } = product?.details ?? {}
  const dish = product && toDish(product, item.options ?? [], data)
  const options = dish?.options ?? toUnknownOptions(item.options ?? [])
  const parts = (item.choices ?? []).map((choice) => toPart(choice, bundle, data))
  const base = dish ? getBasePrice(dish, prices) : 0n
  const added = parts.reduce((total, part) => total + getPartCost(part), sumCosts(options))
  const quantity = toThousandths(item.quantity)
  const unitPrice = atLeastZero(soldBy ? base : base + added)
  const taxShares = bundle?.splitTax ? getTaxShares(parts, data.venue, orderType) : undefined
  return {
    item,
    product: item.product,
    variant: toVariant(options, parts),
    isPooled: !soldBy,
    title: product?.title,
    dish,
    options,
    parts,
    unitPrice,
    // Options of a product by weight cost once: they do not grow with the weight.
    thousandths: soldBy ? atLeastZero(base * quantity + added * 1000n) : unitPrice * quantity,
    taxRate: product ? getTaxRate(product, data.venue, orderType) : 0n,
    ...(taxShares && { taxShares }),
    isKnown: product !== undefined,
  }
}

/**
 * Prices lines. The price of each pool is rounded once, and spread over its lines in proportion to
 * their quantities.
 */
export function toQuotedLines(
  items: readonly QuoteItem[],
  data: QuoteData,
  context: LineContext,
  decimals: number,
): QuotedLine[] {
  const exact = items.map((item) => toExactLine(item, data, context))
  const subtotals = exact.map(() => 0n)
  const quantities = exact.map(({ item }) => toThousandths(item.quantity))
  const ranked = exact.map((line, index) => ({ ...line, subtotal: quantities[index] ?? 0n }))
  for (const pool of groupLines(ranked, rankLines(ranked)).flat()) {
    const amount = toMinor(sum(pool.map((index) => exact[index]?.thousandths ?? 0n)), decimals - quantityDecimals)
    const weights = pool.map((index) => quantities[index] ?? 0n)
    for (const [position, share] of spread(amount, weights).entries()) subtotals[pool[position] ?? -1] = share
  }
  return exact.map(({ thousandths, ...line }, index) => ({ ...line, subtotal: subtotals[index] ?? 0n }))
}
