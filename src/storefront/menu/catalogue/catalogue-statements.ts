import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { soundJson } from '../../../catalogue/resource/details/related-objects.ts'
import { compile, lazy, param } from '../../../platform/db/database.ts'
import { withoutIndex } from '../../../platform/db/query.ts'
import { chargeTable } from '../../../platform/db/schema/checkout/charges.ts'
import { merchantTable, suspendedField } from '../../../platform/db/schema/merchants.ts'
import { detailTable, isSideOf, translationTable } from '../../../platform/db/schema/objects/details.ts'
import type { ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { menuTable } from '../../../platform/db/schema/resources/menus.ts'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import { productModifiers, productTable } from '../../../platform/db/schema/resources/products.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { isSoldOut, joinAvailability, selectSoldOutOptions, soldOutUntil } from '../../../platform/db/sold-out.ts'
import { storedMenu, storedModifier, storedProduct, storedVenue } from '../public-menu.ts'
import { chosenLanguage, translatedLanguages } from './content-language.ts'

/** Maximum number of visible menus in a catalogue. */
export const maxMenus = 100

/** Maximum number of bytes of rows that one read returns. A larger catalogue is cut off. The part that comes first on the page is read first. */
export const maxMenuBytes = 1024 * 1024
export const maxProductBytes = 1536 * 1024
export const maxModifierBytes = 1536 * 1024
/** Maximum number of bytes of parts of bundles that no menu shows, and of modifiers of these and of options. */
export const maxPartBytes = 512 * 1024
/** Bytes of a row without its texts. */
const rowBytes = 200
/** Upper bounds of the positions of a section in its menu and of an item in its section. */
const maxSectionPosition = 1_000
const maxItemPosition = 10_000

/** The columns of the fields of a schema. A field without a column is a compile error. */
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
export const detailsName = 'details'
const selectDetails = sql`${detailTable.data} as ${sql.identifier(detailsName)}`
/** Name of the column with the ids of options that are sold out. */
export const soldOutName = 'sold_out_options'
/** Name of the column with the stored texts in the chosen language. */
export const textsName = 'texts'
const joinTexts = (table: ResourceTable) =>
  sql`left join ${translationTable} on ${isSideOf(translationTable, table)} and ${translationTable.language} = ${chosenLanguage}`
const joinDetails = (table: ResourceTable) => sql`left join ${detailTable} on ${isSideOf(detailTable, table)}`

/** Names of the columns with the language of the texts, and with all languages. */
export const [languageName, languagesName] = ['content_language', 'languages']

/** Names of the columns with the addresses of the ordering system, which guests see only as a link. */
export const [orderingName, sandboxName] = ['ordering_url', 'sandbox_url']

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

/**
 * Rows up to a budget in bytes, in any order. The caller sorts them by `total`, because D1 counts each row of a sort as another read. Includes the
 * first row beyond the budget, to show that more rows exist.
 */
const limitBytes = (maxBytes: number, rows: SQL) => sql`select * from (${rows}) where total - size < ${maxBytes}`
/** The columns that `limitBytes` and `cutToBudget` read. */
const withTotal = (size: SQL, order: SQL) =>
  sql`${size} as size, sum(${size}) over (order by ${order} rows unbounded preceding) as total`

/** One transaction, for a consistent catalogue. Raw SQL: the builder has no window functions and no `json_each`. */
export const catalogueStatements = lazy(() => {
  const isVisibleMenu = sql`${isInScope(menuTable)} and ${menuTable.visible}`
  /** The first position of each product on the page, if the condition holds. */
  const place = (
    condition: SQL,
  ) => sql`select item.value as id, min((shown.place * ${sql.raw(`${maxSectionPosition}`)} + section.key) * ${sql.raw(`${maxItemPosition}`)} + item.key) as place
    from (select sections, row_number() over (order by id) as place from (
      select ${menuTable.id} as id, ${menuTable.sections} as sections from ${menuTable}
      where ${isVisibleMenu} and ${condition} order by ${menuTable.id} limit ${maxMenus})) as shown
    cross join json_each(shown.sections) as section cross join json_each(section.value, '$.items') as item group by item.value`
  const isVisibleProduct = sql`${isInScope(productTable)} and ${productTable.id} = placed.id and ${productTable.visible}`
  // A scalar subquery is evaluated once and first. Without modifiers, the products are therefore not read again.
  const hasModifiers = sql`(select 1 from ${modifierTable} where ${isInScope(modifierTable)} limit 1)`
  const chosen = sql`select ${productModifiers.target} as seq, min(placed.place) as place from (${place(hasModifiers)}) as placed
    cross join ${productTable} on ${isVisibleProduct}
    cross join ${productModifiers} on ${productModifiers.owner} = ${productTable.seq} group by ${productModifiers.target}`
  const venueColumns = getColumns(storedVenue, merchantTable)
  const menuColumns = getColumns(storedMenu, menuTable)
  const productColumns = getColumns(storedProduct, productTable)
  const modifierColumns = getColumns(storedModifier, modifierTable)
  const sides = [detailTable.data, translationTable.texts]
  const menuTotal = withTotal(getRowSize([...menuColumns, ...sides]), sql`${menuTable.id}`)
  const productTotal = withTotal(getRowSize([...productColumns, ...sides]), sql`placed.place`)
  const modifierSize = getRowSize([...modifierColumns, ...sides])
  const modifierTotal = withTotal(modifierSize, sql`chosen.place, ${modifierTable.id}`)
  const menuRows = sql`select ${list(menuColumns)}, ${selectDetails}, ${translationTable.texts}, ${menuTotal} from ${menuTable} ${joinDetails(menuTable)} ${joinTexts(menuTable)} where ${isVisibleMenu}`
  const productRows = sql`select ${list(productColumns)}, ${selectDetails}, ${translationTable.texts}, ${isSoldOut} as is_sold_out, ${soldOutUntil} as sold_out_until, ${productTotal}
    from (${place(sql`true`)}) as placed cross join ${productTable} on ${isVisibleProduct} ${joinAvailability} ${joinDetails(productTable)} ${joinTexts(productTable)}`
  const modifierSides = sql`${joinDetails(modifierTable)} ${joinTexts(modifierTable)}`
  const selectModifiers = (total: SQL) =>
    sql`select ${list(modifierColumns)}, ${selectDetails}, ${translationTable.texts}, ${selectSoldOutOptions} as ${sql.identifier(soldOutName)}, ${total}`
  const modifierRows = sql`${selectModifiers(modifierTotal)} from (${chosen}) as chosen cross join ${modifierTable} on ${modifierTable.seq} = chosen.seq and ${withoutIndex(modifierTable.testMode)} = ${param('testMode')} ${modifierSides}`
  const isPart = sql`${isInScope(productTable)} and ${productTable.id} in (select value from json_each(${param('parts')}))`
  const partTotal = withTotal(getRowSize([...productColumns, ...sides]), sql`${productTable.id}`)
  const partRows = sql`select ${list(productColumns)}, ${selectDetails}, ${translationTable.texts}, ${isSoldOut} as is_sold_out, ${soldOutUntil} as sold_out_until, ${partTotal}
    from ${productTable} ${joinAvailability} ${joinDetails(productTable)} ${joinTexts(productTable)} where ${isPart}`
  const named = sql`select ${modifierTable.id} as id from ${modifierTable} where ${isInScope(modifierTable)} and ${modifierTable.id} in (select value from json_each(${param('nested')}))
    union select ${modifierTable.id} from ${productTable} cross join ${productModifiers} on ${productModifiers.owner} = ${productTable.seq}
      cross join ${modifierTable} on ${modifierTable.seq} = ${productModifiers.target} where ${isPart}`
  const nestedOfNamed = sql`select nested.value from (${named}) as named cross join ${modifierTable} on ${isInScope(modifierTable)} and ${modifierTable.id} = named.id ${joinDetails(modifierTable)}
    cross join json_each(${soundJson(detailTable.data)}, '$.options') as parent
    cross join json_each(case when parent.type = 'object' then parent.value end, '$.modifiers') as nested`
  const moreTotal = withTotal(modifierSize, sql`${modifierTable.id}`)
  const moreModifierRows = sql`${selectModifiers(moreTotal)} from ${modifierTable} ${modifierSides}
    where ${isInScope(modifierTable)} and ${modifierTable.id} in (${named} union ${nestedOfNamed})`
  return {
    venue: compile(
      sql`select ${list(venueColumns)}, ${suspendedField} as suspended, ${merchantTable.orderingUrl} as ${sql.identifier(orderingName)}, ${merchantTable.sandboxUrl} as ${sql.identifier(sandboxName)}, ${chosenLanguage} as ${sql.identifier(languageName)}, ${translatedLanguages} as ${sql.identifier(languagesName)} from ${merchantTable} where ${merchantTable.id} = ${param('merchantId')}`,
    ),
    charges: compile(sql`select ${chargeTable.charges} from ${chargeTable} where ${isInScope(chargeTable)}`),
    menus: compile(sql`${limitBytes(maxMenuBytes, menuRows)} order by total limit ${maxMenus + 1}`),
    products: compile(limitBytes(maxProductBytes, productRows)),
    modifiers: compile(limitBytes(maxModifierBytes, modifierRows)),
    parts: compile(limitBytes(maxPartBytes, partRows)),
    moreModifiers: compile(limitBytes(maxPartBytes, moreModifierRows)),
  }
})
