import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { readRows } from '../db/damaged-rows.ts'
import { compile, type Database, lazy, param } from '../db/database.ts'
import type { Row } from '../db/row.ts'
import { createRowReader } from '../db/row-reader.ts'
import { merchantTable } from '../db/schema/merchants.ts'
import { productModifiers } from '../db/schema/resources/products.ts'
import { estimateBytes } from '../lib/byte-cache.ts'
import { menus as menuResource } from '../resources/menus.ts'
import { modifiers as modifierResource } from '../resources/modifiers.ts'
import { products as productResource } from '../resources/products.ts'
import type { TagRecord } from '../tags/tag-record.ts'
import { createClock, getMinute, getNextChange, isOpen } from './opening-hours.ts'

const [menuTable, productTable, modifierTable] = [menuResource.table, productResource.table, modifierResource.table]

/** More visible menus than this are not shown. */
const maxMenus = 100

const venue = z.object({
  id: z.string(),
  name: z.string(),
  timezone: z.string(),
  currency: z.optional(z.string()),
})
const menu = z.omit(menuResource.item, { testMode: true, createdAt: true, updatedAt: true, visible: true })
const product = z.pick(productResource.item, {
  id: true,
  title: true,
  price: true,
  description: true,
  calories: true,
  manageStock: true,
  stockQuantity: true,
  images: true,
  modifiers: true,
})
const modifier = z.omit(modifierResource.item, { testMode: true, createdAt: true, updatedAt: true })

const publicProduct = z.extend(z.omit(product, { manageStock: true, stockQuantity: true }), { soldOut: z.boolean() })
const publicSection = z.extend(z.omit(menu.shape.sections.def.element, { items: true }), {
  products: z.array(publicProduct),
})
const publicMenuEntry = z.extend(menu, { sections: z.array(publicSection) })
export type PublicProduct = z.output<typeof publicProduct>
export type PublicSection = z.output<typeof publicSection>
export type PublicMenuEntry = z.output<typeof publicMenuEntry>
export type OfferedModifier = z.output<typeof modifier>

/** What a venue offers its guests at a moment. Only what they may see is in it. */
export const publicMenu = z.object({
  venue,
  testMode: z.boolean(),
  tag: z.optional(z.object({ id: z.string(), metadata: z.array(z.object({ key: z.string(), value: z.string() })) })),
  availableAt: z.int().check(z.describe('The moment, in seconds.')),
  nextChangeAt: z
    .optional(z.int())
    .check(z.describe('When other menus will be offered; absent where that never changes.')),
  nextMenus: z.array(z.string()).check(z.describe('Titles of the menus that are offered then, where none is now.')),
  menus: z.array(publicMenuEntry),
  modifiers: z.array(modifier).check(z.describe('Each modifier that a product in `menus` names, once.')),
  truncated: z.boolean().check(z.describe('Whether the catalogue is larger than what is shown of it at all.')),
})
export type PublicMenu = z.output<typeof publicMenu>

/**
 * Most bytes of visible menus, of their products and of the products' modifiers that are read. Each is cut where it is larger: what
 * stands first on the page is read first.
 */
export const maxMenuBytes = 1024 * 1024
export const maxProductBytes = 1536 * 1024
export const maxModifierBytes = 1536 * 1024
/** What a row costs besides its texts, in bytes. */
const rowBytes = 200

/** Bytes of a row by its columns of variable length. */
const sizeOf = (...columns: readonly SQLiteColumn[]) =>
  sql.join([sql`${rowBytes}`, ...columns.map((column) => sql`coalesce(length(cast(${column} as blob)), 0)`)], sql` + `)

/** Rows up to a budget in bytes, in order; the first that exceeds it is among them, so that it is known that there are more. */
const upTo = (maxBytes: number, rows: SQL) => sql`select * from (${rows}) where total - size < ${maxBytes}`
/** The columns that `upTo` goes by. */
const counted = (size: SQL, order: SQL) =>
  sql`${size} as size, sum(${size}) over (order by ${order} rows unbounded preceding) as total`

/** One transaction, so that what is read fits together. */
const statements = lazy(() => {
  const isShown = sql`${menuTable.merchantId} = ${param('merchantId')} and ${menuTable.testMode} = ${param('testMode')} and ${menuTable.visible}`
  const shown = sql`select ${menuTable.id}, ${menuTable.sections} from ${menuTable} where ${isShown} order by ${menuTable.id} limit ${maxMenus}`
  // Where a product stands first: sections and items have less than 1,000 and 10,000 places.
  const placed = sql`select item.value as id, min((shown.place * 1000 + section.key) * 10000 + item.key) as place
    from (select sections, row_number() over (order by id) as place from (${shown})) as shown
    cross join json_each(shown.sections) as section cross join json_each(section.value, '$.items') as item group by item.value`
  const isOffered = sql`${productTable.merchantId} = ${param('merchantId')} and ${productTable.testMode} = ${param('testMode')}
    and ${productTable.id} = placed.id and ${productTable.visible}`
  const chosen = sql`select ${productModifiers.target} as seq, min(placed.place) as place from (${placed}) as placed
    cross join ${productTable} on ${isOffered}
    cross join ${productModifiers} on ${productModifiers.owner} = ${productTable.seq} group by ${productModifiers.target}`
  const { id, title, price, description, calories, manageStock, stockQuantity, images, modifiers } = productTable
  const printed = sql.join(
    [id, title, price, description, calories, manageStock, stockQuantity, images, modifiers],
    sql`, `,
  )
  const menuSize = sizeOf(menuTable.title, menuTable.description, menuTable.branding, menuTable.sections)
  const productSize = sizeOf(title, description, images, modifiers)
  const modifierSize = sizeOf(
    modifierTable.title,
    modifierTable.description,
    modifierTable.instructions,
    modifierTable.options,
  )
  return {
    venue: compile(sql`select * from ${merchantTable} where ${merchantTable.id} = ${param('merchantId')}`),
    menus: compile(
      sql`${upTo(maxMenuBytes, sql`select *, ${counted(menuSize, sql`${menuTable.id}`)} from ${menuTable} where ${isShown}`)} order by id limit ${maxMenus}`,
    ),
    products: compile(
      sql`${upTo(maxProductBytes, sql`select ${printed}, ${counted(productSize, sql`placed.place`)} from (${placed}) as placed cross join ${productTable} on ${isOffered}`)} order by total`,
    ),
    modifiers: compile(
      sql`${upTo(maxModifierBytes, sql`select ${modifierTable}.*, ${counted(modifierSize, sql`chosen.place, ${modifierTable.id}`)} from (${chosen}) as chosen cross join ${modifierTable} on ${modifierTable.seq} = chosen.seq`)} order by total`,
    ),
  }
})

