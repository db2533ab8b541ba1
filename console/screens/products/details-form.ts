import type { ProductDetails } from '../../../packages/client/src/client.ts'
import { formatNumber, parseAmount } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { type Translation, toTranslationForms, toTranslations } from '../../objects/translation-form.ts'

/** The allergens of Regulation (EU) 1169/2011, Annex II. */
export const allergenCodes = [
  'gluten',
  'crustaceans',
  'eggs',
  'fish',
  'peanuts',
  'soybeans',
  'milk',
  'nuts',
  'celery',
  'mustard',
  'sesame',
  'sulphites',
  'lupin',
  'molluscs',
] as const
export type Allergen = (typeof allergenCodes)[number]
export const levels = ['no', 'contains', 'may_contain'] as const
export type Level = (typeof levels)[number]
export const dietCodes = ['vegan', 'vegetarian', 'halal', 'kosher', 'gluten_free', 'lactose_free'] as const
export type Diet = (typeof dietCodes)[number]
export const bases = ['none', '100g', '100ml', 'portion'] as const
export type Basis = (typeof bases)[number]
export const nutrientNames = ['energyKcal', 'fat', 'saturates', 'carbohydrate', 'sugars', 'protein', 'salt'] as const
export type Nutrient = (typeof nutrientNames)[number]

export interface DetailsForm {
  areAllergensStated: boolean
  allergens: Readonly<Partial<Record<Allergen, Level>>>
  /** The allergens as stored: their entries have more than the form shows. */
  statedAllergens: ProductDetails['allergens']
  diets: readonly Diet[]
  alcoholByVolume: string
  ageLimit: string
  basis: Basis
  nutrients: Readonly<Partial<Record<Nutrient, string>>>
  translations: readonly Translation[]
}

export const toDetailsForm = (details?: ProductDetails): DetailsForm => ({
  areAllergensStated: details?.allergens !== undefined,
  allergens: Object.fromEntries((details?.allergens ?? []).map(({ code, level }) => [code, level])),
  statedAllergens: details?.allergens,
  diets: details?.diets ?? [],
  alcoholByVolume: formatNumber(details?.alcoholByVolume),
  ageLimit: formatNumber(details?.ageLimit),
  basis: details?.nutrition?.basis ?? 'none',
  nutrients: Object.fromEntries(nutrientNames.map((name) => [name, formatNumber(details?.nutrition?.[name])])),
  translations: toTranslationForms(details?.translations),
})

const isFilled = (text: string | undefined) => text !== undefined && text.trim() !== ''

export function findDetailsErrors(form: DetailsForm): ReadonlyMap<string, string> {
  const { notANumber } = t().issue
  const errors = new Map<string, string>()
  const check = (name: string, text = '') => {
    if (isFilled(text) && parseAmount(text) === undefined) errors.set(name, notANumber)
  }
  check('alcoholByVolume', form.alcoholByVolume)
  check('ageLimit', form.ageLimit)
  if (form.basis !== 'none') for (const name of nutrientNames) check(`nutrition/${name}`, form.nutrients[name])
  return errors
}

/** The body of a form without errors. Details are merged, so fields that are absent from the form are `null`. */
export const toDetails = (form: DetailsForm) => ({
  allergens: form.areAllergensStated
    ? allergenCodes.flatMap((code) => {
        const level = form.allergens[code]
        const stored = form.statedAllergens?.find((entry) => entry.code === code)
        return level === undefined || level === 'no' ? [] : [{ ...stored, code, level }]
      })
    : null,
  diets: form.diets.length === 0 ? null : dietCodes.filter((code) => form.diets.includes(code)),
  alcoholByVolume: parseAmount(form.alcoholByVolume) ?? null,
  ageLimit: parseAmount(form.ageLimit) ?? null,
  nutrition:
    form.basis === 'none'
      ? null
      : {
          basis: form.basis,
          ...Object.fromEntries(nutrientNames.map((name) => [name, parseAmount(form.nutrients[name] ?? '') ?? null])),
        },
  translations: toTranslations(form.translations, ({ title, description }) => ({ title, description })),
})

/** Allergens, diets and nutrition in readable form. Undefined: the text of the value. */
export function showDetail(
  field: string,
  { allergens, diets, nutrition }: Partial<ReturnType<typeof toDetails>> | ProductDetails,
): string | undefined {
  const { allergenNames, levels: levelNames, dietNames, bases: basisNames, nutrients } = t().details
  if (field === 'diets') return diets?.map((code) => dietNames[code]).join(', ')
  if (field === 'allergens') {
    const stated = allergens?.map(({ code, level }) => `${allergenNames[code]}: ${levelNames[level]}`)
    // The product states that it contains no allergens, which differs from not stated.
    return stated?.length === 0 ? levelNames.no : stated?.join(', ')
  }
  if (field !== 'nutrition' || !nutrition) return undefined
  const values = new Map<string, unknown>(Object.entries(nutrition))
  const stated = nutrientNames.flatMap((name) => {
    const value = values.get(name)
    return typeof value === 'number' ? [`${nutrients[name]} ${formatNumber(value)}`] : []
  })
  return `${basisNames[nutrition.basis ?? 'none']}: ${stated.join(', ')}`
}

/** Labels of the fields, for the comparison of two versions. */
export function getDetailName(field: string): string {
  const { allergens, diets, alcoholByVolume, ageLimit, nutrition, translations } = t().details
  const names = { allergens, diets, alcoholByVolume, ageLimit, nutrition, translations }
  return new Map(Object.entries(names)).get(field) ?? field
}
