import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod/mini'
import { DamagedError, readRows } from '../db/damaged-rows.ts'
import { compile, type Database, lazy, param } from '../db/database.ts'
import type { Row } from '../db/row.ts'
import { createRowReader, parseJson } from '../db/row-reader.ts'
import { merchantTable, suspendedField } from '../db/schema/merchants.ts'
import { detailTable, isSideOf } from '../db/schema/objects/details.ts'
import type { ResourceTable } from '../db/schema/resource-columns.ts'
import { productModifiers } from '../db/schema/resources/products.ts'
import { isSoldOut, joinAvailability } from '../db/sold-out.ts'
import { estimateBytes } from '../lib/byte-cache.ts'
import { menuDetails } from '../resources/details/menu-details.ts'
import { menus as menuResource } from '../resources/menus.ts'
import { modifiers as modifierResource } from '../resources/modifiers.ts'
import { products as productResource } from '../resources/products.ts'
import {
  type PublicModifier,
  type PublicProduct,
  productFood,
  storedMenu,
  storedModifier,
  storedProduct,
  venue as venueSchema,
} from './public-menu.ts'

const [menuTable, productTable, modifierTable] = [menuResource.table, productResource.table, modifierResource.table]

/** Most visible menus in a catalogue. */
const maxMenus = 100

/** Most bytes of rows that one read returns. A larger catalogue is cut: what comes first on the page is read first. */
export const maxMenuBytes = 1024 * 1024
export const maxProductBytes = 1536 * 1024
export const maxModifierBytes = 1536 * 1024
/** Bytes of a row apart from its texts. */
const rowBytes = 200
/** Upper bounds of the positions of a section in its menu and of an item in its section. */
const maxSectionPosition = 1_000
const maxItemPosition = 10_000

/** The columns of a shape's fields. A field without a column fails to compile. */
function getColumns<Key extends string>(
  { shape }: { shape: Readonly<Record<Key, unknown>> },
  table: Readonly<Record<NoInfer<Key>, SQLiteColumn>>,
): SQLiteColumn[] {
  const columns: SQLiteColumn[] = []
  for (const key in shape) columns.push(table[key])
  return columns
}

const list = (columns: readonly SQLiteColumn[]) => sql.join([...columns], sql`, `)

/** Name of the column with the stored details of an object. */
const detailsName = 'details'
const selectDetails = sql`${detailTable.data} as ${sql.identifier(detailsName)}`
const joinDetails = (table: ResourceTable) => sql`left join ${detailTable} on ${isSideOf(detailTable, table)}`

/** Size of a row in bytes: its texts and a constant for everything of fixed length, ids included. */
const getRowSize = (columns: readonly SQLiteColumn[]) =>
  sql.join(
    [
      sql`${rowBytes}`,
      ...columns
        .filter((column) => column.getSQLType() === 'text' && column.name !== 'id')
        .map((column) => sql`coalesce(length(cast(${column} as blob)), 0)`),
    ],
    sql` + `,
  )

/** Rows in order up to a budget in bytes. The first row beyond the budget is included: it shows that there are more. */
const limitBytes = (maxBytes: number, rows: SQL) =>
  sql`select * from (${rows}) where total - size < ${maxBytes} order by total`
/** The columns that `limitBytes` and `cutToBudget` read. */
const withTotal = (size: SQL, order: SQL) =>
  sql`${size} as size, sum(${size}) over (order by ${order} rows unbounded preceding) as total`

/** One transaction, for a consistent catalogue. Raw SQL: the builder has no window functions and no `json_each`. */
const statements = lazy(() => {
  const isVisibleMenu = sql`${menuTable.merchantId} = ${param('merchantId')} and ${menuTable.testMode} = ${param('testMode')} and ${menuTable.visible}`
  const visibleMenus = sql`select ${menuTable.id} as id, ${menuTable.sections} as sections from ${menuTable} where ${isVisibleMenu} order by ${menuTable.id} limit ${maxMenus}`
  // The first position of each product on the page.
  const placed = sql`select item.value as id, min((shown.place * ${sql.raw(`${maxSectionPosition}`)} + section.key) * ${sql.raw(`${maxItemPosition}`)} + item.key) as place
    from (select sections, row_number() over (order by id) as place from (${visibleMenus})) as shown
    cross join json_each(shown.sections) as section cross join json_each(section.value, '$.items') as item group by item.value`
  const isVisibleProduct = sql`${productTable.merchantId} = ${param('merchantId')} and ${productTable.testMode} = ${param('testMode')}
    and ${productTable.id} = placed.id and ${productTable.visible}`
  const chosen = sql`select ${productModifiers.target} as seq, min(placed.place) as place from (${placed}) as placed
    cross join ${productTable} on ${isVisibleProduct}
    cross join ${productModifiers} on ${productModifiers.owner} = ${productTable.seq} group by ${productModifiers.target}`
  const venueColumns = getColumns(venueSchema, merchantTable)
  const menuColumns = getColumns(storedMenu, menuTable)
  const productColumns = getColumns(storedProduct, productTable)
  const modifierColumns = getColumns(storedModifier, modifierTable)
  const menuTotal = withTotal(getRowSize([...menuColumns, detailTable.data]), sql`${menuTable.id}`)
  const productTotal = withTotal(getRowSize([...productColumns, detailTable.data]), sql`placed.place`)
  const modifierTotal = withTotal(getRowSize(modifierColumns), sql`chosen.place, ${modifierTable.id}`)
  const menuRows = sql`select ${list(menuColumns)}, ${selectDetails}, ${menuTotal} from ${menuTable} ${joinDetails(menuTable)} where ${isVisibleMenu}`
  const productRows = sql`select ${list(productColumns)}, ${selectDetails}, ${isSoldOut} as is_sold_out, ${productTotal}
    from (${placed}) as placed cross join ${productTable} on ${isVisibleProduct} ${joinAvailability} ${joinDetails(productTable)}`
  const modifierRows = sql`select ${list(modifierColumns)}, ${modifierTotal} from (${chosen}) as chosen cross join ${modifierTable} on ${modifierTable.seq} = chosen.seq`
  return {
    venue: compile(
      sql`select ${list(venueColumns)}, ${suspendedField} as suspended from ${merchantTable} where ${merchantTable.id} = ${param('merchantId')}`,
    ),
    menus: compile(sql`${limitBytes(maxMenuBytes, menuRows)} limit ${maxMenus}`),
    products: compile(limitBytes(maxProductBytes, productRows)),
    modifiers: compile(limitBytes(maxModifierBytes, modifierRows)),
  }
})

