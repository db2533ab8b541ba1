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

export const diets = ['vegan', 'vegetarian', 'halal', 'kosher', 'gluten_free', 'lactose_free'] as const
export type Diet = (typeof diets)[number]