const readVenue = createRowReader(merchantTable, venue)
const readMenu = createRowReader(menuTable, menu)
const readProduct = createRowReader(productTable, product)
const readModifier = createRowReader(modifierTable, modifier)

const byId = <Item extends { id: string }>(items: readonly Item[]) => new Map(items.map((item) => [item.id, item]))
const toList = <Item>(item: Item | undefined): Item[] => (item === undefined ? [] : [item])

/** Everything a merchant offers in one mode, at any time of day. */
export interface Catalogue {
  readAtMs: number
  venue: z.output<typeof venue>
  testMode: boolean
  menus: readonly z.output<typeof menu>[]
  products: ReadonlyMap<string, PublicProduct>
  modifiers: ReadonlyMap<string, OfferedModifier>
  /** There is more than was read. */
  truncated: boolean
}

/** Upper estimate of what a catalogue takes in memory, in bytes. */
export const catalogueBytes = ({ products, modifiers, ...rest }: Catalogue) =>
  estimateBytes({ ...rest, products: [...products], modifiers: [...modifiers] })

/** The rows within a budget, and whether there are more. */
function withinBudget(maxBytes: number, rows: readonly Row[]): { rows: readonly Row[]; isCut: boolean } {
  const isCut = Number(rows.at(-1)?.['total'] ?? 0) > maxBytes
  return { rows: isCut ? rows.slice(0, -1) : rows, isCut }
}

/** What a merchant offers in a mode; undefined where there is no such merchant. One round trip. */
export async function readCatalogue(
  database: Database,
  { merchantId, testMode }: { merchantId: string; testMode: boolean },
): Promise<Catalogue | undefined> {
  const readAtMs = Date.now()
  const values = { merchantId, testMode: testMode ? 1 : 0 }
  const ask = statements()
  const [venues = [], menuRows = [], productRows = [], modifierRows = []] = await database.run(
    [ask.venue, values],
    [ask.menus, values],
    [ask.products, values],
    [ask.modifiers, values],
  )
  const [found] = venues
  if (!found) return undefined
  const menus = withinBudget(maxMenuBytes, menuRows)
  const products = withinBudget(maxProductBytes, productRows)
  const modifiers = withinBudget(maxModifierBytes, modifierRows)
  const known = byId(readRows(database, modifiers.rows, readModifier))
  return {
    readAtMs,
    venue: readVenue(found),
    testMode,
    menus: readRows(database, menus.rows, readMenu),
    products: byId(
      readRows(database, products.rows, (row) => {
        const { manageStock, stockQuantity, ...fields } = readProduct(row)
        return {
          ...fields,
          modifiers: fields.modifiers.filter((id) => known.has(id)),
          soldOut: manageStock && stockQuantity !== undefined && stockQuantity <= 0,
        }
      }),
    ),
    modifiers: known,
    truncated: menus.isCut || products.isCut || modifiers.isCut,
  }
}

/** What of a catalogue is offered at a moment, in seconds, to guests who have scanned a tag or none. */
export function offerAt(
  { venue, testMode, menus, products, modifiers, truncated }: Catalogue,
  tag: TagRecord | undefined,
  at: number,
): PublicMenu {
  const clock = createClock(venue.timezone)
  const openAt = (moment: number) => {
    const minute = getMinute(clock, moment)
    return menus.filter((menu) => isOpen(menu, minute))
  }
  const open = openAt(at)
  const nextChangeAt = getNextChange(menus, clock, at)
  return {
    venue,
    testMode,
    tag: tag && { id: tag.id, metadata: tag.shown.map(([key, value]) => ({ key, value })) },
    availableAt: at,
    nextChangeAt,
    nextMenus: open.length > 0 || nextChangeAt === undefined ? [] : openAt(nextChangeAt).map(({ title }) => title),
    menus: open.map(({ sections, ...menu }) => ({ ...menu, sections: toPublicSections(sections, products) })),
    modifiers: [...modifiers.values()],
    truncated,
  }
}

/** A section all of whose products are hidden is hidden itself. */
function toPublicSections(
  sections: z.output<typeof menu>['sections'],
  products: ReadonlyMap<string, PublicProduct>,
): PublicSection[] {
  return sections.flatMap(({ items, ...section }) => {
    const offered = items.flatMap((id) => toList(products.get(id)))
    return offered.length > 0 || items.length === 0 ? [{ ...section, products: offered }] : []
  })
}
