import { limits } from '../../../platform/http/fields.ts'
import type { QuoteData } from '../load-quote.ts'
import type { QuoteIssue } from '../quote-issues.ts'
import type { Dish } from './dish.ts'
import { type QuotedLine, toThousandths } from './line.ts'
import { findOptionIssues, lacksChoices, withVerb } from './option-issues.ts'
import type { Bundle, Part } from './parts.ts'
import type { QuotedProduct } from './quoted-dishes.ts'

/** Dishes of a line: its product and the parts of a bundle. */
export const listDishes = ({ dish, parts }: QuotedLine): Dish[] => [
  ...(dish ? [dish] : []),
  ...parts.flatMap((part) => part.dish ?? []),
]

/** Units of each product that lines and parts of bundles take, in 1/1,000. */
export function countUnits(lines: readonly QuotedLine[]): ReadonlyMap<string, bigint> {
  const units = new Map<string, bigint>()
  for (const line of lines) {
    const quantity = toThousandths(line.item.quantity)
    for (const { product } of listDishes(line)) units.set(product.id, (units.get(product.id) ?? 0n) + quantity)
  }
  return units
}

/** Data that the issues of all lines depend on. */
interface IssueContext {
  data: QuoteData
  /** Units of each product, in 1/1,000. */
  ordered: ReadonlyMap<string, bigint>
  at: number
}

/** Issues of each line. Lines and parts of one product share its stock. */
export function* findLineIssues(lines: readonly QuotedLine[], data: QuoteData, at: number): Iterable<QuoteIssue> {
  const context = { data, ordered: countUnits(lines), at }
  for (const [index, { item, dish, parts }] of lines.entries()) {
    const path = `/items/${index}`
    if (!dish) {
      yield unknownProduct(`${path}/product`)
      continue
    }
    const { bundle, soldBy } = dish.product.details
    yield* findProductIssues(dish.product, context, `${path}/product`, `${path}/quantity`)
    if (soldBy) yield* findQuantityIssues(item.quantity, soldBy.step, `${path}/quantity`)
    yield* findOptionIssues(dish, data, path)
    if (bundle) yield* findGroupIssues(bundle, parts, `${path}/choices`)
    for (const [at, part] of parts.entries()) yield* findPartIssues(part, context, `${path}/choices/${at}`)
  }
}

const unknownProduct = (pointer: string): QuoteIssue => ({
  pointer,
  code: 'unknown_product',
  message: 'The product does not exist.',
})

/** Whether a product cannot be sold at a time, even one unit. An absent quantity in stock counts as 0. */
const isSoldOut = (product: QuotedProduct, { data, at }: IssueContext) =>
  (product.soldOutUntil ?? at) > at ||
  (product.manageStock && (product.stockQuantity ?? 0) <= 0) ||
  lacksChoices(product, data) ||
  (product.details.bundle?.groups.some(({ items, min }) => items.length < min) ?? false)

function* findProductIssues(
  product: QuotedProduct,
  context: IssueContext,
  pointer: string,
  shortPointer: string,
): Iterable<QuoteIssue> {
  if (!product.visible) yield { pointer, code: 'not_visible', message: 'The product is not visible to customers.' }
  const available = product.stockQuantity ?? 0
  const ordered = Number(context.ordered.get(product.id) ?? 0n) / 1000
  if (isSoldOut(product, context)) {
    yield { pointer, code: 'sold_out', message: 'The product is sold out.' }
  } else if (product.manageStock && ordered > available) {
    const message = `${withVerb(ordered, 'unit')} ordered, and ${withVerb(available)} in stock.`
    yield { pointer: shortPointer, code: 'insufficient_stock', message, available }
  }
}

/** The issue of a quantity of a product by weight or volume. */
function* findQuantityIssues(quantity: number, step = 0.001, pointer: string): Iterable<QuoteIssue> {
  const [units, part] = [toThousandths(quantity), toThousandths(step)]
  if (units % part === 0n) return
  const max = Number((toThousandths(limits.soldUnits) / part) * part) / 1000
  const message = `The quantity must be a multiple of ${step}, from ${step} to ${max}.`
  yield { pointer, code: 'quantity_not_allowed', message, min: step, max, step }
}

/** Issues of the numbers of choices. */
function* findGroupIssues({ groups }: Bundle, parts: readonly Part[], pointer: string): Iterable<QuoteIssue> {
  for (const { id, min, max } of groups) {
    const count = parts.filter(({ choice, isOffered }) => isOffered && choice.group === id).length
    const made = `${withVerb(count)} made.`
    if (count < min) {
      const message = `${min === max ? 'Exactly' : 'At least'} ${withVerb(min, 'choice')} required, and ${made}`
      yield { pointer, code: 'bundle_choice_missing', message, group: id }
    } else if (count > max) {
      const message = `At most ${withVerb(max, 'choice')} allowed, and ${made}`
      yield { pointer, code: 'too_many_choices', message, group: id }
    }
  }
}

function* findPartIssues(part: Part, context: IssueContext, path: string): Iterable<QuoteIssue> {
  const { isGroupKnown, isOffered, dish } = part
  if (!isGroupKnown) {
    yield { pointer: `${path}/group`, code: 'unknown_choice', message: 'The product does not have this group.' }
  } else if (!isOffered) {
    yield { pointer: `${path}/product`, code: 'unknown_choice', message: 'The group does not have this part.' }
  } else if (!dish) {
    yield unknownProduct(`${path}/product`)
  } else {
    yield* findProductIssues(dish.product, context, `${path}/product`, `${path}/product`)
    yield* findOptionIssues(dish, context.data, path)
  }
}
