import type { FoodContents } from '../../catalogue/resources/details/contents.ts'
import {
  type Allergen,
  additiveCodes,
  allergenCodes,
  cereals,
  type Diet,
  diets,
  treeNuts,
} from '../../catalogue/resources/details/food-codes.ts'
import type { FoodMessages } from '../pages/food/food-text-shape.ts'
import { createJudge } from './contents/judge.ts'
import { type AllergenStatement, type FoodFilter, listAllergens } from './contents/stated-contents.ts'
import { listShownMenus, type PublicMenu, type PublicModifier, type PublicProduct } from './public-menu.ts'

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

/** The judge of the products of a menu by a filter. */
export const createMenuJudge = (menu: PublicMenu, filter: FoodFilter) =>
  createJudge({ products: byId([...menu.parts, ...listProducts(menu)]), modifiers: byId(menu.modifiers) }, filter)

const byId = <Item extends { id: string }>(items: readonly Item[]) => new Map(items.map((item) => [item.id, item]))

/** The menus without the products that a filter leaves out, and with the choices that suit it marked. */
export function filterMenu(menu: PublicMenu, filter: FoodFilter): PublicMenu {
  if (!isFiltering(filter)) return menu
  const judge = createMenuJudge(menu, filter)
  const markProduct = (product: PublicProduct): PublicProduct => ({
    ...product,
    ...(product.sizes && { sizes: product.sizes.map((size) => ({ ...size, suits: judge.judgeSize(size) })) }),
    ...(product.bundle && {
      bundle: {
        groups: product.bundle.groups.map((group) => ({
          ...group,
          items: group.items.map((item) => ({ ...item, suits: judge.judgePart(item).verdict })),
        })),
      },
    }),
  })
  const markModifier = (modifier: PublicModifier): PublicModifier => ({
    ...modifier,
    options: modifier.options.map((option) => ({ ...option, suits: judge.judgeOption(option, modifier) })),
  })
  const filterSections = <Menu extends PublicMenu['menus'][number]>(shown: Menu): Menu => ({
    ...shown,
    sections: shown.sections
      .map((section) => ({
        ...section,
        products: section.products.filter((product) => judge.judgeProduct(product) === true).map(markProduct),
      }))
      .filter(({ products }) => products.length > 0),
  })
  return {
    ...menu,
    menus: menu.menus.map(filterSections),
    closedMenus: menu.closedMenus.map(filterSections),
    modifiers: menu.modifiers.map(markModifier),
    parts: menu.parts.map(markProduct),
  }
}

/** Whether options can add allergens to those that a product states. */
export const needsChoicesWarning = ({ allergens, choicesMayAddAllergens }: PublicProduct) =>
  allergens !== undefined && choicesMayAddAllergens === true

/** Whether an option is shown as preselected. One that does not suit the filter is not suggested. */
export const isPreSelected = ({ preSelected = false, suits = true }: PublicModifier['options'][number]) =>
  preSelected && suits === true

/** All products of the menus, each once. */
export function listProducts(menu: PublicMenu): PublicProduct[] {
  const products = listShownMenus(menu).flatMap(({ sections }) => sections.flatMap((section) => section.products))
  return [...new Map(products.map((product) => [product.id, product])).values()]
}

/** Allergens and diets that the products and choices of a venue state. */
export interface StatedFood {
  diets: readonly Diet[]
  allergens: readonly Allergen[]
  /** Whether a product or a choice states its allergens. */
  hasAllergens: boolean
  /** Whether something states diets, allergens, additives or nutrition, or comes in sizes: then the page has texts about food. */
  isAny: boolean
}

/** Collects the allergens and diets that the products and choices of a menu state. */
export function getStatedFood(menu: PublicMenu): StatedFood {
  const products = [...listProducts(menu), ...menu.parts]
  const all: readonly FoodContents[] = [...products, ...menu.modifiers.flatMap(({ options }) => options)]
  const stated = new Set(all.flatMap((each) => listAllergens(each).map(({ code }) => code)))
  const suited = new Set(products.flatMap((each) => each.diets ?? []))
  const states = ({ allergens, diets, additives, alcoholByVolume, ageLimit }: FoodContents) =>
    (allergens ?? diets ?? additives ?? alcoholByVolume ?? ageLimit) !== undefined
  return {
    diets: diets.filter((diet) => suited.has(diet)),
    allergens: allergenCodes.filter((code) => stated.has(code)),
    hasAllergens: all.some(({ allergens }) => allergens),
    isAny: all.some(states) || products.some(({ nutrition, sizes }) => nutrition ?? sizes),
  }
}

const toName = (code: string) => code.replaceAll('_', ' ')

const allergenNames = [...cereals, ...treeNuts]

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
  ask: 'Order it with: {list}',
  leave: 'Order it without: {list}',
  matches: 'Dishes: {count}',
  from: '{price} +',
  choicesTitle: 'Choices',
  asOf: '{date}',
  names: allergenNames.map(toName),
  additives: additiveCodes.map(toName),
}

/** The name of an allergen for guests. */
export const getAllergenName = ({ allergens }: FoodMessages, code: Allergen) =>
  allergens[allergenCodes.indexOf(code)] ?? toName(code)
/** The name of a diet for guests. */
export const getDietName = (messages: FoodMessages, diet: Diet) => messages.diets[diets.indexOf(diet)] ?? toName(diet)

/** Cereals whose names guests may not know to be wheat. */
const kindsOfWheat: ReadonlySet<string> = new Set(['spelt', 'khorasan'])

/** An allergen with the names of its cereals or nuts: `gluten (wheat (spelt), rye)`. */
export function describeAllergen(messages: FoodMessages, { code, names = [] }: AllergenStatement): string {
  const known = names.map((name) => {
    const text = messages.names[allergenNames.indexOf(name)] ?? toName(name)
    return kindsOfWheat.has(name) ? `${messages.names[0] ?? 'wheat'} (${text})` : text
  })
  const allergen = getAllergenName(messages, code)
  return known.length === 0 ? allergen : `${allergen} (${known.join(', ')})`
}

/** Numbers of the footnotes of additives: their places in the list of codes. */
export const listFootnotes = ({ additives = [] }: FoodContents): number[] =>
  additives.map((code) => additiveCodes.indexOf(code) + 1).sort((a, b) => a - b)

/** The text of a footnote. */
export const getFootnote = ({ additives }: FoodMessages, number: number) =>
  additives[number - 1] ?? toName(additiveCodes[number - 1] ?? '')
