import * as z from 'zod/mini'
import { type Damage, readRows } from '../../../platform/db/damaged-rows.ts'
import type { Database } from '../../../platform/db/database.ts'
import { parseJson } from '../../../platform/db/query.ts'
import type { Row } from '../../../platform/db/row.ts'
import { findServiceState, type ServiceStateRow } from '../../../platform/db/service/service-state.ts'
import { estimateBytes } from '../../../platform/lib/byte-cache.ts'
import { toSeconds } from '../../../platform/lib/time.ts'
import { createJudge } from '../contents/judge.ts'
import type { PublicCharge, PublicModifier, PublicProduct, venue as venueSchema } from '../public-menu.ts'
import { readChargeRow, readMenu, readModifier, readProduct, readVenueRow } from './catalogue-rows.ts'
import {
  catalogueStatements,
  languageName,
  languagesName,
  maxMenuBytes,
  maxMenus,
  maxModifierBytes,
  maxPartBytes,
  maxProductBytes,
  orderingName,
  sandboxName,
} from './catalogue-statements.ts'
import type { WantedLanguages } from './content-language.ts'
import { keepModifiers, keepParts } from './leave-out-gone.ts'

const byId = <Item extends { id: string }>(items: readonly Item[]) => new Map(items.map((item) => [item.id, item]))

const readText = (value: unknown) => (typeof value === 'string' ? value : undefined)
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
  /** Addresses of the ordering system in live mode and in test mode. */
  orderingUrl: string | undefined
  sandboxUrl: string | undefined
  /** The merchant is suspended or closed. */
  suspended: boolean
  /** Absent if the venue was never paused. */
  service: ServiceStateRow | undefined
  menus: readonly ReturnType<typeof readMenu>[]
  products: ReadonlyMap<string, PublicProduct>
  /** Parts of bundles that are on no menu, or hidden there. */
  parts: ReadonlyMap<string, PublicProduct>
  modifiers: ReadonlyMap<string, PublicModifier>
  charges: readonly PublicCharge[]
  /** Whether rows were left out because of a budget. */
  truncated: boolean
}

/** Upper estimate of the memory that a catalogue takes, in bytes. */
export const estimateCatalogueBytes = ({ products, parts, modifiers, ...rest }: Catalogue) =>
  estimateBytes({ ...rest, products: [...products], parts: [...parts], modifiers: [...modifiers] })

const getTotal = ({ total }: Row) => Number(total)

/** The rows within a budget in the order of the page, and whether more rows exist: the statement then returns one of them. */
function cutToBudget(maxBytes: number, found: readonly Row[], maxRows = Number.POSITIVE_INFINITY) {
  const rows = found.toSorted((one, other) => getTotal(one) - getTotal(other))
  const isCut = rows.length > maxRows || getTotal(rows.at(-1) ?? { total: 0 }) > maxBytes
  return { rows: isCut ? rows.slice(0, -1) : rows, isCut }
}

/** Ids that options and bundles name and that are not among what was read. */
function listMissing(products: ReadonlyMap<string, PublicProduct>, modifiers: ReadonlyMap<string, PublicModifier>) {
  const parts = new Set<string>()
  const nested = new Set<string>()
  for (const { bundle } of products.values()) {
    for (const { items } of bundle?.groups ?? []) for (const { product } of items) parts.add(product)
  }
  for (const { options } of modifiers.values()) {
    for (const { modifiers: ids = [] } of options) for (const id of ids) nested.add(id)
  }
  return {
    parts: [...parts].filter((id) => !products.has(id)),
    nested: [...nested].filter((id) => !modifiers.has(id)),
  }
}

