import { getTableColumns, getTableName, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  allOf,
  type BoundStatement,
  bindStatement,
  compile,
  type Database,
  param,
  perFlag,
} from '../../../platform/db/database.ts'
import { availabilityTable, optionAvailabilityTable } from '../../../platform/db/schema/availability.ts'
import { couponLimitTable } from '../../../platform/db/schema/checkout/coupon-limits.ts'
import { detailTable, translationTable } from '../../../platform/db/schema/objects/details.ts'
import type { LinkTable, ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { couponTable } from '../../../platform/db/schema/resources/coupons.ts'
import { menuProducts, menuTable } from '../../../platform/db/schema/resources/menus.ts'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import { productModifiers, productTable } from '../../../platform/db/schema/resources/products.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import { sqlName } from '../../../platform/db/sql-name.ts'
import { maxLists } from './planned-rows.ts'

// A common table expression with the name of a table hides it: statements that read the catalogue read the planned rows too, and stay as they are.
// `main.` names the table itself.

const lists = Array.from({ length: maxLists }, (_, index) => `planned${index}`)
const shown: Record<'merchantId' | 'testMode', SQL> = {
  merchantId: sql`(select merchant_id from shown)`,
  testMode: sql`(select test_mode from shown)`,
}
const scopeTable = sql`shown(merchant_id, test_mode) as (select ${param('merchantId')}, ${param('testMode')})`
const elements = lists.map((name) => sql`select value ->> 0, value -> 1 from json_each(${param(name)})`)
const plannedTable = sql`planned(kind, value) as materialized (${sql.join(elements, sql` union all `)})`

/** SQL for the planned rows of a kind. */
const plannedOf = (kind: string) => sql`planned where planned.kind = ${sql.raw(`'${kind}'`)}`
const member = (key: string) => sql`planned.value ->> ${sql.raw(`'$.${key}'`)}`
const number = (value: SQL) => sql`cast(${value} as integer)`
const isShown = (table: Readonly<Record<'merchantId' | 'testMode', SQLWrapper>>) =>
  allOf(sql`${table.merchantId} = ${shown.merchantId}`, sql`${table.testMode} = ${shown.testMode}`)
/** SQL for the numbers of the rows of a resource that the plan replaces or deletes. */
const replacedOf = (table: ResourceTable) =>
  sql`(select ${number(sql`planned.value`)} from ${plannedOf(`${getTableName(table)}.replaced`)})`
/** SQL for the numbers of a resource's rows in scope. */
const ownOf = (table: ResourceTable) => sql`(select ${table.seq} from main.${table} where ${isShown(table)})`

type Columns = Readonly<Record<string, SQL>>

/** A table as it is after the plan: the stored rows that stay, with some other values, and the rows of the kind of the table's name. */
function hide(
  table: SQLiteTable,
  condition: SQL,
  { stored = {}, planned = {}, kind = getTableName(table) }: Hidden = {},
) {
  const columns = Object.entries(getTableColumns(table))
  const names = columns.map(([key]) => sql.identifier(sqlName(key)))
  const before = columns.map(([key, column]) => stored[key] ?? sql`${column}`)
  const after = columns.map(([key]) => planned[key] ?? member(key))
  const comma = sql`, `
  return sql`${table}(${sql.join(names, comma)}) as (
    select ${sql.join(before, comma)} from main.${table} where ${condition}
    union all select ${sql.join(after, comma)} from ${plannedOf(kind)})`
}
interface Hidden {
  /** Values of columns of stored rows, if they change. */
  stored?: Columns
  /** Values of columns of planned rows, if they are no members with the name of the column. */
  planned?: Columns
  kind?: string
}

const hideObjects = (table: ResourceTable, { stored = {}, planned = {} }: Hidden = {}) =>
  hide(table, allOf(isShown(table), sql`${table.seq} not in ${replacedOf(table)}`), {
    stored,
    planned: { ...shown, ...planned },
  })

/** A stored list of ids without those of deleted objects. A list that cannot be read stays. */
const withoutDeleted = (column: ResourceTable['id'], target: ResourceTable) => {
  const deleted = sql`${plannedOf(`${getTableName(target)}.deleted`)}`
  return sql`case when json_valid(${column}) and exists (select 1 from ${deleted}) then (
    select json_group_array(value) from (select part.value from json_each(${column}) as part
      where part.value not in (select planned.value ->> '$' from ${deleted}) order by part.key)) else ${column} end`
}

/** The links of objects: those of planned objects name their targets by ids. */
function hideLinks(links: LinkTable, owner: ResourceTable, target: ResourceTable) {
  const [ofOwner, targetId] = [number(sql`planned.value ->> 0`), sql`planned.value ->> 1`]
  return sql`${links}(owner, target) as (
    select ${links.owner}, ${links.target} from main.${links}
      where ${links.owner} in ${ownOf(owner)} and ${links.owner} not in ${replacedOf(owner)} and ${links.target} in (select seq from ${target})
    union all select ${ofOwner}, named.seq from planned cross join ${target} as named on named.id = ${targetId}
      where planned.kind = ${sql.raw(`'${getTableName(links)}'`)})`
}

const ofObject = sql`select ${member('resource')}, ${number(member('object'))} from ${plannedOf('details')}`
const hideSides = (table: typeof detailTable | typeof translationTable) =>
  hide(table, allOf(isShown(table), sql`(${table.resource}, ${table.object}) not in (${ofObject})`), {
    planned: { ...shown, object: number(member('object')) },
  })

const [first, second, third] = [sql`planned.value ->> 0`, sql`planned.value ->> 1`, sql`planned.value ->> 2`]
/** The planned limits of a coupon. */
const limitOf = (coupon: SQL) => sql`
  select limited.value ->> '$.automatic' from planned as limited
  where limited.kind = 'limits' and cast(limited.value ->> '$.coupon' as integer) = ${coupon}`
const automaticOf = (coupon: SQL, stored: SQL) =>
  sql`case when exists (${limitOf(coupon)}) then (${limitOf(coupon)}) else ${stored} end`
const [couponSeq, planned] = [sql`${couponTable.seq}`, number(member('seq'))]

/** Whether stock is managed. Products that had stock at the time of a past catalogue may have none now. */
const managesStock = sql`iif(${productTable.id} in (select planned.value ->> '$' from ${plannedOf('in_stock')}), 0, ${productTable.manageStock})`

const storedOf = (column: string) =>
  sql`(select stored.${sql.identifier(column)} from main.${productTable} as stored where stored.seq = ${planned})`
/** The stock of a product of which events do not tell that it was sold out, or back in stock, is that of the present. */
const pastStock = {
  manageStock: sql`coalesce(${member('manageStock')}, ${storedOf('manage_stock')})`,
  stockQuantity: sql`iif(${member('manageStock')} is null, ${storedOf('stock_quantity')}, ${member('stockQuantity')})`,
}

/** The catalogue after a plan, or at a past time. */
const overlay = perFlag((isPast) => {
  const tables = [
    scopeTable,
    plannedTable,
    hideObjects(modifierTable),
    hideObjects(productTable, {
      stored: {
        modifiers: withoutDeleted(productTable.modifiers, modifierTable),
        ...(isPast && { manageStock: managesStock }),
      },
      ...(isPast && { planned: pastStock }),
    }),
    hideObjects(menuTable),
    hideObjects(couponTable, {
      stored: { automatic: automaticOf(couponSeq, sql`${couponTable.automatic}`) },
      planned: {
        automatic: automaticOf(
          planned,
          sql`(select stored.automatic from main.${couponTable} as stored where stored.seq = ${planned})`,
        ),
      },
    }),
    hideLinks(productModifiers, productTable, modifierTable),
    hideLinks(menuProducts, menuTable, productTable),
    hideSides(detailTable),
    hideSides(translationTable),
    hide(
      availabilityTable,
      allOf(
        isShown(availabilityTable),
        sql`${availabilityTable.product} not in (select ${first} from ${plannedOf('marks')})`,
      ),
      {
        kind: 'marks',
        planned: { ...shown, product: first, soldOutUntil: sql`coalesce(${second}, 0)` },
      },
    ),
    hide(
      optionAvailabilityTable,
      allOf(
        isShown(optionAvailabilityTable),
        sql`(${optionAvailabilityTable.modifier}, ${optionAvailabilityTable.option}) not in (select ${first}, ${second} from ${plannedOf('option_marks')})`,
      ),
      {
        kind: 'option_marks',
        planned: { ...shown, modifier: first, option: second, soldOutUntil: sql`coalesce(${third}, 0)` },
      },
    ),
    hide(
      couponLimitTable,
      allOf(
        sql`${couponLimitTable.coupon} in ${ownOf(couponTable)}`,
        sql`${couponLimitTable.coupon} not in (select ${number(member('coupon'))} from ${plannedOf('limits')})`,
      ),
      { kind: 'limits' },
    ),
  ]
  return compile(sql`with ${sql.join(tables, sql`, `)}`)
})

/** A database whose reads see the planned rows over the stored ones. Statements that write are not changed. */
export const layOver = (database: Database, scope: Scope, planned: readonly string[]): Database =>
  layOverWith(false, database, scope, planned)
/** Like `layOver`, for the rows of a past catalogue. */
export const layOverPast = (database: Database, scope: Scope, planned: readonly string[]): Database =>
  layOverWith(true, database, scope, planned)

function layOverWith(
  isPast: boolean,
  database: Database,
  { merchantId, testMode }: Scope,
  planned: readonly string[],
): Database {
  const values = {
    ...{ merchantId, testMode: Number(testMode) },
    ...Object.fromEntries(lists.map((name, index) => [name, planned[index] ?? '[]'])),
  }
  const before = bindStatement(overlay(isPast), values)
  return database.through((statement: BoundStatement) =>
    statement.isWrite
      ? statement
      : { ...statement, sql: `${before.sql} ${statement.sql}`, values: [...before.values, ...statement.values] },
  )
}
