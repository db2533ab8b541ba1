import type * as z from 'zod/mini'
import { withoutContradictedDiets } from '../../../catalogue/resources/details/contradictions.ts'
import { menuDetails } from '../../../catalogue/resources/details/menu-details.ts'
import { DamagedError } from '../../../platform/db/damaged-rows.ts'
import type { Database } from '../../../platform/db/database.ts'
import { createRowReader, parseJson } from '../../../platform/db/query.ts'
import type { Row } from '../../../platform/db/row.ts'
import { merchantTable } from '../../../platform/db/schema/merchants.ts'
import { menuTable } from '../../../platform/db/schema/resources/menus.ts'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import { productTable } from '../../../platform/db/schema/resources/products.ts'
import {
  type PublicModifier,
  type PublicProduct,
  productFood,
  storedMenu,
  storedModifier,
  storedProduct,
  venue as venueSchema,
} from '../public-menu.ts'
import { detailsName, textsName } from './catalogue-statements.ts'
import { storedTexts, translate } from './translate.ts'

const readWholeVenue = createRowReader(merchantTable, venueSchema)

/** Reads a venue, without damaged optional fields, which it reports. Throws `DamagedError` if another field is damaged. */
export function readVenueRow({ report }: Pick<Database, 'report'>, row: Row): z.output<typeof venueSchema> {
  try {
    return readWholeVenue(row)
  } catch (error) {
    const venue = error instanceof DamagedError && venueSchema.safeParse(error.readable).data
    if (!venue) throw error
    report([{ ...error.damage, merchantId: venue.id }])
    return venue
  }
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

export function readModifier(row: Row, { merchantId, isTranslated }: ReadOptions): PublicModifier {
  const modifier = readStoredModifier(row)
  if (!isTranslated) return modifier
  const texts = readTexts(storedTexts.modifier, row, merchantId)
  const options = modifier.options.map((option) => translate(option, ['label'], texts.options?.[option.id]))
  return translate({ ...modifier, options }, ['title', 'instructions', 'description'], texts)
}

/** Reads a product, without the modifiers that were left out. */
export function readProduct(
  row: Row,
  { merchantId, isTranslated }: ReadOptions,
  modifiers: ReadonlyMap<string, PublicModifier>,
): PublicProduct {
  const product = readStoredProduct(row)
  const texts = isTranslated && readTexts(storedTexts.product, row, merchantId)
  // Options do not state allergens, so a modifier that was left out may add some.
  const hasOptions = product.modifiers.some((id) => modifiers.get(id)?.options.length !== 0)
  return {
    ...(texts ? translate(product, ['title', 'description'], texts) : product),
    ...withoutContradictedDiets(readRowDetails(productFood, row, merchantId) ?? {}),
    modifiers: product.modifiers.filter((id) => modifiers.has(id)),
    soldOut: row['is_sold_out'] === 1,
    ...(hasOptions && { choicesMayAddAllergens: true }),
  }
}
