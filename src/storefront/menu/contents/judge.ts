import { getChoiceRule } from '../../../catalogue/resources/details/choice-rules.ts'
import type { Diet } from '../../../catalogue/resources/details/food-codes.ts'
import type { PublicModifier, PublicProduct, PublicSize } from '../public-menu.ts'
import { type Additions, joinAdditions, mayAddAllergens, toAdditions, unknownAdditions } from './additions.ts'
import { type FoodFilter, joinVerdicts, listVerdicts, type Suitability } from './stated-contents.ts'

type Option = PublicModifier['options'][number]
type Part = NonNullable<PublicProduct['bundle']>['groups'][number]['items'][number]

/** Everything that guests can order, by id. Missing ones count as not stated. */
interface Orderable {
  products: ReadonlyMap<string, PublicProduct>
  modifiers: ReadonlyMap<string, PublicModifier>
}

/** Something that can be chosen. */
interface Choice {
  verdict: Suitability
  isAvailable: boolean
  /** Number of times that it can be chosen. */
  times: number
  additions: Additions
}

/** Things that guests choose from. */
interface Choices {
  /** Number of choices that can be made of what is available, of what suits, and of what suits or is not stated. */
  available: number
  suiting: number
  unsure: number
  /** Some of them are not known here. */
  areMissing: boolean
  additions: Additions
}

/** Choices of which guests make between `min` and `max`. */
interface Use {
  min: number
  max: number
  choices: Choices
}

function sumUp(all: readonly Choice[]): Choices {
  const count = (isCounted: (choice: Choice) => boolean) =>
    all.reduce((sum, choice) => sum + (choice.isAvailable && isCounted(choice) ? choice.times : 0), 0)
  return {
    available: count(() => true),
    suiting: count(({ verdict }) => verdict === true),
    unsure: count(({ verdict }) => verdict !== false),
    areMissing: false,
    additions: joinAdditions(all.map(({ additions }) => additions)),
  }
}

/** Choices that are not known here: something must be chosen, and nobody states what it contains. */
const missing: Use = {
  ...{ min: 1, max: 1 },
  choices: { available: 0, suiting: 0, unsure: 0, areMissing: true, additions: unknownAdditions },
}

/** Whether as many choices as must be made can be made of `count`. */
const isEnough = ({ min, max }: Use, count: number) => min <= max && count >= min
const isAvailable = (use: Use) => use.choices.areMissing || isEnough(use, use.choices.available)

/** Whether what must be chosen can be chosen so that it suits. An optional choice never decides. */
function judgeUse(use: Use): Suitability {
  const { suiting, unsure, areMissing } = use.choices
  if (isEnough(use, suiting)) return true
  return areMissing || isEnough(use, unsure) ? 'not_stated' : false
}

/** The modifier whose options are the sizes of a product. */
export const getSizeModifier = ({ sizes }: PublicProduct) => sizes?.[0]?.modifier

/** The result of a function of an object by its key. */
function remember<Value>() {
  const known = new Map<string, Value>()
  return (key: string, make: () => Value): Value => {
    const value = known.get(key) ?? make()
    known.set(key, value)
    return value
  }
}

