import { toExact } from '../amounts.ts'
import type { QuoteData } from '../load-quote.ts'
import type { QuoteChoice } from '../quote-request.ts'
import { type Dish, type DishOption, toDish, toUnknownOptions } from './dish.ts'
import type { QuotedProduct } from './quoted-dishes.ts'

export type Bundle = NonNullable<QuotedProduct['details']['bundle']>

/** A chosen part of a bundle. */
export interface Part {
  choice: QuoteChoice
  /** Whether the bundle has the group. */
  isGroupKnown: boolean
  /** Whether the group offers the part. */
  isOffered: boolean
  /** The part as it is ordered. Undefined if the group does not offer it, or it cannot be read. */
  dish: Dish | undefined
  options: readonly DishOption[]
  /** Exact amount added to the price of the bundle. */
  surcharge: bigint
}

/** The item of a group that a choice means. Several items of one product differ by their size, which the options of the choice name. */
function findItem(items: Bundle['groups'][number]['items'], { options }: QuoteChoice, modifier: string | undefined) {
  const size = (options ?? []).find((each) => each.modifier === modifier)?.option
  if (size === undefined)
    return items.find((item) => item.size === undefined) ?? (items.length === 1 ? items[0] : undefined)
  return items.find((item) => item.size === size) ?? items.find((item) => item.size === undefined)
}

/** A choice of an order, with what it costs. A choice that the bundle does not offer costs 0. */
export function toPart(choice: QuoteChoice, bundle: Bundle | undefined, data: QuoteData): Part {
  const group = bundle?.groups.find(({ id }) => id === choice.group)
  const items = (group?.items ?? []).filter((item) => item.product === choice.product)
  const product = data.products.get(choice.product)
  const sizes = product?.details.sizes
  const item = findItem(items, choice, sizes?.modifier)
  const namesSize = (choice.options ?? []).some(({ modifier }) => modifier === sizes?.modifier)
  // Without a size, the choice means one of several items: the part lacks its size.
  const isOffered = item !== undefined || (items.length > 0 && !namesSize)
  const dish = isOffered && product ? toDish(product, choice.options ?? [], data, item?.size) : undefined
  return {
    choice,
    isGroupKnown: group !== undefined,
    isOffered,
    dish,
    options: dish?.options ?? toUnknownOptions(choice.options ?? []),
    surcharge: toExact(item?.surcharge ?? 0),
  }
}
