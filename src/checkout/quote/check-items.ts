import { getChoiceLimits } from '../../catalogue/resources/modifiers.ts'
import { exactHundred, min, toExact, toMinor } from './amounts.ts'
import type { PricedLine } from './discounts.ts'
import type { QuoteData, QuotedModifier, QuotedProduct, QuotedVenue } from './load-quote.ts'
import type { QuoteIssue } from './quote-issues.ts'
import type { QuoteItem, QuoteOption } from './quote-request.ts'

/** A chosen option. */
interface QuotedOption {
  modifier: string
  option: string
  label?: string | undefined
  quantity: number
  /** Exact amount for one unit of the product and one of the option; 0 for an unknown option. */
  additionalCost: bigint
}

/** A line of a quote before discounts. */
export interface QuotedLine extends PricedLine {
  title: string | undefined
  quantity: number
  options: readonly QuotedOption[]
  /** Exact price of one unit with its options. At least 0. */
  unitPrice: bigint
  /** Whether the product exists. */
  isKnown: boolean
}

/** Tax rate of a product in exact percent. */
function getTaxRate({ taxable, useCustomTaxRate, taxRate }: QuotedProduct, venue: QuotedVenue): bigint {
  if (!taxable) return 0n
  return min(toExact((useCustomTaxRate ? taxRate : venue.taxRate) ?? 0), exactHundred)
}

/** The modifier of a product. Undefined if the product does not offer it. */
const getOffered = ({ modifiers }: QuoteData, product: QuotedProduct | undefined, id: string) =>
  product?.modifiers.includes(id) ? modifiers.get(id) : undefined

/** Prices a line, with `prices` that replace those of products. An unknown product and unknown options cost 0. */
export function toLine(
  item: QuoteItem,
  data: QuoteData,
  prices: ReadonlyMap<string, number>,
  decimals: number,
): QuotedLine {
  const product = data.products.get(item.product)
  const options = (item.options ?? []).map(({ modifier, option, quantity }): QuotedOption => {
    const known = getOffered(data, product, modifier)?.options.find(({ id }) => id === option)
    const additionalCost = toExact(known?.additionalCost ?? 0)
    return { modifier, option, label: known?.label, quantity: quantity ?? 1, additionalCost }
  })
  const cost = options.reduce(
    (total, { additionalCost, quantity }) => total + additionalCost * BigInt(quantity),
    toExact(product ? (prices.get(product.id) ?? product.price) : 0),
  )
  const unitPrice = cost > 0n ? cost : 0n
  return {
    product: item.product,
    title: product?.title,
    quantity: item.quantity,
    options,
    unitPrice,
    subtotal: toMinor(unitPrice * BigInt(item.quantity), decimals),
    taxRate: product ? getTaxRate(product, data.venue) : 0n,
    isKnown: product !== undefined,
  }
}

/** Whether a product cannot be sold at a time, even one unit. An absent quantity in stock counts as 0. */
const isSoldOut = ({ soldOutUntil, manageStock, stockQuantity }: QuotedProduct, at: number) =>
  (soldOutUntil ?? at) > at || (manageStock && (stockQuantity ?? 0) <= 0)

/** Issues of each item. Lines of one product share its stock. */
export function* findItemIssues(items: readonly QuoteItem[], data: QuoteData, at: number): Iterable<QuoteIssue> {
  const ordered = new Map<string, number>()
  for (const { product, quantity } of items) ordered.set(product, (ordered.get(product) ?? 0) + quantity)
  for (const [index, item] of items.entries()) {
    const pointer = `/items/${index}`
    const product = data.products.get(item.product)
    if (product) yield* findProductIssues(product, ordered.get(product.id) ?? 0, at, pointer)
    else yield { pointer: `${pointer}/product`, code: 'unknown_product', message: 'The product does not exist.' }
    if (product) yield* findOptionIssues(item.options ?? [], product, data, pointer)
  }
}

/** A number with its verb: `1 is`, `2 are`. */
const withVerb = (count: number, noun = '') =>
  count === 1 ? `1${noun && ` ${noun}`} is` : `${count}${noun && ` ${noun}s`} are`

function* findProductIssues(product: QuotedProduct, ordered: number, at: number, path: string): Iterable<QuoteIssue> {
  const pointer = `${path}/product`
  if (!product.visible) yield { pointer, code: 'not_visible', message: 'The product is not visible to customers.' }
  const available = product.stockQuantity ?? 0
  if (isSoldOut(product, at)) {
    yield { pointer, code: 'sold_out', message: 'The product is sold out.' }
  } else if (product.manageStock && ordered > available) {
    const message = `${withVerb(ordered, 'unit')} ordered, and ${withVerb(available)} in stock.`
    yield { pointer: `${path}/quantity`, code: 'insufficient_stock', message, available }
  }
}

function* findOptionIssues(
  chosen: readonly QuoteOption[],
  product: QuotedProduct,
  data: QuoteData,
  path: string,
): Iterable<QuoteIssue> {
  for (const [index, { modifier: id, option, quantity }] of chosen.entries()) {
    const pointer = `${path}/options/${index}`
    const modifier = getOffered(data, product, id)
    if (!modifier) {
      const message = 'The product does not have this modifier.'
      yield { pointer: `${pointer}/modifier`, code: 'modifier_not_offered', message }
    } else if (!modifier.options.some((each) => each.id === option)) {
      yield { pointer: `${pointer}/option`, code: 'unknown_option', message: 'The modifier does not have this option.' }
    } else if ((quantity ?? 1) > 1 && !modifier.rules.enableOptionQuantity) {
      const message = 'The modifier does not allow an option more than once.'
      yield { pointer: `${pointer}/quantity`, code: 'option_quantity_not_enabled', message }
    }
  }
  for (const id of product.modifiers) {
    const modifier = data.modifiers.get(id)
    if (!modifier) continue
    const own = chosen.filter((each) => each.modifier === id)
    const count = own.reduce((total, { quantity }) => total + (quantity ?? 1), 0)
    const issue = findCountIssue(modifier, count)
    if (issue) yield { pointer: `${path}/options`, ...issue, modifier: id }
  }
}

/** The issue of a number of options. Each option counts as often as it is chosen. */
function findCountIssue({ type, rules }: QuotedModifier, count: number): Omit<QuoteIssue, 'pointer'> | undefined {
  const { min, max } = getChoiceLimits({ type, rules })
  const chosen = `${withVerb(count)} chosen`
  if (count === 0 && rules.required) {
    return { code: 'required_modifier_missing', message: 'An option of this modifier is required.' }
  }
  if (count < min) {
    return { code: 'too_few_options', message: `Exactly ${withVerb(min, 'option')} required, and ${chosen}.` }
  }
  if (count > max) {
    return { code: 'too_many_options', message: `At most ${withVerb(max, 'option')} allowed, and ${chosen}.` }
  }
  return undefined
}
