import type * as z from 'zod/mini'
import { menuDetails } from '../../../catalogue/resources/details/menu-details.ts'
import { chargeList } from '../../../catalogue/resources/venue-charges.ts'
import { type Damage, DamagedError } from '../../../platform/db/damaged-rows.ts'
import type { Database } from '../../../platform/db/database.ts'
import { createRowReader, parseJson } from '../../../platform/db/query.ts'
import type { Row } from '../../../platform/db/row.ts'
import { merchantTable } from '../../../platform/db/schema/merchants.ts'
import { menuTable } from '../../../platform/db/schema/resources/menus.ts'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import { productTable } from '../../../platform/db/schema/resources/products.ts'
import { toSoldOutOptions } from '../../../platform/db/sold-out.ts'
import { toShownContents } from '../contents/stated-contents.ts'
import {
  modifierFood,
  type PublicCharge,
  type PublicModifier,
  type PublicProduct,
  type PublicSize,
  productFood,
  type venue as publicVenue,
  storedMenu,
  storedModifier,
  storedProduct,
  storedVenue,
} from '../public-menu.ts'
import { detailsName, soldOutName, textsName } from './catalogue-statements.ts'
import { chooseLanguage, toWanted } from './content-language.ts'
import { storedTexts, translate } from './translate.ts'

const readWholeVenue = createRowReader(merchantTable, storedVenue)

/** Reads a venue, without damaged optional fields, which it reports. Throws `DamagedError` if another field is damaged. */
function readStoredVenue({ report }: Pick<Database, 'report'>, row: Row): z.output<typeof storedVenue> {
  try {
    return readWholeVenue(row)
  } catch (error) {
    const venue = error instanceof DamagedError && storedVenue.safeParse(error.readable).data
    if (!venue) throw error
    report([{ ...error.damage, merchantId: venue.id }])
    return venue
  }
}

/** The texts in the language of the menu, or in one that is more specific. `own` is the language of the venue. */
function findTexts<Texts>(
  translations: Readonly<Record<string, Texts>>,
  { language, own }: { language: string; own: string | undefined },
): Partial<Texts> {
  const names = Object.keys(translations).toSorted()
  const found = chooseLanguage(toWanted([language]), { own, translations: names })
  return (found === undefined ? undefined : translations[found]) ?? {}
}

/** Reads the charges that orders have without choice, in the language of the menu. Reports a damaged list, and leaves it out. */
export function readChargeRow(
  { report }: Pick<Database, 'report'>,
  row: Row | undefined,
  { id, language: own }: z.output<typeof publicVenue>,
  language: string | undefined,
): PublicCharge[] {
  if (!row) return []
  const { success, data } = chargeList.safeParse(parseJson(String(row['charges'])))
  if (!success) report([{ table: 'charges', id, merchantId: id, fields: ['charges'] }])
  return (data ?? []).flatMap(({ optional, translations = {}, ...charge }) => {
    if (optional) return []
    return language === undefined ? charge : translate(charge, ['title'], findTexts(translations, { language, own }))
  })
}

/**
 * Reads a venue with its notes in the language of the menu; undefined: its own texts. Leaves out damaged optional fields, which it reports. Throws
 * `DamagedError` if another field is damaged.
 */
export function readVenueRow(
  database: Pick<Database, 'report'>,
  row: Row,
  language: string | undefined,
): z.output<typeof publicVenue> {
  const { notes, ...venue } = readStoredVenue(database, row)
  const toShown = ({ text, translations = {} }: NonNullable<typeof notes>[number]) =>
    language === undefined
      ? { text }
      : translate({ text }, ['text'], findTexts(translations, { language, own: venue.language }))
  return { ...venue, ...(notes && notes.length > 0 && { notes: notes.map(toShown) }) }
}

const readStoredMenu = createRowReader(menuTable, storedMenu)
const readStoredProduct = createRowReader(productTable, storedProduct)
const readStoredModifier = createRowReader(modifierTable, storedModifier)

/** Reads the details of a row. Throws `DamagedError`. */
function readRowDetails<View extends object>(
  view: z.ZodMiniType<View>,
  row: Row,
  merchantId: string,
): View | undefined {
  const stored = row[detailsName]
  if (typeof stored !== 'string') return undefined
  const { success, data } = view.safeParse(parseJson(stored))
  if (success) return data
  throw new DamagedError({ table: 'details', id: String(row['id']), merchantId, fields: ['data'] })
}

/** Reads the texts of a row in the chosen language; empty without a translation. Throws `DamagedError`. */
function readTexts<Texts extends object>(schema: z.ZodMiniType<Texts>, row: Row, merchantId: string): Partial<Texts> {
  const stored = row[textsName]
  if (typeof stored !== 'string') return {}
  const { success, data } = schema.safeParse(parseJson(stored))
  if (success) return data
  throw new DamagedError({ table: 'translations', id: String(row['id']), merchantId, fields: ['texts'] })
}

