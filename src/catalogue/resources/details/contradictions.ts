import type { Issue } from '../../../platform/errors.ts'
import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { isSameJson } from '../../resource/merge-patch.ts'
import type { FoodContents } from './contents.ts'
import { type Allergen, allergensOfAdditives, type Diet } from './food-codes.ts'

const seafood = ['fish', 'crustaceans', 'molluscs'] as const

/** Allergens that dishes for a diet do not contain. Traces do not contradict a diet. Lactose-free milk counts as milk. */
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

/** Contained allergens and alcohol that contradict a diet. Oats and deglutenised wheat are declared by name and can be free of gluten. */
function listContradictions({ allergens = [], alcoholByVolume = 0 }: FoodContents, diet: Diet): string[] {
  const contained = allergens.filter(({ level }) => level === 'contains')
  return [
    ...contained
      .filter(({ code, names }) => excludedAllergens[diet].includes(code) && !(diet === 'gluten_free' && names?.length))
      .map(({ code }) => code),
    ...(diet === 'halal' && alcoholByVolume > maxHalalAlcohol ? ['alcohol'] : []),
  ]
}

/** Whether contained allergens or alcohol contradict a diet. */
export const contradictsDiet = (details: FoodContents, diet: Diet) => listContradictions(details, diet).length > 0

/** Issues of additives whose allergen is not stated as contained. Nothing contradicts where no allergens are stated. */
const listAdditiveIssues = ({ additives = [], allergens }: FoodContents, path: readonly string[]): Issue[] =>
  additives.flatMap((additive, index) => {
    const allergen = allergensOfAdditives[additive]
    const isStated = allergens?.some(({ code, level }) => code === allergen && level === 'contains') ?? true
    return allergen === undefined || isStated
      ? []
      : [
          {
            pointer: toJsonPointer([...path, 'additives', String(index)]),
            code: 'contradicts' as const,
            message: `requires ${allergen} among the contained allergens`,
          },
        ]
  })

/**
 * Issues of contradicted diets and additives, unless the change leaves all fields that decide about them as they were. `path` leads to the
 * contents in the details.
 */
export function findContradictions(details: FoodContents, before: FoodContents, path: readonly string[] = []): Issue[] {
  const isUnchanged = (['allergens', 'diets', 'additives', 'alcoholByVolume'] as const).every((field) =>
    isSameJson(details[field], before[field]),
  )
  if (isUnchanged) return []
  const ofDiets = (details.diets ?? []).flatMap((diet, index) => {
    const found = listContradictions(details, diet)
    const pointer = toJsonPointer([...path, 'diets', String(index)])
    return found.length === 0
      ? []
      : [{ pointer, code: 'contradicts' as const, message: `is not possible with ${found.join(', ')}` }]
  })
  return [...ofDiets, ...listAdditiveIssues(details, path)]
}
