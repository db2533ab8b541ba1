import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { merchants } from '../core/accounts.ts'
import { compile, type Database, lazy } from '../core/database.ts'
import { createReader } from '../core/reader.ts'
import { menuProducts, menus as menuResource } from '../resources/menus.ts'
import { modifiers as modifierResource } from '../resources/modifiers.ts'
import { productModifiers, products as productResource } from '../resources/products.ts'
import { tagNames, tagTable } from '../resources/tags.ts'
import { namesOf } from './entry.ts'
import { createClock, isOpen, minuteAt, nextChange } from './opening.ts'

const given = sql.placeholder

const [menuTable, productTable, modifierTable] = [menuResource.table, productResource.table, modifierResource.table]

/** More visible menus than this are not shown. */
const mostMenus = 100

const venue = z.object({
  id: z.string(),
  name: z.string(),
  timezone: z.string(),
  currency: z.optional(z.string()),
})
const tag = z.object({
  id: z.string(),
  testMode: z.boolean(),
  metadata: z.array(z.object({ key: z.string(), value: z.string(), visible: z.boolean() })),
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

const offeredProduct = z.extend(z.omit(product, { manageStock: true, stockQuantity: true }), {
  soldOut: z.boolean(),
  modifiers: z.array(modifier),
})
const offeredSection = z.extend(z.omit(menu.shape.sections.def.element, { items: true }), {
  products: z.array(offeredProduct),
})
const offeredMenu = z.extend(menu, { sections: z.array(offeredSection) })
export type OfferedProduct = z.output<typeof offeredProduct>
export type OfferedSection = z.output<typeof offeredSection>
export type OfferedMenu = z.output<typeof offeredMenu>

/** What a venue offers its guests at a moment. Only what they may see is in it. */
export const offer = z.object({
  venue,
  testMode: z.boolean(),
  tag: z.optional(z.object({ id: z.string(), metadata: z.array(z.object({ key: z.string(), value: z.string() })) })),
  availableAt: z.int().check(z.describe('The moment, in seconds.')),
  nextChangeAt: z
    .optional(z.int())
    .check(z.describe('When other menus will be offered; absent where that never changes.')),
  nextMenus: z.array(z.string()).check(z.describe('Titles of the menus that are offered then, where none is now.')),
  menus: z.array(offeredMenu),
})
export type Offer = z.output<typeof offer>

/** One transaction, so that what is read fits together. */
const statements = lazy(() => {
  /** The tag a guest has scanned, as long as it is this merchant's. */
  const scanned = sql`select ${tagTable.seq} from json_each(${given('names')}) as asked
    cross join ${tagNames} on ${tagNames.name} = asked.value cross join ${tagTable} on ${tagTable.seq} = ${tagNames.tag}
    where ${tagTable.merchantId} = ${given('merchantId')} order by asked.key limit 1`
  const mode = sql`coalesce((select ${tagTable.testMode} from ${tagTable} where ${tagTable.seq} = (${scanned})), 0)`
  const isShown = sql`${menuTable.merchantId} = ${given('merchantId')} and ${menuTable.testMode} = ${mode} and ${menuTable.visible}`
  const shown = sql`select ${menuTable.seq} from ${menuTable} where ${isShown}`
  const named = sql`select ${menuProducts.target} from ${menuProducts} where ${menuProducts.owner} in (${shown})`
  const chosen = sql`select ${productModifiers.target} from ${productModifiers} where ${productModifiers.owner} in (${named})`
  const { id, title, price, description, calories, manageStock, stockQuantity, images, modifiers } = productTable
  const printed = sql.join(
    [id, title, price, description, calories, manageStock, stockQuantity, images, modifiers],
    sql`, `,
  )
  return {
    venue: compile(sql`select * from ${merchants} where ${merchants.id} = ${given('merchantId')}`),
    tag: compile(sql`select * from ${tagTable} where ${tagTable.seq} = (${scanned})`),
    menus: compile(sql`select * from ${menuTable} where ${isShown} order by ${menuTable.id} limit ${mostMenus}`),
    products: compile(
      sql`select ${printed} from ${productTable} where ${productTable.seq} in (${named}) and ${productTable.visible}`,
    ),
    modifiers: compile(sql`select * from ${modifierTable} where ${modifierTable.seq} in (${chosen})`),
  }
})

const readVenue = createReader(merchants, venue)
const readTag = createReader(tagTable, tag)
const readMenu = createReader(menuTable, menu)
const readProduct = createReader(productTable, product)
const readModifier = createReader(modifierTable, modifier)

const byId = <Item extends { id: string }>(items: readonly Item[]) => new Map(items.map((item) => [item.id, item]))
const present = <Item>(item: Item | undefined): Item[] => (item === undefined ? [] : [item])

/**
 * What a merchant offers at a moment, in seconds: in the mode of the tag, if that is one of the merchant's, else live.
 * Undefined where there is no such merchant. One round trip.
 */
export async function readOffer(
  database: Database,
  { merchantId, tagName, at }: { merchantId: string; tagName: string | undefined; at: number },
): Promise<Offer | undefined> {
  const values = { merchantId, names: JSON.stringify(tagName === undefined ? [] : namesOf(tagName)) }
  const ask = statements()
  const [venues = [], tags = [], menuRows = [], productRows = [], modifierRows = []] = await database.run(
    [ask.venue, values],
    [ask.tag, values],
    [ask.menus, values],
    [ask.products, values],
    [ask.modifiers, values],
  )
  const [found] = venues
  if (!found) return undefined
  const place = readVenue(found)
  const [scanned] = tags.map(readTag)
  const modifiers = byId(modifierRows.map(readModifier))
  const products = byId(
    productRows.map((row) => {
      const { manageStock, stockQuantity, ...fields } = readProduct(row)
      return {
        ...fields,
        soldOut: manageStock && stockQuantity !== undefined && stockQuantity <= 0,
        modifiers: fields.modifiers.flatMap((id) => present(modifiers.get(id))),
      }
    }),
  )
  const menus = menuRows.map(readMenu)
  const clock = createClock(place.timezone)
  const openAt = (moment: number) => {
    const minute = minuteAt(clock, moment)
    return menus.filter((menu) => isOpen(menu, minute))
  }
  const open = openAt(at)
  const nextChangeAt = nextChange(menus, clock, at)
  return {
    venue: place,
    testMode: scanned?.testMode ?? false,
    tag: scanned && { id: scanned.id, metadata: shownOf(scanned.metadata) },
    availableAt: at,
    nextChangeAt,
    nextMenus: open.length > 0 || nextChangeAt === undefined ? [] : openAt(nextChangeAt).map(({ title }) => title),
    menus: open.map(({ sections, ...menu }) => ({ ...menu, sections: offered(sections, products) })),
  }
}

const shownOf = (metadata: z.output<typeof tag>['metadata']) =>
  metadata.filter(({ visible }) => visible).map(({ key, value }) => ({ key, value }))

/** A section all of whose products are hidden is hidden itself. */
function offered(
  sections: z.output<typeof menu>['sections'],
  products: ReadonlyMap<string, OfferedProduct>,
): OfferedSection[] {
  return sections.flatMap(({ items, ...section }) => {
    const offered = items.flatMap((id) => present(products.get(id)))
    return offered.length > 0 || items.length === 0 ? [{ ...section, products: offered }] : []
  })
}
