import type { FoodContents } from '../../../catalogue/resources/details/contents.ts'
import { type Allergen, type Diet, diets } from '../../../catalogue/resources/details/food-codes.ts'
import { listAllergens, listVerdicts } from './stated-contents.ts'

type Level = 'contains' | 'may_contain'

/** Contents that choices can add to a dish, all together. */
export interface Additions {
  /** Whether every choice states its allergens. */
  areStated: boolean
  /** Allergens of any choice at their higher level. */
  allergens: ReadonlyMap<Allergen, Level>
  /** Diets that every choice suits, without traces. */
  diets: ReadonlySet<Diet>
}

/** Choices that are not known. */
export const unknownAdditions: Additions = { areStated: false, allergens: new Map(), diets: new Set() }

/** Additions of one choice. */
export const toAdditions = (contents: FoodContents): Additions => ({
  areStated: contents.allergens !== undefined,
  allergens: new Map(listAllergens(contents).map(({ code, level }) => [code, level])),
  diets: new Set(diets.filter((diet) => listVerdicts(contents, { diets: [diet], without: [] })[0] === true)),
})

/** Additions of several choices. */
export function joinAdditions(all: Iterable<Additions>): Additions {
  let areStated = true
  const allergens = new Map<Allergen, Level>()
  const suited = new Set(diets)
  for (const additions of all) {
    areStated &&= additions.areStated
    for (const [code, level] of additions.allergens) if (allergens.get(code) !== 'contains') allergens.set(code, level)
    for (const diet of suited) if (!additions.diets.has(diet)) suited.delete(diet)
  }
  return { areStated, allergens, diets: suited }
}

/** Whether additions have an allergen that a dish does not state, or are not stated. A trace that becomes an ingredient is one. */
export function mayAddAllergens({ areStated, allergens }: Additions, dish: FoodContents): boolean {
  const own = toAdditions(dish).allergens
  return (
    !areStated || Array.from(allergens).some(([code, level]) => own.get(code) !== 'contains' && own.get(code) !== level)
  )
}
