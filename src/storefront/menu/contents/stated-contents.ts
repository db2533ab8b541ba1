import type { FoodContents } from '../../../catalogue/resources/details/contents.ts'
import { contradictsDiet } from '../../../catalogue/resources/details/contradictions.ts'
import { type Allergen, allergensOfAdditives, type Diet } from '../../../catalogue/resources/details/food-codes.ts'

/** Products that a guest wants to see: suited to all diets, and stated to be free of all allergens, traces included. */
export interface FoodFilter {
  diets: readonly Diet[]
  without: readonly Allergen[]
}

/** Whether something suits a guest. Missing statements never count as suitable. */
export type Suitability = boolean | 'not_stated'

/** The verdict on things that are eaten together: the worst of them. */
export function joinVerdicts(verdicts: Iterable<Suitability>): Suitability {
  let joined: Suitability = true
  for (const verdict of verdicts) {
    if (verdict === false) return false
    if (verdict === 'not_stated') joined = verdict
  }
  return joined
}

export type AllergenStatement = NonNullable<FoodContents['allergens']>[number]

/** Stated allergens, and those of additives, which are contained whether they are stated or not. */
export function listAllergens({ allergens = [], additives = [] }: FoodContents): AllergenStatement[] {
  const contained = additives.flatMap((additive) => allergensOfAdditives[additive] ?? [])
  const added = new Set(
    contained.filter((code) => !allergens.some((each) => each.code === code && each.level === 'contains')),
  )
  return [
    ...allergens.filter(({ code }) => !added.has(code)),
    ...Array.from(added, (code) => ({ code, level: 'contains' as const })),
  ]
}

/** Contents with the allergens of additives, and without diets that these contradict. Guests see only these. */
export function toShownContents<Contents extends FoodContents>(contents: Contents): Contents {
  const all = { ...contents, allergens: listAllergens(contents) }
  return {
    ...contents,
    ...(contents.allergens && { allergens: all.allergens }),
    ...(contents.diets && { diets: contents.diets.filter((diet) => !contradictsDiet(all, diet)) }),
  }
}

/** Whether contents are suited to a diet. A dish that can contain traces of gluten does not suit guests who filter by `gluten_free`. */
function suitsDiet(contents: FoodContents, diet: Diet): Suitability {
  const all = { ...contents, allergens: listAllergens(contents) }
  const hasTraces = all.allergens.some(({ code, level }) => code === 'gluten' && level === 'may_contain')
  if (contradictsDiet(all, diet) || (diet === 'gluten_free' && hasTraces)) return false
  return contents.diets?.includes(diet) ?? 'not_stated'
}

/** Whether contents are stated to be free of an allergen, traces included. */
function isFreeOf(contents: FoodContents, allergen: Allergen): Suitability {
  if (listAllergens(contents).some(({ code }) => code === allergen)) return false
  return contents.allergens ? true : 'not_stated'
}

/** The verdicts on contents: one for each diet and allergen of a filter. */
export const listVerdicts = (contents: FoodContents, { diets, without }: FoodFilter): Suitability[] => [
  ...diets.map((diet) => suitsDiet(contents, diet)),
  ...without.map((allergen) => isFreeOf(contents, allergen)),
]
