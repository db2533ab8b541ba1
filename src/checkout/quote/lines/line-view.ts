import { Decimal, exactDecimals } from '../amounts.ts'
import { type DishOption, listAgeLimits } from './dish.ts'
import type { QuotedLine } from './line.ts'
import { countUnits, listDishes } from './line-issues.ts'
import type { Part } from './parts.ts'

const toExactAmount = (amount: bigint) => new Decimal(amount, exactDecimals)
/** Exact percent as a number of the response. */
export const toPercent = toExactAmount

interface OptionView {
  modifier: string
  option: string
  label: string | undefined
  quantity: number
  additionalCost: Decimal
  options: OptionView[] | undefined
}

const toOptionView = ({ modifier, option, label, quantity, cost, options }: DishOption): OptionView => ({
  modifier,
  option,
  label,
  quantity,
  additionalCost: toExactAmount(cost),
  options: options.length > 0 ? options.map(toOptionView) : undefined,
})

const toChoiceView = ({ choice: { group, product }, dish, options, surcharge }: Part) => ({
  group,
  product,
  title: dish?.product.title,
  size: dish?.size,
  surcharge: toExactAmount(surcharge),
  options: options.map(toOptionView),
})

/** A line in the response, before its amounts. Members of features that it does not use are absent. */
export const toItemView = ({ product, title, item, dish, options, parts, unitPrice }: QuotedLine) => ({
  product,
  title,
  quantity: item.quantity,
  size: dish?.size,
  options: options.map(toOptionView),
  choices: item.choices ? parts.map(toChoiceView) : undefined,
  unitPrice: toExactAmount(unitPrice),
})

/** The highest minimum age of all products and options of an order. */
export function findAgeLimit(lines: readonly QuotedLine[]): number | undefined {
  const limits = lines.flatMap(listDishes).flatMap((dish) => [...listAgeLimits(dish)])
  return limits.length > 0 ? Math.max(...limits) : undefined
}

/**
 * Changes of the stock of each product with `manageStock`. Undefined if every line takes whole units of its own product only, so
 * that the caller knows without it.
 */
export function createStockChanges(lines: readonly QuotedLine[]) {
  const isPlain = lines.every(
    ({ dish }) => !dish?.product.details.bundle && !dish?.product.details.soldBy && !dish?.size,
  )
  if (isPlain) return undefined
  const managed = new Set(lines.flatMap(listDishes).flatMap(({ product }) => (product.manageStock ? [product.id] : [])))
  return Array.from(countUnits(lines)).flatMap(([product, units]) =>
    managed.has(product) ? [{ product, delta: new Decimal(-units, 3) }] : [],
  )
}
