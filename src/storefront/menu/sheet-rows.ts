import type { FoodContents } from '../../catalogue/resources/details/contents.ts'
import { type Allergen, additiveCodes } from '../../catalogue/resources/details/food-codes.ts'
import type { FoodMessages } from '../pages/food/food-text-shape.ts'
import { getSizeModifier } from './contents/judge.ts'
import { listAllergens } from './contents/stated-contents.ts'
import { describeAllergen, getFootnote, listFootnotes, listProducts, needsChoicesWarning } from './food.ts'
import type { PublicMenu, PublicModifier, PublicProduct } from './public-menu.ts'

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

/** Options that add nothing wherever they can be chosen: sizes with the contents of their products. Each as `toOptionKey` names it. */
function findPlainSizes(products: Iterable<PublicProduct>, others: ReadonlySet<string>): ReadonlySet<string> {
  const areStated = new Map<string, boolean>()
  for (const { sizes = [] } of products) {
    for (const { modifier, option, allergens } of sizes) {
      const key = toOptionKey(modifier, option)
      areStated.set(key, !others.has(modifier) && (areStated.get(key) ?? true) && allergens?.length === 0)
    }
  }
  return new Set([...areStated].flatMap(([key, isStated]) => (isStated ? [key] : [])))
}

/** Options of several modifiers may have the same id. */
const toOptionKey = (modifier: string, option: string) => `${modifier} ${option}`

/** Contents of the options of a modifier: sizes with the contents of their product add nothing, unless they say so. */
function listOptionContents({ id, options }: PublicModifier, plainSizes: ReadonlySet<string>) {
  return options.map((option): [string, readonly string[], FoodContents] => [
    option.label ?? '',
    option.untranslated ?? [],
    option.allergens === undefined && plainSizes.has(toOptionKey(id, option.id))
      ? { ...option, allergens: [] }
      : option,
  ])
}

/** The title of a part of a bundle, with its size if the bundle names one. */
function namePart(part: PublicProduct | undefined, size: string | undefined): string | [] {
  const label = part?.sizes?.find(({ option }) => option === size)?.label
  return part === undefined ? [] : [part.title, label ?? ''].join(' ').trim()
}

/** The rows of the allergen sheet: all dishes with the parts of bundles, and each option once. */
export function listSheetRows(menu: PublicMenu, messages: FoodMessages): SheetRows {
  const listed = listProducts(menu)
  const products = new Map([...listed, ...menu.parts].map((product) => [product.id, product]))
  const shown = [...products.values()]
  const modifiersById = new Map(menu.modifiers.map((modifier) => [modifier.id, modifier]))
  const direct = new Set(shown.flatMap((product) => product.modifiers))
  const nested = [...direct].flatMap(
    (id) => modifiersById.get(id)?.options.flatMap((option) => option.modifiers ?? []) ?? [],
  )
  const modifiers = [...new Set([...direct, ...nested])].flatMap((id) => modifiersById.get(id) ?? [])
  // A modifier that is also chosen as something other than a size has options of which nothing is known there.
  const others = new Set([
    ...nested,
    ...shown.flatMap((product) => product.modifiers.filter((id) => id !== getSizeModifier(product))),
  ])
  const plainSizes = findPlainSizes(shown, others)
  const dishes = shown.map((product): SheetRow => {
    const titles = [
      ...product.modifiers.flatMap((id) => modifiersById.get(id)?.title ?? []),
      ...(product.bundle?.groups ?? []).map(
        ({ title, items }) =>
          `${title} (${items.flatMap(({ product: id, size }) => namePart(products.get(id), size)).join(', ')})`,
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
    listOptionContents(modifier, plainSizes).map(
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
