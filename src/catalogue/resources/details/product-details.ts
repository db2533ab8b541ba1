import * as z from 'zod/mini'
import type { Issue } from '../../../platform/errors.ts'
import * as field from '../../../platform/http/fields.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { Draft } from '../../resource/definition.ts'
import { type FoodContents, findContradictions } from './contradictions.ts'
import { allergenCodes, diets } from './food-codes.ts'
import { createTranslations } from './translations.ts'

const allergenLevels = ['contains', 'may_contain'] as const

const nutritionBases = ['100g', '100ml', 'portion'] as const

const allergen = z.strictObject({
  code: z.enum(allergenCodes).check(z.describe('Allergen of Regulation (EU) 1169/2011, Annex II.')),
  level: z
    .enum(allergenLevels)
    .check(z.describe('`contains`: an ingredient. `may_contain`: traces cannot be excluded.')),
})

const mass = (name: string) => z.nullish(field.nutrient).check(z.describe(`${name}, in grams.`))

const fields = z.strictObject({
  allergens: z
    .nullish(
      field.uniqueList(allergen, allergenCodes.length, (entry) =>
        isObject(entry) && typeof entry['code'] === 'string' ? entry['code'] : undefined,
      ),
    )
    .check(z.describe('Allergens of the product. Absent: not stated. Empty: stated that there are none.')),
  diets: z
    .nullish(field.set(z.enum(diets), diets.length))
    .check(
      z.describe(
        'Diets that the product suits. Absent: not stated. A contained allergen contradicts some diets (`contradicts`): milk, eggs, fish, crustaceans and molluscs `vegan`; the last three `vegetarian`; crustaceans and molluscs `kosher`; gluten `gluten_free`. Alcohol over 0.5 % contradicts `halal`.',
      ),
    ),
  alcoholByVolume: z.nullish(field.alcohol).check(z.describe('Alcohol by volume, in percent.')),
  ageLimit: z.nullish(field.age).check(z.describe('Minimum age of customers, in years.')),
  nutrition: z
    .nullish(
      z.strictObject({
        basis: z
          .nullish(z.enum(nutritionBases))
          .check(z.describe('Amount of the product that the values refer to. Required if a value is set.')),
        energyKcal: z.nullish(field.nutrient).check(z.describe('Energy, in kilocalories.')),
        fat: mass('Fat'),
        saturates: mass('Saturated fatty acids'),
        carbohydrate: mass('Carbohydrate'),
        sugars: mass('Sugars'),
        protein: mass('Protein'),
        salt: mass('Salt'),
      }),
    )
    .check(z.describe('Nutrition declaration.')),
  translations: createTranslations(
    z.strictObject({
      title: z.nullish(field.title).check(z.describe('Translated title.')),
      description: z.nullish(field.text).check(z.describe('Translated description.')),
    }),
    'Texts of the product',
  ),
})

const value = z.optional(z.number())

const view = z.object({
  allergens: z.optional(z.array(z.object({ code: z.enum(allergenCodes), level: z.enum(allergenLevels) }))),
  diets: z.optional(z.array(z.enum(diets))),
  alcoholByVolume: value,
  ageLimit: value,
  nutrition: z.optional(
    z.object({
      basis: z.optional(z.enum(nutritionBases)),
      energyKcal: value,
      fat: value,
      saturates: value,
      carbohydrate: value,
      sugars: value,
      protein: value,
      salt: value,
    }),
  ),
  translations: z.optional(
    z.record(z.string(), z.object({ title: z.optional(z.string()), description: z.optional(z.string()) })),
  ),
})

/** Fields of the view that decide whether a diet is contradicted. */
const contents = z.pick(view, { allergens: true, diets: true, alcoholByVolume: true })
/** The contents of details, without those of invalid fields. */
const toContents = (details: Draft): FoodContents => contents.safeParse(details).data ?? {}

function check(details: Draft, before: Draft): readonly Issue[] {
  const { nutrition } = details
  const lacksBasis = isObject(nutrition) && nutrition['basis'] === undefined
  return [
    ...(lacksBasis
      ? [{ pointer: '/nutrition/basis', code: 'required' as const, message: 'is required if a value is set' }]
      : []),
    ...findContradictions(toContents(details), toContents(before)),
  ]
}

/** Details of products. */
export const productDetails = {
  body: { schema: fields, partial: fields, readOnly: new Set<string>() },
  view,
  check,
}
