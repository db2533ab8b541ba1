import type { FoodContents } from '../../catalogue/resources/details/contents.ts'
import { type Allergen, additiveCodes } from '../../catalogue/resources/details/food-codes.ts'
import type { FoodMessages } from '../pages/food/food-text-shape.ts'
import { listAllergens } from './contents/stated-contents.ts'
import { describeAllergen, getFootnote, listFootnotes, listProducts, needsChoicesWarning } from './food.ts'
import type { PublicMenu, PublicModifier } from './public-menu.ts'

/** A row of the allergen sheet: a dish, or an option that can be chosen with dishes. */
export interface SheetRow {
  title: string
  /** Fields whose text is in the language of the venue. */
  untranslated: readonly string[]
  /** Whether choices may add allergens. */
  isMarked: boolean
  /** The level of each allergen that is stated. Undefined if none are stated. */
  levels: ReadonlyMap<Allergen, 'contains' | 'may_contain'> | undefined
  /** Names of cereals and nuts, numbers of footnotes, and what can be chosen with a dish. */
  note: string
}

/** Contents of the allergen sheet. */
interface SheetRows {
  dishes: readonly SheetRow[]
  choices: readonly SheetRow[]
  footnotes: readonly string[]
}

const toLevels = (contents: FoodContents): SheetRow['levels'] =>
  contents.allergens && new Map(listAllergens(contents).map(({ code, level }) => [code, level]))

function describe(contents: FoodContents, messages: FoodMessages): string[] {
  const named = listAllergens(contents).filter(({ names }) => names && names.length > 0)
  // An allergen that only an additive reveals has no mark in a row without a statement.
  const revealed = contents.allergens ? [] : listAllergens(contents)
  const numbers = listFootnotes(contents)
  return [
    ...[...named, ...revealed].map((each) => describeAllergen(messages, each)),
    ...(numbers.length > 0 ? [`(${numbers.join(', ')})`] : []),
  ]
}

/** Contents of the options of a modifier: sizes with the contents of their product add nothing, unless they say so. */
function listOptionContents({ options }: PublicModifier, sizes: ReadonlyMap<string, boolean>) {
  return options.map((option): [string, readonly string[], FoodContents] => [
    option.label ?? '',
    option.untranslated ?? [],
    option.allergens === undefined && sizes.get(option.id) === true ? { ...option, allergens: [] } : option,
  ])
}

/** The rows of the allergen sheet: all dishes with the parts of bundles, and each option once. */
export function listSheetRows(menu: PublicMenu, messages: FoodMessages): SheetRows {
  const listed = listProducts(menu)
  const products = new Map([...listed, ...menu.parts].map((product) => [product.id, product]))
  const shown = [...products.values()]
  const modifiersById = new Map(menu.modifiers.map((modifier) => [modifier.id, modifier]))
  /** Options that are sizes, and whether they add nothing to any product. */
  const sizes = new Map<string, boolean>()
  for (const { sizes: own = [] } of products.values()) {
    for (const { option, allergens } of own) sizes.set(option, (sizes.get(option) ?? true) && allergens?.length === 0)
  }
  const used = new Set(shown.flatMap((product) => product.modifiers))
  for (const id of [...used]) {
    for (const option of modifiersById.get(id)?.options ?? [])
      for (const nested of option.modifiers ?? []) used.add(nested)
  }
  const modifiers = [...used].flatMap((id) => modifiersById.get(id) ?? [])
  const dishes = shown.map((product): SheetRow => {
    const titles = [
      ...product.modifiers.flatMap((id) => modifiersById.get(id)?.title ?? []),
      ...(product.bundle?.groups ?? []).map(
        ({ title, items }) =>
          `${title} (${items.flatMap((item) => products.get(item.product)?.title ?? []).join(', ')})`,
      ),
    ]
    return {
      title: product.title,
      untranslated: product.untranslated ?? [],
      isMarked: needsChoicesWarning(product),
      levels: toLevels(product),
      note: [
        ...describe(product, messages),
        ...(titles.length > 0 ? [`${messages.choicesTitle}: ${titles.join(', ')}`] : []),
      ].join(' · '),
    }
  })
  const choices = modifiers.flatMap((modifier) =>
    listOptionContents(modifier, sizes).map(
      ([label, untranslated, contents]): SheetRow => ({
        title: `${modifier.title}: ${label}`,
        untranslated: untranslated.includes('label') ? ['title'] : [],
        isMarked: false,
        levels: toLevels(contents),
        note: describe(contents, messages).join(' · '),
      }),
    ),
  )
  const all: readonly FoodContents[] = [...shown, ...modifiers.flatMap(({ options }) => options)]
  const numbers = new Set(all.flatMap(listFootnotes))
  const footnotes = additiveCodes.flatMap((_, index) =>
    numbers.has(index + 1) ? [`(${index + 1}) ${getFootnote(messages, index + 1)}`] : [],
  )
  return { dishes, choices, footnotes }
}

/** The day of a sheet, in words. */
export const describeDay = ({ availableAt, venue }: PublicMenu, { asOf }: FoodMessages, language: string) =>
  asOf.replace(
    '{date}',
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: venue.timezone }).format(availableAt * 1000),
  )