/** Marks what is sold out because too little is left to choose, and whose choices may add allergens. */
function createCompletion(
  products: ReadonlyMap<string, PublicProduct>,
  modifiers: ReadonlyMap<string, PublicModifier>,
) {
  const judge = createJudge({ products, modifiers }, { diets: [], without: [] })
  const complete = (product: PublicProduct): PublicProduct => ({
    ...product,
    soldOut: judge.isSoldOut(product),
    ...(product.bundle && {
      bundle: {
        groups: product.bundle.groups.map((group) => ({
          ...group,
          items: group.items.map((part) => (judge.judgePart(part).isAvailable ? part : { ...part, soldOut: true })),
        })),
      },
    }),
    ...(judge.mayAddAllergens(product) && { choicesMayAddAllergens: true }),
  })
  return (some: ReadonlyMap<string, PublicProduct>) => byId(Array.from(some.values(), complete))
}

/**
 * Reads a merchant's catalogue in a mode; undefined if the merchant does not exist. One round trip, or two for an unknown merchant, and for options or
 * bundles that name modifiers or products which are on no menu.
 */
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
      [compiled.charges, values],
      [findServiceState(), values],
    )
  const [[venueRow], menuRows, productRows, modifierRows, [chargeRow], [service]] = await database.findNamed(
    read,
    ([[row]]) => row !== undefined,
  )
  if (!venueRow) return undefined
  const menus = cutToBudget(maxMenuBytes, menuRows, maxMenus)
  const products = cutToBudget(maxProductBytes, productRows)
  const modifiers = cutToBudget(maxModifierBytes, modifierRows)
  const language = venueRow[languageName]
  const options = { merchantId, isTranslated: typeof language === 'string' }
  const damages: Damage[] = []
  const readModifiers = (rows: readonly Row[]) => readRows(database, rows, (row) => readModifier(row, options))
  const readProducts = (rows: readonly Row[], known: ReadonlyMap<string, PublicModifier>) =>
    readRows(database, rows, (row) => readProduct(row, options, known, (damage) => damages.push(damage)))
  const modifiersById = byId(readModifiers(modifiers.rows))
  const productsById = byId(readProducts(products.rows, modifiersById))
  const missing = listMissing(productsById, modifiersById)
  let parts: typeof productsById = new Map()
  /** Ids of the named objects that exist; undefined if some may have been left out. */
  let existing: ReadonlySet<unknown> | undefined = new Set()
  if (missing.parts.length + missing.nested.length > 0) {
    const named = { ...values, parts: JSON.stringify(missing.parts), nested: JSON.stringify(missing.nested) }
    const [partRows, moreRows] = await database.run([compiled.parts, named], [compiled.moreModifiers, named])
    const [more, found] = [cutToBudget(maxPartBytes, moreRows), cutToBudget(maxPartBytes, partRows)]
    for (const modifier of readModifiers(more.rows)) modifiersById.set(modifier.id, modifier)
    parts = byId(readProducts(found.rows, modifiersById))
    existing = more.isCut || found.isCut ? undefined : new Set([...moreRows, ...partRows].map(({ id }) => id))
  }
  const truncated = menus.isCut || products.isCut || modifiers.isCut
  const objects = {
    products: new Map([...parts, ...productsById]),
    modifiers: modifiersById,
    isKept: (id: string) => existing === undefined || existing.has(id) || productsById.has(id) || modifiersById.has(id),
    isWhole: !truncated && existing !== undefined,
  }
  const known = keepModifiers(objects)
  const complete = createCompletion(keepParts(objects.products, objects), known)
  if (damages.length > 0) database.report(damages)
  const venue = readVenueRow(database, venueRow, typeof language === 'string' ? language : undefined)
  return {
    readAtMs,
    venue,
    testMode,
    language: typeof language === 'string' ? language : undefined,
    languages: languageList.parse(parseJson(String(venueRow[languagesName]))),
    orderingUrl: readText(venueRow[orderingName]),
    sandboxUrl: readText(venueRow[sandboxName]),
    suspended: venueRow['suspended'] === 1,
    service,
    menus: readRows(database, menus.rows, (row) => readMenu(row, options)),
    products: complete(keepParts(productsById, objects)),
    parts: complete(keepParts(parts, objects)),
    modifiers: known,
    charges: readChargeRow(database, chargeRow, venue, typeof language === 'string' ? language : undefined),
    truncated,
  }
}