const readVenue = createRowReader(merchantTable, venueSchema)
const readStoredMenu = createRowReader(menuTable, storedMenu)
const readStoredProduct = createRowReader(productTable, storedProduct)
const readModifier = createRowReader(modifierTable, storedModifier)

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

/** A menu with its details, without translations. */
const readMenu = (row: Row, merchantId: string) => ({
  ...readStoredMenu(row),
  details: readRowDetails(menuDetails.view, row, merchantId) ?? {},
})

/** Reads a product, without the modifiers that were left out. */
function readProduct(row: Row, merchantId: string, modifiers: ReadonlyMap<string, PublicModifier>): PublicProduct {
  const product = readStoredProduct(row)
  return {
    ...product,
    ...readRowDetails(productFood, row, merchantId),
    modifiers: product.modifiers.filter((id) => modifiers.has(id)),
    soldOut: row['is_sold_out'] === 1,
  }
}

const byId = <Item extends { id: string }>(items: readonly Item[]) => new Map(items.map((item) => [item.id, item]))

/** Everything that a merchant offers in one mode, at any time of day. */
export interface Catalogue {
  readAtMs: number
  venue: z.output<typeof venueSchema>
  testMode: boolean
  /** The merchant is suspended or closed. */
  suspended: boolean
  menus: readonly ReturnType<typeof readMenu>[]
  products: ReadonlyMap<string, PublicProduct>
  modifiers: ReadonlyMap<string, PublicModifier>
  /** Whether rows were left out because of a budget. */
  truncated: boolean
}

/** Upper estimate of the memory that a catalogue takes, in bytes. */
export const estimateCatalogueBytes = ({ products, modifiers, ...rest }: Catalogue) =>
  estimateBytes({ ...rest, products: [...products], modifiers: [...modifiers] })

/** The rows within a budget, and whether there are more. */
function cutToBudget(maxBytes: number, rows: readonly Row[]): { rows: readonly Row[]; isCut: boolean } {
  const isCut = Number(rows.at(-1)?.['total'] ?? 0) > maxBytes
  return { rows: isCut ? rows.slice(0, -1) : rows, isCut }
}

/** Reads a merchant's catalogue in a mode; undefined if there is no such merchant. One round trip. */
export async function readCatalogue(
  database: Database,
  { merchantId, testMode }: { merchantId: string; testMode: boolean },
): Promise<Catalogue | undefined> {
  const readAtMs = Date.now()
  const values = { merchantId, testMode: testMode ? 1 : 0, now: Math.floor(readAtMs / 1000) }
  const compiled = statements()
  const [[venueRow], menuRows, productRows, modifierRows] = await database.run(
    [compiled.venue, values],
    [compiled.menus, values],
    [compiled.products, values],
    [compiled.modifiers, values],
  )
  if (!venueRow) return undefined
  const menus = cutToBudget(maxMenuBytes, menuRows)
  const products = cutToBudget(maxProductBytes, productRows)
  const modifiers = cutToBudget(maxModifierBytes, modifierRows)
  const modifiersById = byId(readRows(database, modifiers.rows, readModifier))
  return {
    readAtMs,
    venue: readVenue(venueRow),
    testMode,
    suspended: venueRow['suspended'] === 1,
    menus: readRows(database, menus.rows, (row) => readMenu(row, merchantId)),
    products: byId(readRows(database, products.rows, (row) => readProduct(row, merchantId, modifiersById))),
    modifiers: modifiersById,
    truncated: menus.isCut || products.isCut || modifiers.isCut,
  }
}
