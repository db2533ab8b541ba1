import { type ChoiceRule, getChoiceRule } from '../../../catalogue/resources/details/choice-rules.ts'
import { getOwn } from '../../../platform/lib/schema-guard.ts'
import type { QuoteData } from '../load-quote.ts'
import type { QuoteIssue } from '../quote-issues.ts'
import { type Dish, type DishOption, listNested } from './dish.ts'
import type { QuotedModifier, QuotedProduct } from './quoted-dishes.ts'

/** A number with its verb: `1 is`, `2 are`. */
export const withVerb = (count: number, noun = '') =>
  count === 1 ? `1${noun && ` ${noun}`} is` : `${count}${noun && ` ${noun}s`} are`

const getRule = (modifier: QuotedModifier, product?: QuotedProduct): ChoiceRule =>
  getChoiceRule(modifier, modifier.details, product?.details.modifierRules.get(modifier.id))

/** Number of times that options of a modifier can be chosen now, up to a limit for each option. */
function countAvailable(
  { id, optionCount, rules, details: { limits } }: QuotedModifier,
  { soldOutOptions }: QuoteData,
) {
  const soldOut = soldOutOptions.get(id) ?? new Set<string>()
  const available = optionCount - soldOut.size
  if (!rules.enableOptionQuantity) return available
  const limited = Object.entries(limits).filter(([option]) => !soldOut.has(option))
  if (limited.length < available) return Number.POSITIVE_INFINITY
  return limited.reduce((total, [, max]) => total + max, 0)
}

/** Whether too few options are left of a modifier that must be chosen. */
function lacksOptions(modifier: QuotedModifier, rule: ChoiceRule, data: QuoteData): boolean {
  // The rules of the modifier itself are checked when it is written.
  const isJudged = rule.isMinStated || (data.soldOutOptions.get(modifier.id)?.size ?? 0) > 0
  return isJudged && countAvailable(modifier, data) < rule.min
}

/** Whether a product cannot be sold because no size is left, or too few options of a modifier that must be chosen. */
export function lacksChoices(product: QuotedProduct, data: QuoteData): boolean {
  const { sizes } = product.details
  return product.modifiers.some((id) => {
    const modifier = data.modifiers.get(id)
    if (!modifier) return false
    if (id !== sizes?.modifier) return lacksOptions(modifier, getRule(modifier, product), data)
    const soldOut = data.soldOutOptions.get(id)
    return Object.keys(sizes.prices).every((option) => soldOut?.has(option))
  })
}

/** The issue of a number of options. Each option counts as often as it is chosen. */
function findCountIssue({ min, max, isRequired }: ChoiceRule, count: number): Omit<QuoteIssue, 'pointer'> | undefined {
  const chosen = `${withVerb(count)} chosen`
  if (count === 0 && isRequired) {
    return { code: 'required_modifier_missing', message: 'An option of this modifier is required.' }
  }
  if (count < min) {
    const bound = min === max ? 'Exactly' : 'At least'
    return { code: 'too_few_options', message: `${bound} ${withVerb(min, 'option')} required, and ${chosen}.` }
  }
  if (count > max) {
    return { code: 'too_many_options', message: `At most ${withVerb(max, 'option')} allowed, and ${chosen}.` }
  }
  return undefined
}

/** The issue of one option of a modifier that is offered. */
function findOptionIssue(
  option: DishOption,
  modifier: QuotedModifier,
  data: QuoteData,
  pointer: string,
): QuoteIssue | undefined {
  const { quantity } = option
  if (!option.isKnown) {
    return { pointer: `${pointer}/option`, code: 'unknown_option', message: 'The modifier does not have this option.' }
  }
  const isSoldOut = data.soldOutOptions.get(modifier.id)?.has(option.option) ?? false
  const lacksNested = () =>
    listNested(data, modifier, option.option).some((nested) => lacksOptions(nested, getRule(nested), data))
  if (isSoldOut || lacksNested()) {
    return { pointer: `${pointer}/option`, code: 'option_sold_out', message: 'The option is sold out.' }
  }
  if (quantity > 1 && !modifier.rules.enableOptionQuantity) {
    const message = 'The modifier does not allow an option more than once.'
    return { pointer: `${pointer}/quantity`, code: 'option_quantity_not_enabled', message }
  }
  const max = getOwn(modifier.details.limits, option.option) ?? quantity
  if (quantity <= max) return undefined
  const message = `The option is allowed at most ${max === 1 ? 'once' : `${max} times`}, and it is chosen ${quantity} times.`
  return { pointer: `${pointer}/quantity`, code: 'too_many_options', message, modifier: modifier.id }
}

function* findEach(options: readonly DishOption[], data: QuoteData, path: string, what: string): Iterable<QuoteIssue> {
  for (const [index, option] of options.entries()) {
    const pointer = `${path}/options/${index}`
    const { offered } = option
    if (!offered) {
      const message = `The ${what} does not have this modifier.`
      yield { pointer: `${pointer}/modifier`, code: 'modifier_not_offered', message }
      // Options below an option that is not known have no modifier either.
      continue
    }
    const issue = findOptionIssue(option, offered, data, pointer)
    if (issue) yield issue
    if (option.isKnown) yield* findNestedIssues(option, offered, data, pointer)
    else if (option.options.length > 0) yield* findEach(option.options, data, pointer, 'option')
  }
}

function* findNestedIssues(option: DishOption, owner: QuotedModifier, data: QuoteData, path: string) {
  const nested = listNested(data, owner, option.option)
  yield* findEach(option.options, data, path, 'option')
  for (const modifier of nested) yield* findCount(option.options, modifier, getRule(modifier), path)
}

const exactlyOne: ChoiceRule = { min: 1, max: 1, isRequired: true, isMinStated: true }

function* findCount(
  options: readonly DishOption[],
  modifier: QuotedModifier,
  rule: ChoiceRule,
  path: string,
  already = 0,
): Iterable<QuoteIssue> {
  const own = options.filter((each) => each.modifier === modifier.id)
  const count = own.reduce((total, { quantity }) => total + quantity, 0)
  const issue = findCountIssue(rule, count === 0 ? already : count)
  if (issue) yield { pointer: `${path}/options`, ...issue, modifier: modifier.id }
}

/** Issues of the options of a dish. `path` is the JSON pointer of its line or choice. */
export function* findOptionIssues(
  { product, size, options }: Dish,
  data: QuoteData,
  path: string,
): Iterable<QuoteIssue> {
  yield* findEach(options, data, path, 'product')
  for (const id of product.modifiers) {
    const modifier = data.modifiers.get(id)
    if (!modifier) continue
    const isSize = id === product.details.sizes?.modifier
    // A bundle can decide the size of its part.
    if (isSize) yield* findCount(options, modifier, exactlyOne, path, size === undefined ? 0 : 1)
    else yield* findCount(options, modifier, getRule(modifier, product), path)
  }
}