/** Reads rows with the original texts of the venue, or with their translations. */
interface ReadOptions {
  merchantId: string
  isTranslated: boolean
}

/** A menu with its details, without translations. */
export function readMenu(row: Row, { merchantId, isTranslated }: ReadOptions) {
  const menu = { ...readStoredMenu(row), details: readRowDetails(menuDetails.view, row, merchantId) ?? {} }
  if (!isTranslated) return menu
  const texts = readTexts(storedTexts.menu, row, merchantId)
  const sections = menu.sections.map((section) =>
    translate(section, ['title', 'description'], texts.sections?.[section.id]),
  )
  return translate({ ...menu, sections }, ['title', 'description'], texts)
}

/** The member of a record that has a name of its own. */
const find = <Value>(record: Readonly<Record<string, Value>> = {}, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** Reads a modifier with what its details say about its options, and which of them are sold out. */
export function readModifier(row: Row, { merchantId, isTranslated }: ReadOptions): PublicModifier {
  const soldOut = toSoldOutOptions(row[soldOutName])
  const { options: food, sizedCosts, ...details } = readRowDetails(modifierFood, row, merchantId) ?? {}
  const stored = readStoredModifier(row)
  const modifier = {
    ...stored,
    ...details,
    options: stored.options.map((option) => {
      const costs = find(sizedCosts, option.id)
      return {
        ...option,
        ...toShownContents(find(food, option.id) ?? {}),
        ...(costs && { sizedCosts: costs }),
        ...soldOut.get(option.id),
      }
    }),
  }
  if (!isTranslated) return modifier
  const texts = readTexts(storedTexts.modifier, row, merchantId)
  const options = modifier.options.map((option) => translate(option, ['label'], find(texts.options, option.id)))
  return translate({ ...modifier, options }, ['title', 'instructions', 'description'], texts)
}

type StoredFood = z.output<typeof productFood>

/** The sizes of a product: the options that have a price. Undefined without any. */
function toSizes(
  { sizes, diets = [] }: StoredFood,
  modifiers: readonly string[],
  known: ReadonlyMap<string, PublicModifier>,
): PublicSize[] | undefined {
  if (!sizes || !modifiers.includes(sizes.modifier)) return undefined
  const shown = (known.get(sizes.modifier)?.options ?? []).flatMap((option) => {
    const { id, label = '', allergens, additives, alcoholByVolume, ageLimit, soldOut = false, soldOutUntil } = option
    const priced = find(sizes.prices, id)
    if (!priced) return []
    const added = { allergens, diets: option.diets, additives, alcoholByVolume, ageLimit }
    // Sizes with the contents of the product add nothing, unless the option says that it does.
    const contents = sizes.sameContents ? { ...added, allergens: allergens ?? [], diets: option.diets ?? diets } : added
    const { price, calories, deposit } = priced
    const isBack = soldOutUntil !== undefined && { soldOutUntil }
    const own = {
      modifier: sizes.modifier,
      option: id,
      label,
      price,
      soldOut,
      ...isBack,
      calories,
      ...(deposit && { deposit }),
    }
    return [{ ...own, ...contents }]
  })
  return shown.length > 0 ? shown : undefined
}

/** The details of a product; `isDamaged` without those that cannot be read, which `report` gets. */
function readFood(row: Row, merchantId: string, report: (damage: Damage) => void): StoredFood & { isDamaged?: true } {
  try {
    return toShownContents(readRowDetails(productFood, row, merchantId) ?? {})
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    report(error.damage)
    return { isDamaged: true }
  }
}

/**
 * Reads a product, without the modifiers that were left out. A product whose details are damaged states nothing and is sold out: its contents and
 * its sizes are not known.
 */
export function readProduct(
  row: Row,
  { merchantId, isTranslated }: ReadOptions,
  modifiers: ReadonlyMap<string, PublicModifier>,
  report: (damage: Damage) => void,
): PublicProduct {
  const product = readStoredProduct(row)
  const texts = isTranslated && readTexts(storedTexts.product, row, merchantId)
  const { isDamaged = false, ...food } = readFood(row, merchantId, report)
  const { sizes: _, modifierRules, bundle, ...contents } = food
  const sizes = toSizes(food, product.modifiers, modifiers)
  const until = row['sold_out_until']
  const rules = modifierRules?.filter(({ modifier }) => product.modifiers.includes(modifier))
  return {
    ...(texts ? translate(product, ['title', 'description'], texts) : product),
    ...contents,
    ...(sizes && { sizes }),
    ...(rules && rules.length > 0 && { modifierRules: rules }),
    ...(bundle && { bundle: { groups: bundle.groups } }),
    modifiers: product.modifiers.filter((id) => modifiers.has(id)),
    soldOut: row['is_sold_out'] === 1 || isDamaged,
    ...(typeof until === 'number' && !isDamaged && { soldOutUntil: until }),
    ...((isDamaged || !product.modifiers.every((id) => modifiers.has(id))) && { lacksChoices: true }),
  }
}
