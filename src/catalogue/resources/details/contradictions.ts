import type { Issue } from '../../../platform/errors.ts'
import { isSameJson } from '../../resource/merge-patch.ts'
import type { Allergen, Diet } from './food-codes.ts'

/** Fields of details that decide whether a diet is contradicted. */
export interface FoodContents {
  allergens?: readonly { code: Allergen; level: 'contains' | 'may_contain' }[] | undefined
  diets?: readonly Diet[] | undefined
  alcoholByVolume?: number | undefined
}

const seafood = ['fish', 'crustaceans', 'molluscs'] as const

/** Allergens that products for a diet do not contain. Traces do not contradict a diet. Lactose-free milk counts as milk. */
const excludedAllergens: Readonly<Record<Diet, readonly Allergen[]>> = {
  vegan: ['eggs', 'milk', ...seafood],
  vegetarian: seafood,
  halal: [],
  kosher: ['crustaceans', 'molluscs'],
  gluten_free: ['gluten'],
  lactose_free: [],
}

/** Maximum alcohol by volume of halal products, in percent. */
const maxHalalAlcohol = 0.5

/** Reasons that contradict a diet: contained allergens, and alcohol. Empty: no contradiction. */
function listContradictions({ allergens = [], alcoholByVolume = 0 }: FoodContents, diet: Diet): string[] {
  const contained = allergens.flatMap(({ code, level }) => (level === 'contains' ? [code] : []))
  return [
    ...contained.filter((code) => excludedAllergens[diet].includes(code)),
    ...(diet === 'halal' && alcoholByVolume > maxHalalAlcohol ? ['alcohol'] : []),
  ]
}

/** The diets that the details do not contradict. Guests see only these. */
export const withoutContradictedDiets = <Details extends FoodContents>(details: Details): Details =>
  details.diets?.some((diet) => listContradictions(details, diet).length > 0)
    ? { ...details, diets: details.diets.filter((diet) => listContradictions(details, diet).length === 0) }
    : details

/** Issues of contradicted diets, unless the change keeps all fields that can contradict a diet. */
export function findContradictions(details: FoodContents, before: FoodContents): Issue[] {
  const isUnchanged = (['allergens', 'diets', 'alcoholByVolume'] as const).every((field) =>
    isSameJson(details[field], before[field]),
  )
  if (isUnchanged) return []
  return (details.diets ?? []).flatMap((diet, index) => {
    const found = listContradictions(details, diet)
    return found.length === 0
      ? []
      : [
          {
            pointer: `/diets/${index}`,
            code: 'contradicts' as const,
            message: `is not possible with ${found.join(', ')}`,
          },
        ]
  })
}
