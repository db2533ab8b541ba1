import type { ProductDetails } from '../../../packages/client/src/client.ts'
import { formatNumber, parseAmount } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import {
  type Additive,
  type Allergen,
  additiveCodes,
  allergenCodes,
  type Diet,
  dietCodes,
  type StatedAllergen,
} from './codes.ts'

/** Contents of a product or of an option, with numbers as typed. */
export interface ContentsForm {
  areAllergensStated: boolean
  allergens: readonly StatedAllergen[]
  diets: readonly Diet[]
  additives: readonly Additive[]
  alcoholByVolume: string
  ageLimit: string
}
type Contents = Pick<ProductDetails, 'allergens' | 'diets' | 'additives' | 'alcoholByVolume' | 'ageLimit'>

export const toContentsForm = (contents: Contents = {}): ContentsForm => ({
  areAllergensStated: contents.allergens !== undefined,
  allergens: contents.allergens ?? [],
  diets: contents.diets ?? [],
  additives: contents.additives ?? [],
  alcoholByVolume: formatNumber(contents.alcoholByVolume),
  ageLimit: formatNumber(contents.ageLimit),
})

/** Errors of the typed numbers, by the names of the fields after `prefix`. */
export function findContentsErrors(form: ContentsForm, prefix = ''): [string, string][] {
  const { notANumber } = t().issue
  return (['alcoholByVolume', 'ageLimit'] as const).flatMap((name): [string, string][] =>
    form[name].trim() !== '' && parseAmount(form[name]) === undefined ? [[prefix + name, notANumber]] : [],
  )
}

/** The body of contents without errors. Fields that are not stated are `null`. */
export const toContents = (form: ContentsForm) => ({
  allergens: form.areAllergensStated
    ? allergenCodes.flatMap((code) => form.allergens.filter((entry) => entry.code === code))
    : null,
  diets: form.diets.length === 0 ? null : dietCodes.filter((code) => form.diets.includes(code)),
  additives: form.additives.length === 0 ? null : additiveCodes.filter((code) => form.additives.includes(code)),
  alcoholByVolume: parseAmount(form.alcoholByVolume) ?? null,
  ageLimit: parseAmount(form.ageLimit) ?? null,
})

/** The allergens after a tap on one: contained, then traces, then none. A tap states the allergens. */
export function tapAllergen({ allergens }: ContentsForm, code: Allergen): Partial<ContentsForm> {
  const entry = allergens.find((each) => each.code === code)
  const others = allergens.filter((each) => each.code !== code)
  if (entry?.level === 'may_contain') return { allergens: others, areAllergensStated: true }
  const next: StatedAllergen = { ...entry, code, level: entry ? 'may_contain' : 'contains' }
  return { allergens: [...others, next], areAllergensStated: true }
}

/** Allergens in words: `Gluten (wheat, rye): Contains`. Undefined: not stated. */
export function describeAllergens(allergens: readonly StatedAllergen[] | null | undefined): string | undefined {
  const { allergenNames, nameOfAllergen, levels } = t().details
  const stated = allergens?.map(({ code, level, names = [] }) => {
    const which = names.length === 0 ? '' : ` (${names.map((name) => nameOfAllergen[name]).join(', ')})`
    return `${allergenNames[code]}${which}: ${levels[level]}`
  })
  // The product states that it contains no allergens, which differs from not stated.
  return stated?.length === 0 ? levels.no : stated?.join(', ')
}
