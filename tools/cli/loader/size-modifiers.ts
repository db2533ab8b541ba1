import { limits } from '../../../src/platform/http/fields.ts'
import { isObject } from '../../../src/platform/lib/schema-guard.ts'
import type { CatalogueFile, CatalogueRow } from './catalogue-file.ts'

/** A modifier of which guests choose one size. */
interface SizeModifier {
  /** Additional cost of each option by its id. */
  costs: ReadonlyMap<string, number>
  row: CatalogueRow
}

const fold = (text: unknown) => String(text).normalize('NFKC').trim().toLowerCase()

/** An id of an option that depends only on its label, so that a second load finds the option. */
const toOptionId = (label: unknown, index: number) =>
  fold(label)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || `size-${index + 1}`

/** Whether guests can choose one option only. */
function isSingle({ type, rules }: CatalogueRow): boolean {
  const { allowedMultiple, selectRestriction }: CatalogueRow = isObject(rules) ? rules : {}
  if (allowedMultiple === true) return false
  return type === 'RADIO' || allowedMultiple === false || selectRestriction === 1
}

/** The modifier as one of sizes; undefined if it is not. */
function toSizeModifier(modifier: CatalogueRow, title: string): SizeModifier | undefined {
  const options = Array.isArray(modifier['options']) ? modifier['options'].filter(isObject) : []
  if (fold(modifier['title']) !== fold(title) || !isSingle(modifier)) return undefined
  if (options.length === 0 || options.length > limits.sizes) return undefined
  const named = options.map((option, index) => ({ ...option, id: option['id'] ?? toOptionId(option['label'], index) }))
  const costs = new Map(
    named.map(({ id, ...option }: CatalogueRow) => [String(id), Number(option['additionalCost'] ?? 0)]),
  )
  if (costs.size < named.length || ![...costs.values()].every(Number.isFinite)) return undefined
  return { costs, row: { ...modifier, type: 'RADIO', options: named } }
}

/** Adds amounts without binary noise. */
const add = (a: number, b: number) => Number((a + b).toFixed(4))

/** The details of a product with the sizes of a modifier; undefined if they cannot be said. */
function toSizedDetails({ price, details }: CatalogueRow, modifier: number, { costs }: SizeModifier) {
  const own = isObject(details) ? details : {}
  const prices = Array.from(costs, ([option, cost]) => [option, { price: add(Number(price), cost) }] as const)
  const isPossible = typeof price === 'number' && own['sizes'] === undefined && prices.every(([, at]) => at.price >= 0)
  return isPossible ? { ...own, sizes: { modifier, prices: Object.fromEntries(prices) } } : undefined
}

/** A row of a modifier whose options cost nothing: its sizes have prices. */
const withoutCosts = (row: CatalogueRow): CatalogueRow => ({
  ...row,
  options: Array.isArray(row['options'])
    ? row['options'].map(({ additionalCost: _, ...option }: CatalogueRow) => option)
    : [],
})

/**
 * Turns modifiers with a title, of which one option is chosen, into sizes: the price of a size is the product's and the option's together. An
 * option keeps its cost only if another product has the modifier as a choice. `sized` is the number of products with sizes.
 */
export function convertSizes(catalogue: CatalogueFile, title: string): { catalogue: CatalogueFile; sized: number } {
  const found = (catalogue.modifiers ?? []).map((modifier) => toSizeModifier(modifier, title))
  const sizes = new Set<number>()
  const choices = new Set<number>()
  let sized = 0
  const products = (catalogue.products ?? []).map((product) => {
    const named = (Array.isArray(product['modifiers']) ? product['modifiers'] : []).filter((index) => found[index])
    const [index, ...others] = named
    const modifier = found[index]
    const details = modifier && toSizedDetails(product, index, modifier)
    if (details) sizes.add(index)
    for (const other of details ? others : named) choices.add(other)
    if (details) sized++
    return details ? { ...product, details } : product
  })
  const modifiers = (catalogue.modifiers ?? []).map((row, index) => {
    const size = found[index]
    if (!size || !sizes.has(index)) return row
    return choices.has(index) ? size.row : withoutCosts(size.row)
  })
  return { catalogue: { ...catalogue, products, modifiers }, sized }
}
