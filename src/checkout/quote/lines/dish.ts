import { getOwn } from '../../../platform/lib/schema-guard.ts'
import { sum, toExact } from '../amounts.ts'
import type { QuoteData } from '../load-quote.ts'
import type { QuoteNestedOption, QuoteOption } from '../quote-request.ts'
import type { QuotedModifier, QuotedProduct } from './quoted-dishes.ts'

/** A chosen option. */
export interface DishOption {
  modifier: string
  option: string
  label: string | undefined
  quantity: number
  /** Exact amount for one unit of the dish and one of the option; 0 for an unknown option and for a size. */
  cost: bigint
  /** How often the amount counts: the quantity, or once. */
  times: bigint
  /** Minimum age of customers. */
  ageLimit: number | undefined
  /** The modifier, if the dish offers it. */
  offered: QuotedModifier | undefined
  /** Whether the dish can have the option. */
  isKnown: boolean
  /** Options of modifiers that the option offers. */
  options: readonly DishOption[]
}

/** A product as it is ordered: a line, or a part of a bundle. */
export interface Dish {
  product: QuotedProduct
  /** Id of the option that is its size. Undefined without sizes, and if none was chosen. */
  size: string | undefined
  options: readonly DishOption[]
}

type Offers = (modifier: string) => QuotedModifier | undefined

/** The modifiers that an option offers. Only one level: modifiers whose options offer modifiers are left out. */
export const listNested = ({ modifiers }: QuoteData, owner: QuotedModifier, option: string): QuotedModifier[] =>
  (getOwn(owner.details.options, option)?.modifiers ?? []).flatMap((id) => {
    const modifier = id === owner.id ? undefined : modifiers.get(id)
    return modifier && !modifier.nests ? [modifier] : []
  })

/** The modifier of a product. Undefined if the product does not offer it. */
const getOffered = ({ modifiers }: QuoteData, product: QuotedProduct | undefined, id: string) =>
  product?.modifiers.includes(id) ? modifiers.get(id) : undefined

/** Of the options of a modifier that charges the most expensive one only, all others cost nothing. */
function chargeHighest(options: readonly DishOption[]): DishOption[] {
  const highest = new Map<QuotedModifier, DishOption>()
  for (const each of options) {
    const { offered } = each
    if (!offered?.details.isHighest || !each.isKnown) continue
    const before = highest.get(offered)
    if (!before || each.cost > before.cost) highest.set(offered, each)
  }
  return options.map((each) => {
    const found = each.offered && highest.get(each.offered)
    if (!found) return each
    return found === each ? { ...each, times: 1n } : { ...each, cost: 0n }
  })
}

/** Prices of sizes by option: of a size, an option has no cost of its own. */
interface SizeContext {
  modifier: string | undefined
  prices: Readonly<Record<string, unknown>>
  size: string | undefined
}

function toOption(
  { modifier, option, quantity }: QuoteNestedOption,
  offers: Offers,
  sizes: SizeContext,
  options: readonly DishOption[],
): DishOption {
  const offered = offers(modifier)
  const found = offered?.options.find(({ id }) => id === option)
  const details = found && getOwn(offered?.details.options, option)
  const isSize = modifier === sizes.modifier
  const isKnown = found !== undefined && (!isSize || Object.hasOwn(sizes.prices, option))
  const sized = sizes.size === undefined ? undefined : getOwn(getOwn(offered?.details.sizedCosts, option), sizes.size)
  const cost = isKnown && !isSize ? toExact(sized ?? found.additionalCost ?? 0) : 0n
  return {
    modifier,
    option,
    label: found?.label,
    quantity: quantity ?? 1,
    cost,
    times: BigInt(quantity ?? 1),
    ageLimit: details?.ageLimit ?? undefined,
    offered,
    isKnown,
    options,
  }
}

/** A product with the options that an order names for it. `size` is that of a part whose size the bundle decides. */
export function toDish(
  product: QuotedProduct,
  chosen: readonly QuoteOption[],
  data: QuoteData,
  fixedSize?: string,
): Dish {
  const { sizes } = product.details
  const prices = sizes?.prices ?? {}
  const ordered = chosen.find(({ modifier, option }) => modifier === sizes?.modifier && Object.hasOwn(prices, option))
  const size = sizes && (fixedSize ?? ordered?.option)
  const context = { modifier: sizes?.modifier, prices, size }
  const ofProduct: Offers = (id) => getOffered(data, product, id)
  const options = chosen.map((each) => {
    const owner = ofProduct(each.modifier)
    const isKnown = owner?.options.some(({ id }) => id === each.option)
    const nested = owner && isKnown ? listNested(data, owner, each.option) : []
    const offers: Offers = (id) => nested.find((modifier) => modifier.id === id)
    const withinSize = { modifier: undefined, prices: {}, size }
    const below = (each.options ?? []).map((inner) => toOption(inner, offers, withinSize, []))
    return toOption(each, ofProduct, context, chargeHighest(below))
  })
  return { product, size, options: chargeHighest(options) }
}

type NamedOption = QuoteNestedOption & { options?: readonly QuoteNestedOption[] | null | undefined }

/** Options of a product that does not exist. */
export const toUnknownOptions = (options: readonly NamedOption[]): DishOption[] =>
  options.map(({ options: nested, ...each }) => {
    const offers: Offers = () => undefined
    return toOption(each, offers, { modifier: undefined, prices: {}, size: undefined }, toUnknownOptions(nested ?? []))
  })

/** Exact cost of options for one unit of the dish. Options that an option offers count as often as the option. */
export const sumCosts = (options: readonly DishOption[]): bigint =>
  sum(options.map(({ cost, times, quantity, options: nested }) => cost * times + BigInt(quantity) * sumCosts(nested)))

/** Exact price of one unit of a dish without options: of its size, or its own. */
export const getOrdinaryPrice = ({ product, size }: Dish): bigint =>
  toExact((size === undefined ? undefined : getOwn(product.details.sizes?.prices, size)?.price) ?? product.price)

/** Minimum ages of a dish and its options. */
export function* listAgeLimits({ product, options }: Dish): Iterable<number> {
  if (product.details.ageLimit !== undefined) yield product.details.ageLimit
  for (const option of options.flatMap((each) => [each, ...each.options])) {
    if (option.isKnown && option.ageLimit !== undefined) yield option.ageLimit
  }
}
