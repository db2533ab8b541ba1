import { type SQL, sql } from 'drizzle-orm'
import { compile, databaseNow, lazy, param } from '../../platform/db/database.ts'
import { listed } from '../../platform/db/query.ts'
import { availabilityTable } from '../../platform/db/schema/availability.ts'
import { productTable } from '../../platform/db/schema/resources/products.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { selectSoldOut } from '../../platform/db/sold-out.ts'
import { maxListedProducts } from './event-data.ts'
import type { EventName } from './event-types.ts'
import { raiseEvent } from './raise-event.ts'

interface SoldOutEvent {
  type: Extract<EventName, 'product.sold_out' | 'product.back_in_stock'>
  /** SQL for the ids of the products that changed, as a JSON list. The event is raised unless it is empty. */
  changed: SQL
  /** SQL that selects further ids for the complete list: `union select …`, `except select …`. */
  also?: SQL
  /** Where the merchant and the mode come from. Default: `:merchantId` and `:testMode`. */
  scope?: { from: SQL; merchantId: SQL; testMode: SQL }
}

const requestScope = { from: sql``, merchantId: sql`${param('merchantId')}`, testMode: sql`${param('testMode')}` }

/**
 * SQL that inserts an event with the products that changed and the complete list of sold-out products. Takes `:event`, `:atMs`, `:now` and
 * `:baseUrl`.
 */
export function insertSoldOutEvent({ type, changed, also = sql``, scope = requestScope }: SoldOutEvent): SQL {
  const { from, merchantId, testMode } = scope
  const max = sql.raw(String(maxListedProducts))
  const listed = sql`select id, row_number() over (order by id) as place from (
    ${selectSoldOut(merchantId, testMode)} ${also} order by id limit ${max} + 1)`
  const data = sql`(select json_object(
      'products', json(${changed}),
      'soldOut', json_group_array(id) filter (where place <= ${max}),
      'truncated', json(iif(count(*) > ${max}, 'true', 'false')))
    from (${listed}))`
  return raiseEvent({
    type,
    row: data,
    from: sql`${from} where json_array_length(${changed}) > 0`,
    scope: { merchantId, testMode },
  })
}

/**
 * SQL that deletes expired marks of products after `product.back_in_stock` named them. Otherwise the cron would raise the event again. Takes the ids
 * as a JSON list, and `:now`.
 */
export const deleteEndedMarks = (products: SQL): SQL => sql`delete from ${availabilityTable}
  where ${isInScope(availabilityTable)} and ${availabilityTable.product} in (select value from json_each(${products}))
    and ${availabilityTable.soldOutUntil} <= ${databaseNow}`

/** Deletes the marks of the products `:ids`. */
export const deleteMarks = lazy(() =>
  compile(
    sql`delete from ${availabilityTable} where ${isInScope(availabilityTable)} and ${availabilityTable.product} in ${listed('ids')}`,
  ),
)

/** The products among `:ids` that exist and are not marked as sold out. A marked product stays sold out when its stock changes. */
const unmarked = sql`(select json_group_array(named.value) from json_each(${param('ids')}) as named where exists (
  select 1 from ${productTable} where ${isInScope(productTable)} and ${productTable.id} = named.value) and not exists (
  select 1 from ${availabilityTable} where ${isInScope(availabilityTable)} and ${availabilityTable.product} = named.value
    and ${availabilityTable.soldOutUntil} > ${databaseNow}))`

/** Events for updates of the products `:ids` that run out of stock, or are back in stock. Insert them after the updates. */
export const productCrossing = {
  soldOut: lazy(() => compile(insertSoldOutEvent({ type: 'product.sold_out', changed: unmarked }))),
  backInStock: lazy(() => compile(insertSoldOutEvent({ type: 'product.back_in_stock', changed: unmarked }))),
  endedMarks: lazy(() => compile(deleteEndedMarks(sql`${param('ids')}`))),
}
