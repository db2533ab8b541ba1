import { type Allergen, allergenCodes, type Diet, diets } from '../../catalogue/resources/details/food-codes.ts'
import type { FoodMessages } from '../pages/food/food-text-shape.ts'
import { listShownMenus, type PublicMenu, type PublicProduct } from './public-menu.ts'

/** Products that a guest wants to see: suited to all diets, and stated to be free of all allergens, traces included. */
export interface FoodFilter {
  diets: readonly Diet[]
  without: readonly Allergen[]
}

const isDiet = (name: string): name is Diet => diets.some((diet) => diet === name)
const isAllergen = (name: string): name is Allergen => allergenCodes.some((code) => code === name)

const split = (text: string | undefined) => [...new Set((text ?? '').split(',').filter((name) => name !== ''))]

/** Reads a filter from the parameters of a request; otherwise the parameter that is invalid. */
export function parseFoodFilter(
  diet: string | undefined,
  without: string | undefined,
): FoodFilter | 'diet' | 'without' {
  const [chosen, excluded] = [split(diet), split(without)]
  if (!chosen.every(isDiet)) return 'diet'
  // If an unknown allergen were ignored, the menu would show products that the guest must not eat.
  if (!excluded.every(isAllergen)) return 'without'
  // Sorted, so that equal filters have the same cache key.
  return {
    diets: diets.filter((each) => chosen.includes(each)),
    without: allergenCodes.filter((each) => excluded.includes(each)),
  }
}

/** Whether a filter leaves out any product. */
export const isFiltering = ({ diets, without }: FoodFilter) => diets.length + without.length > 0

function suits({ diets: stated = [], allergens }: PublicProduct, { diets, without }: FoodFilter) {
  const includes = (code: Allergen) => allergens?.some((each) => each.code === code) ?? false
  return (
    diets.every((diet) => stated.includes(diet)) &&
    // A product may be stated as gluten-free although traces of gluten cannot be excluded. It does not suit guests who filter by this diet.
    !(diets.includes('gluten_free') && includes('gluten')) &&
    (without.length === 0 || (allergens !== undefined && !without.some(includes)))
  )
}

/** The menus without the products that a filter leaves out. */
export function filterMenu(menu: PublicMenu, filter: FoodFilter): PublicMenu {
  if (!isFiltering(filter)) return menu
  const filterSections = <Menu extends PublicMenu['menus'][number]>(shown: Menu): Menu => ({
    ...shown,
    sections: shown.sections
      .map((section) => ({ ...section, products: section.products.filter((product) => suits(product, filter)) }))
      .filter(({ products }) => products.length > 0),
  })
  return { ...menu, menus: menu.menus.map(filterSections), closedMenus: menu.closedMenus.map(filterSections) }
}

/** Whether options can add allergens to those that a product states. */
export const needsChoicesWarning = ({ allergens, choicesMayAddAllergens }: PublicProduct) =>
  allergens !== undefined && choicesMayAddAllergens === true

/** All products of the menus, each once. */
export function listProducts(menu: PublicMenu): PublicProduct[] {
  const products = listShownMenus(menu).flatMap(({ sections }) => sections.flatMap((section) => section.products))
  return [...new Map(products.map((product) => [product.id, product])).values()]
}

/** Allergens and diets that the products of a venue state. */
export interface StatedFood {
  diets: readonly Diet[]
  allergens: readonly Allergen[]
  /** Whether a product states its allergens. */
  hasAllergens: boolean
  /** Whether a product states diets, allergens or nutrition. */
  isAny: boolean
}

/** Collects the allergens and diets that the products of a menu state. */
export function getStatedFood(menu: PublicMenu): StatedFood {
  const products = listProducts(menu)
  const statesDiet = (diet: Diet) => products.some((product) => product.diets?.includes(diet))
  const statesAllergen = (code: Allergen) =>
    products.some(({ allergens }) => allergens?.some((each) => each.code === code))
  const hasAllergens = products.some(({ allergens }) => allergens)
  const isAny = products.some(
    ({ allergens, diets, alcoholByVolume, ageLimit, nutrition }) =>
      allergens ?? diets ?? alcoholByVolume ?? ageLimit ?? nutrition,
  )
  return { diets: diets.filter(statesDiet), allergens: allergenCodes.filter(statesAllergen), hasAllergens, isAny }
}

const toName = (code: string) => code.replaceAll('_', ' ')

/** Fallback if the texts cannot be read. */
export const fallbackFoodMessages: FoodMessages = {
  allergens: [...allergenCodes],
  diets: diets.map(toName),
  contains: 'Contains: {list}',
  mayContain: 'May contain: {list}',
  none: 'No allergens',
  notStated: 'Allergens not stated',
  title: 'Allergens',
  without: 'without {name}',
  all: 'Show everything',
  sheet: 'Allergens',
  age: '{age}+',
  noMatch: 'Nothing on this menu suits your selection',
  choices: 'Choices may add allergens',
}

export const getAllergenName = ({ allergens }: FoodMessages, code: Allergen) =>
  allergens[allergenCodes.indexOf(code)] ?? toName(code)
export const getDietName = (messages: FoodMessages, diet: Diet) => messages.diets[diets.indexOf(diet)] ?? toName(diet)
