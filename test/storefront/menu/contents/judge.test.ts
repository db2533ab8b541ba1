import { expect, test } from 'vitest'
import { createJudge } from '../../../../src/storefront/menu/contents/judge.ts'
import type { FoodFilter } from '../../../../src/storefront/menu/contents/stated-contents.ts'
import type { PublicModifier, PublicProduct } from '../../../../src/storefront/menu/public-menu.ts'
import { createRandom, createVenue, type Venue } from './random-venue.ts'

/**
 * A second judge, which tries every order that can be made instead of counting. It shares no code with the first one.
 */
type Contents = Pick<PublicProduct, 'allergens' | 'diets' | 'additives'>
type Option = PublicModifier['options'][number]
type Test = (eaten: Contents) => boolean

const hidden = (eaten: Contents, additive: string) => eaten.additives?.some((each) => each === additive) ?? false
const contained = (eaten: Contents, code: string, levels = ['contains']) =>
  (eaten.allergens ?? []).some((each) => each.code === code && levels.includes(each.level)) ||
  (code === 'milk' && hidden(eaten, 'milk_protein')) ||
  (code === 'fish' && hidden(eaten, 'surimi'))
const any = ['contains', 'may_contain']
const tests = {
  milk: (eaten: Contents) => eaten.allergens !== undefined && !contained(eaten, 'milk', any),
  fish: (eaten: Contents) => eaten.allergens !== undefined && !contained(eaten, 'fish', any),
  vegan: (eaten: Contents) =>
    (eaten.diets?.includes('vegan') ?? false) && !contained(eaten, 'milk') && !contained(eaten, 'fish'),
  gluten_free: (eaten: Contents) => (eaten.diets?.includes('gluten_free') ?? false) && !contained(eaten, 'gluten', any),
} as const
const filters: readonly (readonly [keyof typeof tests, FoodFilter])[] = [
  ['milk', { diets: [], without: ['milk'] }],
  ['fish', { diets: [], without: ['fish'] }],
  ['vegan', { diets: ['vegan'], without: [] }],
  ['gluten_free', { diets: ['gluten_free'], without: [] }],
]

type Stated = { min?: number | undefined; max?: number | undefined }
/** The rule of the use takes precedence over the modifier's; a limit of the modifier that contradicts it is moved. */
function limitsOf(modifier: PublicModifier, rule: Stated = {}) {
  const single = modifier.type === 'RADIO'
  let range = { min: modifier.rules.required ? 1 : 0, max: single ? 1 : 9 }
  for (const { min, max } of [modifier, rule]) {
    range = { min: min ?? range.min, max: max ?? range.max }
    if (range.min > range.max)
      range = max === undefined ? { min: range.min, max: range.min } : { min: range.max, max: range.max }
  }
  const max = single ? Math.min(range.max, 1) : range.max
  return { min: Math.min(range.min, max), max }
}
/** All ways to choose so many of `count` things, each at most `most[index]` times. */
function* waysToChoose(
  most: readonly number[],
  min: number,
  max: number,
  chosen: readonly number[] = [],
): Iterable<readonly number[]> {
  const sum = chosen.reduce((total, each) => total + each, 0)
  if (sum > max) return
  if (chosen.length === most.length) {
    if (sum >= min) yield chosen
    return
  }
  for (let times = 0; times <= (most[chosen.length] ?? 0); times++)
    yield* waysToChoose(most, min, max, [...chosen, times])
}

function createTaster({ products, modifiers }: Venue, isFine: Test) {
  const most = (modifier: PublicModifier, option: Option) =>
    option.soldOut ? 0 : modifier.rules.enableOptionQuantity ? Math.min(option.max ?? 2, 2) : 1
  const some = (ways: Iterable<readonly number[]>, isWay: (way: readonly number[]) => boolean) => {
    for (const way of ways) if (isWay(way)) return true
    return false
  }
  function tasteOption(option: Option, nests: boolean): boolean {
    if (!isFine(option)) return false
    return !nests || (option.modifiers ?? []).every((id) => tasteModifier(modifiers.get(id), undefined, false))
  }
  function tasteModifier(modifier: PublicModifier | undefined, rule: object | undefined, nests = true): boolean {
    if (!modifier) return false
    const { min, max } = limitsOf(modifier, rule)
    const { options } = modifier
    const ways = waysToChoose(
      options.map((option) => most(modifier, option)),
      min,
      max,
    )
    return some(ways, (way) => options.every((option, index) => !way[index] || tasteOption(option, nests)))
  }
  /** A part with only the size that the bundle names. Undefined if it has no such size, or is a bundle. */
  function findPart({ product: id, size }: { product: string; size?: string | undefined }): PublicProduct | undefined {
    const product = products.get(id)
    if (size === undefined || product?.bundle) return product?.bundle ? undefined : product
    const sizes = (product?.sizes ?? []).filter((each) => each.option === size)
    return product && sizes[0] ? { ...product, sizes } : undefined
  }
  function tasteProduct(product: PublicProduct): boolean {
    const { bundle, sizes } = product
    // Nobody knows what the choices contain that are missing here.
    if (product.lacksChoices) return false
    const isMade = bundle?.groups.some(({ min }) => min > 0) ?? false
    const states: Contents = {
      ...product,
      allergens: product.allergens ?? [],
      diets: product.diets ?? ['vegan', 'gluten_free'],
    }
    // A bundle consists of its parts, so what it does not state itself is stated by them.
    if (!isFine(isMade ? states : product)) return false
    const own = product.modifiers.every((id) => {
      if (id !== sizes?.[0]?.modifier)
        return tasteModifier(
          modifiers.get(id),
          product.modifierRules?.find((each) => each.modifier === id),
        )
      const options = modifiers.get(id)?.options ?? []
      return sizes.some((size) => {
        const option = options.find((each) => each.id === size.option)
        return (
          !size.soldOut &&
          isFine(size) &&
          (option?.modifiers ?? []).every((each) => tasteModifier(modifiers.get(each), undefined, false))
        )
      })
    })
    return (
      own &&
      (bundle?.groups ?? []).every(({ min, max, items }) => {
        const parts = items.map(findPart)
        const isServed = (part: PublicProduct | undefined) => part !== undefined && canOrder(part)
        const ways = waysToChoose(
          parts.map((part) => (isServed(part) ? max : 0)),
          min,
          max,
        )
        return some(ways, (way) =>
          parts.every((part, index) => !way[index] || (part !== undefined && tasteProduct(part))),
        )
      })
    )
  }
  const ordered = new Map<PublicProduct, boolean>()
  /** Whether a product can be ordered, whatever it contains. Unknown modifiers do not prevent it. */
  function canOrder(product: PublicProduct): boolean {
    const isOrdered = ordered.get(product) ?? tryOrder(product)
    ordered.set(product, isOrdered)
    return isOrdered
  }
  function tryOrder(product: PublicProduct): boolean {
    const optional = { title: '', instructions: '', type: 'CHECKBOX', rules: {}, options: [] } as const
    const missing = ['a', 'b', 'c', 'n0', 'n1']
      .filter((id) => !modifiers.has(id))
      .map((id) => ({ ...optional, id, options: [] }))
    const withoutRules = (each: PublicProduct): PublicProduct => ({
      ...each,
      lacksChoices: undefined,
      modifierRules: each.modifierRules?.filter(({ modifier }) => modifiers.has(modifier)),
    })
    const known = {
      products: new Map(Array.from(products, ([id, each]) => [id, withoutRules(each)])),
      modifiers: new Map<string, PublicModifier>([...modifiers, ...missing.map((each) => [each.id, each] as const)]),
    }
    return !product.soldOut && createTaster(known, () => true).tasteProduct(withoutRules(product))
  }
  return { tasteProduct, tasteOption, canOrder }
}

