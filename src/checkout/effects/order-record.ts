import { and, eq, type SQL, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { db, insertSelect, type RowExpressions, selectList, setColumns, typed } from '../../platform/db/query.ts'
import { orderTable as orders } from '../../platform/db/schema/checkout/orders.ts'
import { redemptionTable as redemptions } from '../../platform/db/schema/checkout/redemptions.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { productTable } from '../../platform/db/schema/resources/products.ts'
import { stockAdjustmentTable as adjustments } from '../../platform/db/schema/stock-adjustments.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { bareColumn } from '../../platform/db/sql-name.ts'
import { recordedByAny } from '../stock/recorded-changes.ts'

/** SQL for "the row of the order `:order`". */
export const isNamed = and(isInScope(orders), eq(orders.reference, param('order')))
/** SQL for "the row of the order `:order`, which this transaction has written". */
export const isClaimed = and(isNamed, eq(orders.change, param('event')))
/** SQL for a value of the order that this transaction changes. */
export const ofClaimed = (value: SQL) => sql`(select ${value} from ${orders} where ${isClaimed})`

/** SQL for the differences that an adjustment recorded, as a JSON list. Null if an earlier release recorded none. */
const differences = sql`(select iif(count(*) = count(${recordedByAny.delta}),
    json_group_array(json_object('product', ${recordedByAny.product}, 'delta', ${recordedByAny.delta})), null)
  from json_each(${adjustments.changes}) as done)`

const ofOrder = sql`${isInScope(redemptions)} and ${redemptions.orderId} = ${param('order')}`
const ofReference = sql`${isInScope(adjustments)} and ${adjustments.reference} = ${param('order')}`
const hasNoRow = sql`not exists (select 1 from ${orders} where ${isNamed})`
/** The adjustment is the stock of the order with its reference. Earlier releases stored no reference of the order. */
const isOfSameOrder = sql`${adjustments.orderEvent} is not null
  and coalesce(${adjustments.orderReference}, ${adjustments.reference}) = ${adjustments.reference}`

/**
 * The orders since the event `:oldest` that have the reference `:order`. An order without a row is found by its adjustment, else by its redemptions.
 * Earlier releases stored no references: such an order with stock is the adjustment's, whatever its redemptions say.
 */
export const found = sql`(select *, count(*) over () as matches from (
  select ${orders.event} as event, ${orders.state} as state, ${orders.stock} as stock, ${orders.redemptions} as redemptions,
    ${orders.keyId} as key_id, ${orders.revision} as revision, ${orders.revisionHash} as revision_hash, ${orders.released} as released
  from ${orders} where ${isNamed}
  union all
  select ${adjustments.orderEvent}, 'open', ${differences},
    (select json_group_array(${redemptions.id}) from ${redemptions}
      where ${ofOrder} and ${redemptions.orderEvent} = ${adjustments.orderEvent}), ${adjustments.orderKey}, null, null, null
  from ${adjustments} where ${ofReference} and ${isOfSameOrder} and ${hasNoRow}
  union all
  select ${redemptions.orderEvent}, 'open', '[]', json_group_array(${redemptions.id}), null, null, null, null
  from ${redemptions} where ${ofOrder} and ${redemptions.orderEvent} is not null and ${hasNoRow}
    and coalesce(${redemptions.orderReference} = ${param('order')}, not exists (select 1 from ${adjustments}
      where ${isInScope(adjustments)} and ${adjustments.orderEvent} = ${redemptions.orderEvent}))
    and not exists (select 1 from ${adjustments} where ${ofReference} and ${adjustments.orderEvent} = ${redemptions.orderEvent})
  group by ${redemptions.orderEvent}
) where event >= ${param('oldest')}) as found`

const foundFields = {
  event: sql<string>`found.event`,
  state: sql<string>`found.state`,
  /** Whether the differences are recorded. */
  isSupported: sql<number>`found.stock is not null`,
  takesStock: sql<number>`coalesce(found.stock <> '[]', 1)`,
  redeems: sql<number>`found.redemptions <> '[]'`,
  revision: sql<number | null>`found.revision`,
  revisionHash: sql<string | null>`found.revision_hash`,
}
/** The orders that have the reference: none, one, or several that cannot be told apart. */
export const findOrders = lazy(() => typed(foundFields, () => sql`select ${selectList(foundFields)} from ${found}`))

export type FoundOrder = ReturnType<ReturnType<typeof findOrders>['read']>

/** The only order with the reference, which is open. The caller has the scopes of all that it has changed. */
export const isChangeable = sql`matches = 1 and found.state = 'open' and found.stock is not null
  and (${param('mayStock')} or found.stock = '[]') and (${param('mayRedeem')} or found.redemptions = '[]')
  and exists (select 1 from ${merchantTable} where ${merchantTable.id} = ${param('merchantId')})`

/** SQL for the products of a list of changes whose stock cannot be given back. `isGiven` selects the changes `given.value`. */
export const listSkipped = (
  changes: SQL,
  isGiven: SQL,
) => sql`(select json_group_array(given.value ->> '$.product') from ${changes} as given
  where ${isGiven} and not exists (select 1 from ${productTable}
    where ${isInScope(productTable)} and ${productTable.id} = given.value ->> '$.product' and ${productTable.manageStock}))`

/** SQL that inserts the values for the order `found` if the condition holds. If the order has a row already, sets these columns. */
export const writeRow = (values: RowExpressions<typeof orders>, condition: SQL, changed: SQL) => {
  const columns = [orders.merchantId, orders.testMode, orders.reference].map(bareColumn)
  const returned = { event: orders.event }
  const insert = insertSelect(orders, values, sql`from ${found} where ${condition}`)
  return typed(
    returned,
    () =>
      sql`${insert} on conflict (${sql.join(columns, sql`, `)}) do update set ${changed} returning ${selectList(returned)}`,
  )
}

/** The columns of an order that its changes keep. */
export const keptColumns = {
  merchantId: param('merchantId'),
  testMode: param('testMode'),
  reference: param('order'),
  event: sql`found.event`,
  stock: sql`found.stock`,
  redemptions: sql`found.redemptions`,
  released: sql`found.released`,
  keyId: sql`found.key_id`,
  change: param('event'),
  at: param('now'),
} as const

/** Marks the order as cancelled, once. Returns a row if it was open. The other statements of the transaction follow. */
export const cancelOrderRow = lazy(() =>
  writeRow(
    {
      ...keptColumns,
      state: sql`'cancelled'`,
      skipped: listSkipped(sql`json_each(found.stock)`, sql`given.value ->> '$.delta' <> 0`),
      revision: sql`found.revision`,
      revisionHash: sql`found.revision_hash`,
    },
    isChangeable,
    setColumns(orders, {
      state: sql`'cancelled'`,
      change: sql`excluded.change`,
      skipped: sql`excluded.skipped`,
    }),
  ),
)

/** Rows of these orders: the one with the reference `:order`, and those that redeemed one of `:redemptions` for the same order. */
const isKnown = sql`${isInScope(orders)} and ${orders.reference} in (select ${param('order')} union
  select coalesce(${redemptions.orderReference}, ${redemptions.orderId})
  from json_each(${param('redemptions')}) as requested cross join ${redemptions}
  where ${isInScope(redemptions)} and ${redemptions.orderId} = requested.value ->> '$.order' and ${redemptions.orderEvent} is not null)`
const knownFields = {
  reference: orders.reference,
  event: orders.event,
  state: orders.state,
  requestHash: orders.requestHash,
}
/** The rows of orders that an order to publish can be: those of its reference and of its redemptions. */
export const findKnownOrders = lazy(() => typed(knownFields, (select) => db.select(select).from(orders).where(isKnown)))

const hasStock = sql`exists (select 1 from ${adjustments} where ${ofReference} and ${isOfSameOrder})`
/** SQL for "no order has the reference `:order`", neither in its row nor in that of its stock. */
export const isNewOrder = sql`${hasNoRow} and not ${hasStock}`
const conflict = { isOfStock: sql<number>`${hasStock}` }
/** Whether the stock of an order has the reference `:order`. */
export const findStockOfOrder = lazy(() => typed(conflict, () => sql`select ${selectList(conflict)}`))

/** Inserts the row of the order that this transaction has taken, if `isRecorded`. `ids` is SQL for the ids of its redemptions. */
export const createOrderStatement = (isRecorded: SQL, ids: SQL) =>
  lazy(() =>
    compile(
      insertSelect(
        orders,
        {
          merchantId: param('merchantId'),
          testMode: param('testMode'),
          reference: param('order'),
          event: param('event'),
          state: sql`'open'`,
          stock: sql`coalesce((select ${differences} from ${adjustments}
            where ${isInScope(adjustments)} and ${adjustments.reference} = ${param('reference')}), '[]')`,
          redemptions: ids,
          requestHash: param('requestHash'),
          keyId: param('orderKey'),
          change: param('event'),
          skipped: sql`'[]'`,
          at: param('now'),
        },
        sql`where ${isRecorded}`,
      ),
    ),
  )
