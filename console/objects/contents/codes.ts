import type { ProductDetails } from '../../../packages/client/src/client.ts'

export type StatedAllergen = NonNullable<ProductDetails['allergens']>[number]
export type Allergen = StatedAllergen['code']
type AllergenName = NonNullable<StatedAllergen['names']>[number]
export type Diet = NonNullable<ProductDetails['diets']>[number]
export type Additive = NonNullable<ProductDetails['additives']>[number]

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
] as const satisfies readonly Allergen[]

/** Names that an entry of an allergen may have. */
export const namesOfAllergens: Partial<Readonly<Record<Allergen, readonly AllergenName[]>>> = {
  gluten: ['wheat', 'rye', 'barley', 'oats', 'spelt', 'khorasan'],
  nuts: ['almonds', 'hazelnuts', 'walnuts', 'cashews', 'pecans', 'brazil_nuts', 'pistachios', 'macadamias'],
}

export const dietCodes = [
  'vegan',
  'vegetarian',
  'halal',
  'kosher',
  'gluten_free',
  'lactose_free',
] as const satisfies readonly Diet[]

/** In the order of the footnotes on menus. */
export const additiveCodes = [
  'coloring',
  'preservatives',
  'antioxidants',
  'nitrite_curing_salt',
  'nitrate',
  'nitrite_curing_salt_and_nitrate',
  'flavor_enhancers',
  'phosphate',
  'sulphured',
  'blackened',
  'waxed',
  'sweeteners',
  'phenylalanine',
  'laxative_warning',
  'caffeine',
  'quinine',
  'child_attention_warning',
  'milk_protein',
  'surimi',
  'reconstituted_meat',
  'reconstituted_fish',
  'defrosted',
] as const satisfies readonly Additive[]
