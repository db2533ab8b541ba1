import { html } from 'hono/html'
import type { FoodContents } from '../../../catalogue/resources/details/contents.ts'
import type { FoodMessages } from '../../pages/food/food-text-shape.ts'
import type { Html } from '../../pages/page.ts'
import { fill, type Phrases } from '../../pages/phrases.ts'
import { type FoodFilter, listAllergens } from '../contents/stated-contents.ts'
import {
  describeAllergen,
  getAllergenName,
  getDietName,
  getFootnote,
  isFiltering,
  listFootnotes,
  needsChoicesWarning,
  type StatedFood,
} from '../food.ts'
import type { PublicProduct } from '../public-menu.ts'

/** Texts about food, and the allergens and diets that the products of the venue state. */
export interface FoodOptions {
  messages: FoodMessages
  stated: StatedFood
  filter: FoodFilter
  /** Number of products that the filter leaves. */
  count: number
  /** Address of the menu with a filter, relative to the page. */
  toUrl: (filter: FoodFilter) => string
  /** Address of the allergen sheet. */
  sheetUrl: string
}

const fillText = (template: string, values: Readonly<Record<string, string>>) => fill(template, values).join('')

/** Allergens, diets, alcohol and age limit of contents, as texts; empty if they state nothing. */
function describeContents(contents: FoodContents, { messages }: FoodOptions, { language }: Phrases) {
  const { diets = [], alcoholByVolume, ageLimit } = contents
  const number = new Intl.NumberFormat(language)
  const list = (level: 'contains' | 'may_contain') =>
    listAllergens(contents).flatMap((each) => (each.level === level ? [describeAllergen(messages, each)] : []))
  const name = (template: string, names: readonly string[]) =>
    names.length === 0 ? [] : [fillText(template, { list: names.join(', ') })]
  return {
    allergens: [...name(messages.contains, list('contains')), ...name(messages.mayContain, list('may_contain'))],
    others: [
      ...diets.map((diet) => getDietName(messages, diet)),
      ...(alcoholByVolume === undefined ? [] : [`${number.format(alcoholByVolume)} % vol`]),
      ...(ageLimit === undefined ? [] : [fillText(messages.age, { age: number.format(ageLimit) })]),
    ],
  }
}

/** Food statements of a product, as texts. */
export function describeFood(product: PublicProduct, food: FoodOptions, phrases: Phrases): string[] {
  const { messages, stated } = food
  const { allergens, diets = [], nutrition, bundle, choicesMayAddAllergens = false } = product
  const { allergens: found, others } = describeContents(product, food, phrases)
  const warns = needsChoicesWarning(product) || ((diets.length > 0 || bundle !== undefined) && choicesMayAddAllergens)
  // The parts of a bundle state what it contains, if any must be chosen.
  const isStated =
    allergens !== undefined || (bundle?.groups.some(({ min, items }) => min > 0 && items.length > 0) ?? false)
  const basis = nutrition?.basis === undefined || nutrition.basis === 'portion' ? '' : ` / ${nutrition.basis}`
  return [
    ...found,
    ...(isStated && found.length === 0 && !warns && stated.hasAllergens ? [messages.none] : []),
    ...(!isStated && stated.hasAllergens ? [messages.notStated] : []),
    ...(warns ? [messages.choices] : []),
    ...others,
    ...(nutrition?.energyKcal === undefined
      ? []
      : [`${new Intl.NumberFormat(phrases.language).format(nutrition.energyKcal)}\u00a0kcal${basis}`]),
  ]
}

const renderFootnotes = (contents: FoodContents): Html | '' => {
  const numbers = listFootnotes(contents)
  return numbers.length === 0 ? '' : html` <sup>${numbers.join(', ')}</sup>`
}

/** Renders the food statements of a product; empty if it has none. */
export function renderFood(product: PublicProduct, food: FoodOptions | undefined, phrases: Phrases): Html | '' {
  if (!food) return ''
  const texts = describeFood(product, food, phrases)
  const footnotes = renderFootnotes(product)
  return texts.length === 0 && footnotes === ''
    ? ''
    : html`<p class="food">${phrases.say(texts.join(' · '))}${footnotes}</p>`
}

/** Whether nothing is stated about the allergens of something, although the venue states those of others. */
export const lacksStatement = ({ allergens }: FoodContents, food: FoodOptions | undefined) =>
  allergens === undefined && food?.stated.hasAllergens === true

/** Renders what a choice contains; empty if it states nothing. `isMarked`: says so if it states no allergens. */
export function renderChoiceFood(
  choice: FoodContents,
  food: FoodOptions | undefined,
  phrases: Phrases,
  isMarked: boolean,
): Html | '' {
  if (!food) return ''
  const { allergens, others } = describeContents(choice, food, phrases)
  const texts = [
    ...allergens,
    ...(isMarked && lacksStatement(choice, food) ? [food.messages.notStated] : []),
    ...others,
  ]
  const shown = texts.length === 0 ? '' : html` <small>${phrases.say(texts.join(' · '))}</small>`
  return html`${shown}${renderFootnotes(choice)}`
}

/** Renders the footnotes of additives that a menu has; empty without any. */
export function renderFootnoteTexts(
  all: Iterable<FoodContents>,
  messages: FoodMessages,
  say: Phrases['say'],
): Html | '' {
  const numbers = new Set<number>()
  for (const contents of all) for (const number of listFootnotes(contents)) numbers.add(number)
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted.length === 0
    ? ''
    : html`<ul class="about food">${sorted.map((number) => html`<li><sup>${number}</sup> ${say(getFootnote(messages, number))}</li>`)}</ul>`
}

const toggle = <Name extends string>(names: readonly Name[], name: Name): Name[] =>
  names.includes(name) ? names.filter((each) => each !== name) : [...names, name]

/** Renders links that remove a diet or an allergen from the filter. They stay in sight. */
const renderChosen = ({ diets, without }: FoodFilter, messages: FoodMessages, toUrl: FoodOptions['toUrl']) =>
  [
    ...diets.map((diet) => [getDietName(messages, diet), { diets: toggle(diets, diet), without }] as const),
    ...without.map(
      (code) =>
        [
          fillText(messages.without, { name: getAllergenName(messages, code) }),
          { diets, without: toggle(without, code) },
        ] as const,
    ),
  ].map(
    ([text, next]) => html`<a href="${toUrl(next)}" rel="nofollow">${text}&nbsp;<span aria-hidden="true">✕</span></a>`,
  )

/** Renders links that filter the menu by diets and allergens; empty if no product states them. */
export function renderFoodFilter(
  { messages, stated, filter, count, toUrl, sheetUrl }: FoodOptions,
  { language, count: fillNumbers }: Phrases,
): Html | '' {
  const { diets, allergens, hasAllergens } = stated
  if (diets.length + allergens.length === 0 && !hasAllergens && !isFiltering(filter)) return ''
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
  const chosen = isFiltering(filter)
    ? html`<div class="on" role="region" aria-label="${fillNumbers(messages.matches, { count })}" lang="${language}"><p role="status">${fillNumbers(messages.matches, { count })}</p>${renderChosen(filter, messages, toUrl)}</div>`
    : ''
  return html`<div class="filter" role="search" aria-label="${messages.title}" lang="${language}"><details><summary>${messages.title}</summary><ul>${links}</ul></details></div>${chosen}`
}
