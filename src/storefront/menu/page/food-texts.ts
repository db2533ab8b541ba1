import { html } from 'hono/html'
import type { FoodMessages } from '../../pages/food/food-text-shape.ts'
import type { Html } from '../../pages/page.ts'
import { fill, type Phrases } from '../../pages/phrases.ts'
import {
  type FoodFilter,
  getAllergenName,
  getDietName,
  isFiltering,
  needsChoicesWarning,
  type StatedFood,
} from '../food.ts'
import type { PublicProduct } from '../public-menu.ts'

/** Texts about food, and the allergens and diets that the products of the venue state. */
export interface FoodOptions {
  messages: FoodMessages
  stated: StatedFood
  filter: FoodFilter
  /** Address of the menu with a filter, relative to the page. */
  toUrl: (filter: FoodFilter) => string
  /** Address of the allergen sheet. */
  sheetUrl: string
}

/** Food statements of a product, as texts. */
function describeFood(product: PublicProduct, { messages, stated }: FoodOptions, { language }: Phrases): string[] {
  const { allergens, diets = [], alcoholByVolume, ageLimit, nutrition } = product
  const warns = needsChoicesWarning(product) || (diets.length > 0 && product.choicesMayAddAllergens === true)
  const number = new Intl.NumberFormat(language)
  const list = (level: 'contains' | 'may_contain') =>
    (allergens ?? []).filter((each) => each.level === level).map(({ code }) => getAllergenName(messages, code))
  const name = (template: string, names: readonly string[]) =>
    names.length === 0 ? [] : [fill(template, { list: names.join(', ') }).join('')]
  const basis = nutrition?.basis === undefined || nutrition.basis === 'portion' ? '' : ` / ${nutrition.basis}`
  return [
    ...name(messages.contains, list('contains')),
    ...name(messages.mayContain, list('may_contain')),
    ...(allergens?.length === 0 && !warns ? [messages.none] : []),
    ...(allergens === undefined && stated.hasAllergens ? [messages.notStated] : []),
    ...(warns ? [messages.choices] : []),
    ...diets.map((diet) => getDietName(messages, diet)),
    ...(alcoholByVolume === undefined ? [] : [`${number.format(alcoholByVolume)} % vol`]),
    ...(ageLimit === undefined ? [] : [fill(messages.age, { age: number.format(ageLimit) }).join('')]),
    ...(nutrition?.energyKcal === undefined ? [] : [`${number.format(nutrition.energyKcal)} kcal${basis}`]),
  ]
}

/** Renders the food statements of a product; empty if it has none. */
export function renderFood(product: PublicProduct, food: FoodOptions | undefined, phrases: Phrases): Html | '' {
  const texts = food ? describeFood(product, food, phrases) : []
  return texts.length === 0 ? '' : html`<p class="food">${phrases.say(texts.join(' · '))}</p>`
}

const toggle = <Name extends string>(names: readonly Name[], name: Name): Name[] =>
  names.includes(name) ? names.filter((each) => each !== name) : [...names, name]

/** Renders links that filter the menu by diets and allergens; empty if no product states them. */
export function renderFoodFilter(
  { messages, stated, filter, toUrl, sheetUrl }: FoodOptions,
  { language }: Phrases,
): Html | '' {
  const { diets, allergens, hasAllergens } = stated
  if (diets.length + allergens.length === 0 && !hasAllergens) return ''
  const link = (text: string, isOn: boolean, next: FoodFilter) =>
    html`<li><a href="${toUrl(next)}" rel="nofollow"${isOn ? html` aria-current="true"` : ''}>${text}</a></li>`
  const links = [
    ...diets.map((diet) =>
      link(getDietName(messages, diet), filter.diets.includes(diet), { ...filter, diets: toggle(filter.diets, diet) }),
    ),
    ...allergens.map((code) =>
      link(fill(messages.without, { name: getAllergenName(messages, code) }).join(''), filter.without.includes(code), {
        ...filter,
        without: toggle(filter.without, code),
      }),
    ),
    ...(isFiltering(filter) ? [link(messages.all, false, { diets: [], without: [] })] : []),
    ...(hasAllergens ? [html`<li><a href="${sheetUrl}">${messages.sheet}</a></li>`] : []),
  ]
  return html`<div class="filter" role="search" aria-label="${messages.title}" lang="${language}"><details${isFiltering(filter) ? html` open` : ''}><summary>${messages.title}</summary><ul>${links}</ul></details></div>`
}