test('in 10,000 random venues, a filter shows exactly the products that can be ordered so that they suit', () => {
  const random = createRandom(43)
  const counts = { shown: 0, hidden: 0, marked: 0, sets: 0 }
  for (let venueNumber = 0; venueNumber < 10_000; venueNumber++) {
    const venue = createVenue(random)
    const [name, filter] = filters[venueNumber % filters.length] ?? ['milk', { diets: [], without: [] }]
    const judge = createJudge(venue, filter)
    const { tasteProduct, tasteOption } = createTaster(venue, tests[name])
    for (const product of venue.products.values()) {
      const isShown = judge.judgeProduct(product) === true
      if (isShown !== tasteProduct(product))
        expect([venueNumber, product.id, isShown]).toEqual([venueNumber, product.id, !isShown])
      counts[isShown ? 'shown' : 'hidden']++
      if (isShown && product.bundle) counts.sets++
    }
    for (const modifier of venue.modifiers.values()) {
      for (const option of modifier.options) {
        const isMarked = judge.judgeOption(option, modifier) === true
        if (isMarked !== tasteOption(option, true))
          expect([venueNumber, option.id, isMarked]).toEqual([venueNumber, option.id, !isMarked])
        if (isMarked) counts.marked++
      }
    }
  }
  // Every kind of answer occurs often enough to mean something.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(500)
})

test('in 2,000 random venues, "sold out" and "no allergens" are said exactly where they are true', () => {
  const random = createRandom(7)
  const counts = { soldOut: 0, sure: 0 }
  for (let venueNumber = 0; venueNumber < 2_000; venueNumber++) {
    const venue = createVenue(random)
    const judge = createJudge(venue, { diets: [], without: [] })
    const { canOrder } = createTaster(venue, () => true)
    /** Options of the modifiers that an option offers; nothing is known of missing ones. */
    const listNested = ({ modifiers: nested = [] }: Option): readonly Contents[] =>
      nested.flatMap((id): readonly Contents[] => {
        const modifier = venue.modifiers.get(id)
        if (!modifier) return [{}]
        return limitsOf(modifier).max > 0 ? modifier.options : []
      })
    const withNested = (option: Option) => [option, ...listNested(option)]
    for (const product of venue.products.values()) {
      expect([venueNumber, product.id, judge.isSoldOut(product)]).toEqual([venueNumber, product.id, !canOrder(product)])
      if (judge.isSoldOut(product)) counts.soldOut++
      if (product.bundle || product.additives || product.allergens?.length !== 0 || judge.mayAddAllergens(product))
        continue
      counts.sure++
      // Whatever is chosen, the dish contains nothing and may contain nothing.
      const ids = product.modifiers.filter((id) => {
        const modifier = venue.modifiers.get(id)
        return (
          !modifier ||
          limitsOf(
            modifier,
            product.modifierRules?.find((each) => each.modifier === id),
          ).max > 0
        )
      })
      const eaten: Contents[] = ids.flatMap((id): readonly Contents[] => {
        const options = venue.modifiers.get(id)?.options
        if (id !== product.sizes?.[0]?.modifier) return options?.flatMap(withNested) ?? [{}]
        const sized = (product.sizes ?? []).map(({ option }) => options?.find((each) => each.id === option))
        return [...(product.sizes ?? []), ...sized.flatMap((option) => (option ? listNested(option) : []))]
      })
      for (const each of eaten)
        expect(
          ['milk', 'fish', 'gluten']
            .filter((code) => contained(each, code, any))
            .concat(each.allergens ? [] : ['not stated']),
        ).toEqual([])
    }
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(100)
})