/** Judges products as they can be ordered, with options, sizes and parts, by a filter. */
export function createJudge({ products, modifiers }: Orderable, filter: FoodFilter) {
  const [ofModifiers, ofNested, ofParts] = [remember<Choices>(), remember<Choices>(), remember<Choice>()]

  function toChoice(contents: Option | PublicSize, nested: readonly Use[], times: number): Choice {
    return {
      verdict: joinVerdicts([...listVerdicts(contents, filter), ...nested.map(judgeUse)]),
      isAvailable: !contents.soldOut && nested.every(isAvailable),
      times,
      additions: joinAdditions([
        toAdditions(contents),
        ...nested.filter(({ max }) => max > 0).map(({ choices }) => choices.additions),
      ]),
    }
  }
  const toOptionChoice = (option: Option, { rules }: PublicModifier, nested: readonly Use[]) =>
    toChoice(option, nested, rules.enableOptionQuantity ? (option.max ?? Number.POSITIVE_INFINITY) : 1)

  /** Modifiers of an option. Modifiers of their options are ignored: nesting has one level. */
  const listNested = ({ modifiers: ids = [] }: Option): Use[] =>
    ids.map((id) => {
      const modifier = modifiers.get(id)
      if (!modifier) return missing
      const toNested = () => sumUp(modifier.options.map((option) => toOptionChoice(option, modifier, [])))
      return { ...getChoiceRule(modifier, modifier), choices: ofNested(id, toNested) }
    })
  const judgeOption = (option: Option, modifier: PublicModifier) => toOptionChoice(option, modifier, listNested(option))

  function judgeSize(size: PublicSize): Choice {
    const option = modifiers.get(size.modifier)?.options.find(({ id }) => id === size.option)
    return toChoice(size, option ? listNested(option) : [], 1)
  }

  /** The choices of a product: its sizes, the options of its other modifiers, and the parts of its groups. */
  function listUses(product: PublicProduct): Use[] {
    const { sizes = [], modifierRules, bundle, lacksChoices } = product
    const uses = product.modifiers.map((id): Use => {
      if (id === getSizeModifier(product)) return { min: 1, max: 1, choices: sumUp(sizes.map(judgeSize)) }
      const modifier = modifiers.get(id)
      if (!modifier) return missing
      const toChoices = () => sumUp(modifier.options.map((option) => judgeOption(option, modifier)))
      const rule = modifierRules?.find((each) => each.modifier === id)
      return { ...getChoiceRule(modifier, modifier, rule), choices: ofModifiers(id, toChoices) }
    })
    const groups = (bundle?.groups ?? []).map(({ min, max, items }) => ({
      ...{ min, max },
      choices: sumUp(items.map(judgePart)),
    }))
    return [...uses, ...groups, ...(lacksChoices ? [missing] : [])]
  }

  /** The product that a part is, in its size. A bundle is no part. */
  function findPart({ product: id, size }: Part): PublicProduct | undefined {
    const product = products.get(id)
    if (!product || product.bundle) return undefined
    if (size === undefined) return product
    const sizes = product.sizes?.filter(({ option }) => option === size) ?? []
    return sizes.length > 0 ? { ...product, sizes } : undefined
  }
  const judgePart = (part: Part): Choice =>
    ofParts(JSON.stringify([part.product, part.size]), () => {
      const product = findPart(part)
      return {
        verdict: product ? judgeProduct(product) : 'not_stated',
        isAvailable: product !== undefined && !isSoldOut(product),
        // The same part may be chosen again.
        times: Number.POSITIVE_INFINITY,
        additions: product ? joinAdditions([toAdditions(product), listAdditions(product)]) : unknownAdditions,
      }
    })

  /** Whether a product suits the filter in an order that can be made. */
  function judgeProduct(product: PublicProduct): Suitability {
    // The parts of a bundle state what it contains. A statement of its own holds too.
    const isStatedByParts = product.bundle?.groups.some(({ min }) => min > 0) ?? false
    const own = listVerdicts(product, filter).filter((verdict) => !(isStatedByParts && verdict === 'not_stated'))
    return joinVerdicts([...own, ...listUses(product).map(judgeUse)])
  }

  /** Whether a product is sold out, or too little is left of what must be chosen. */
  const isSoldOut = (product: PublicProduct): boolean => product.soldOut || !listUses(product).every(isAvailable)

  const listAdditions = (product: PublicProduct): Additions =>
    joinAdditions(
      listUses(product)
        .filter(({ max }) => max > 0)
        .map(({ choices }) => choices.additions),
    )

  return {
    judgeProduct,
    judgeOption: (option: Option, modifier: PublicModifier) => judgeOption(option, modifier).verdict,
    judgeSize: (size: PublicSize) => judgeSize(size).verdict,
    judgePart,
    isSoldOut,
    /** Whether a choice adds an allergen to those that the product states, or is not stated. */
    mayAddAllergens: (product: PublicProduct) => mayAddAllergens(listAdditions(product), product),
    /** Diets that the product suits whatever is chosen, without traces. */
    listSureDiets(product: PublicProduct): Diet[] {
      const { diets } = joinAdditions([toAdditions(product), listAdditions(product)])
      return (product.diets ?? []).filter((diet) => diets.has(diet))
    },
  }
}
