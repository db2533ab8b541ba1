/** The allergens of Regulation (EU) 1169/2011, Annex II, in its order. */
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

/** Cereals with gluten that Annex II names, in its order. Spelt and khorasan are kinds of wheat. */
export const cereals = ['wheat', 'rye', 'barley', 'oats', 'spelt', 'khorasan'] as const
/** Tree nuts that Annex II names, in its order. */
export const treeNuts = [
  'almonds',
  'hazelnuts',
  'walnuts',
  'cashews',
  'pecans',
  'brazil_nuts',
  'pistachios',
  'macadamias',
] as const
type AllergenName = (typeof cereals)[number] | (typeof treeNuts)[number]

/** Names that an entry of an allergen may have. */
export const namesOfAllergens: Partial<Readonly<Record<Allergen, readonly AllergenName[]>>> = {
  gluten: cereals,
  nuts: treeNuts,
}

export const diets = ['vegan', 'vegetarian', 'halal', 'kosher', 'gluten_free', 'lactose_free'] as const
export type Diet = (typeof diets)[number]

/**
 * Declarations of additives and processes, in the order of the npm package `@menuella/food-safety` 1.6.0 (MIT). The place in this list
 * is the number of a footnote, so a new code is appended.
 */
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
] as const
type Additive = (typeof additiveCodes)[number]

/** Additives that contain an allergen. */
export const allergensOfAdditives: Partial<Readonly<Record<Additive, Allergen>>> = {
  sulphured: 'sulphites',
  milk_protein: 'milk',
  surimi: 'fish',
  reconstituted_fish: 'fish',
}
