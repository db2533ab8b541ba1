import * as z from 'zod/mini'
import { readRows } from '../../../platform/db/damaged-rows.ts'
import type { Database } from '../../../platform/db/database.ts'
import { parseJson } from '../../../platform/db/query.ts'
import type { Row } from '../../../platform/db/row.ts'
import { estimateBytes } from '../../../platform/lib/byte-cache.ts'
import { toSeconds } from '../../../platform/lib/time.ts'
import type { PublicModifier, PublicProduct, venue as venueSchema } from '../public-menu.ts'
import { readMenu, readModifier, readProduct, readVenueRow } from './catalogue-rows.ts'
import {
  catalogueStatements,
  languageName,
  languagesName,
  maxMenuBytes,
  maxMenus,
  maxModifierBytes,
  maxProductBytes,
} from './catalogue-statements.ts'
import type { WantedLanguages } from './content-language.ts'

const byId = <Item extends { id: string }>(items: readonly Item[]) => new Map(items.map((item) => [item.id, item]))

const languageList = z.array(z.string())

/** The whole catalogue of a merchant in one mode, open or closed. */
export interface Catalogue {
  readAtMs: number
  venue: z.output<typeof venueSchema>
  testMode: boolean
  /** Language of the translations; undefined: the venue's own texts. */
  language: string | undefined
  /** Languages of all translations. */
  languages: readonly string[]
  /** The merchant is suspended or closed. */
  suspended: boolean
  menus: readonly ReturnType<typeof readMenu>[]
  products: ReadonlyMap<string, PublicProduct>
  modifiers: ReadonlyMap<string, PublicModifier>
  /** Whether rows were left out because of a budget. */
  truncated: boolean
  /** Whether products, or menus with products, were left out because of a budget. */
  lacksProducts: boolean
}

/** Upper estimate of the memory that a catalogue takes, in bytes. */
export const estimateCatalogueBytes = ({ products, modifiers, ...rest }: Catalogue) =>
  estimateBytes({ ...rest, products: [...products], modifiers: [...modifiers] })

const getTotal = ({ total }: Row) => Number(total)

/** The rows within a budget in the order of the page, and whether more rows exist: the statement then returns one of them. */
function cutToBudget(maxBytes: number, found: readonly Row[], maxRows = Number.POSITIVE_INFINITY) {
  const rows = found.toSorted((one, other) => getTotal(one) - getTotal(other))
  const isCut = rows.length > maxRows || getTotal(rows.at(-1) ?? { total: 0 }) > maxBytes
  return { rows: isCut ? rows.slice(0, -1) : rows, isCut }
}

/** Reads a merchant's catalogue in a mode; undefined if the merchant does not exist. One round trip, or two for an unknown merchant. */
export async function readCatalogue(
  database: Database,
  { merchantId, testMode, wanted }: { merchantId: string; testMode: boolean; wanted: WantedLanguages },
): Promise<Catalogue | undefined> {
  const readAtMs = Date.now()
  const values = {
    merchantId,
    testMode: testMode ? 1 : 0,
    now: toSeconds(readAtMs),
    candidates: JSON.stringify(wanted.candidates),
    preferred: wanted.preferred,
  }
  const compiled = catalogueStatements()
  const read = () =>
    database.run(
      [compiled.venue, values],
      [compiled.menus, values],
      [compiled.products, values],
      [compiled.modifiers, values],
    )
  const [[venueRow], menuRows, productRows, modifierRows] = await database.findNamed(
    read,
    ([[row]]) => row !== undefined,
  )
  if (!venueRow) return undefined
  const menus = cutToBudget(maxMenuBytes, menuRows, maxMenus)
  const products = cutToBudget(maxProductBytes, productRows)
  const modifiers = cutToBudget(maxModifierBytes, modifierRows)
  const language = venueRow[languageName]
  const options = { merchantId, isTranslated: typeof language === 'string' }
  const modifiersById = byId(readRows(database, modifiers.rows, (row) => readModifier(row, options)))
  return {
    readAtMs,
    venue: readVenueRow(database, venueRow),
    testMode,
    language: typeof language === 'string' ? language : undefined,
    languages: languageList.parse(parseJson(String(venueRow[languagesName]))),
    suspended: venueRow['suspended'] === 1,
    menus: readRows(database, menus.rows, (row) => readMenu(row, options)),
    products: byId(readRows(database, products.rows, (row) => readProduct(row, options, modifiersById))),
    modifiers: modifiersById,
    truncated: menus.isCut || products.isCut || modifiers.isCut,
    lacksProducts: menus.isCut || products.isCut,
  }
}
