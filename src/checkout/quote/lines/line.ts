import { getOwn } from '../../../platform/lib/schema-guard.ts'
import { exactHundred, min, toExact, toMinor } from '../amounts.ts'
import type { PricedLine, TaxShare } from '../discounts.ts'
import type { QuoteData, QuotedVenue } from '../load-quote.ts'
import type { QuoteItem } from '../quote-request.ts'
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

/** Decimal places of quantities. */
const quantityDecimals = 3
/** A quantity as an integer of 1/1,000. */
export const toThousandths = (quantity: number): bigint => BigInt(Math.round(quantity * 10 ** quantityDecimals))

/** Tax rate of a product in exact percent. */
function getTaxRate({ taxable, useCustomTaxRate, taxRate }: QuotedProduct, venue: QuotedVenue): bigint {
  if (!taxable) return 0n
  return min(toExact((useCustomTaxRate ? taxRate : venue.taxRate) ?? 0), exactHundred)
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
function getTaxShares(parts: readonly Part[], venue: QuotedVenue): readonly TaxShare[] | undefined {
  const weights = new Map<bigint, bigint>()
  for (const part of parts) {
    if (!part.dish) continue
    const rate = getTaxRate(part.dish.product, venue)
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

/** Lines with equal keys differ only in their quantity. */
const toPoolKey = (product: string, options: readonly DishOption[], parts: readonly Part[]) =>
  JSON.stringify([
    product,
    toOptionKeys(options),
    parts
      .map(({ choice, dish }) =>
        JSON.stringify([choice.group, choice.product, dish?.size ?? null, toOptionKeys(dish?.options ?? [])]),
      )
      .toSorted(compareTexts),
  ])

/** Prices a line; `menu` has prices that replace those of products. An unknown product, and unknown options and choices, cost 0. */
export function toLine(item: QuoteItem, data: QuoteData, menu: MenuPrices, decimals: number): QuotedLine {
  const product = data.products.get(item.product)
  const { bundle, soldBy } = product?.details ?? {}
  const dish = product && toDish(product, item.options ?? [], data)
  const options = dish?.options ?? toUnknownOptions(item.options ?? [])
  const parts = (item.choices ?? []).map((choice) => toPart(choice, bundle, data))
  const base = dish ? getBasePrice(dish, menu) : 0n
  const added = parts.reduce((total, part) => total + getPartCost(part), sumCosts(options))
  const quantity = toThousandths(item.quantity)
  const unitPrice = atLeastZero(soldBy ? base : base + added)
  // Options of a product by weight cost once: they do not grow with the weight.
  const thousandths = soldBy ? atLeastZero(base * quantity + added * 1000n) : unitPrice * quantity
  const taxShares = bundle?.splitTax ? getTaxShares(parts, data.venue) : undefined
  return {
    item,
    product: item.product,
    title: product?.title,
    dish,
    options,
    parts,
    unitPrice,
    subtotal: toMinor(thousandths, decimals - quantityDecimals),
    taxRate: product ? getTaxRate(product, data.venue) : 0n,
    ...(taxShares && { taxSplit: { pool: toPoolKey(item.product, options, parts), shares: taxShares } }),
    isKnown: product !== undefined,
  }
}
