import { and, eq, type SQL, sql } from 'drizzle-orm'
import { raiseEvent } from '../../catalogue/events/raise-event.ts'
import { deleteEndedMarks, insertSoldOutEvent } from '../../catalogue/events/sold-out-events.ts'
import { createAuditStatement } from '../../platform/db/audit-log.ts'
import { allOf, compile, lazy, param } from '../../platform/db/database.ts'
import { createStoreStatement } from '../../platform/db/idempotency-keys.ts'
import { db, insertSelect, selectList, setColumns, typed } from '../../platform/db/query.ts'
import { productTable } from '../../platform/db/schema/resources/products.ts'
import { stockAdjustmentTable } from '../../platform/db/schema/stock-adjustments.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { joinAvailability } from '../../platform/db/sold-out.ts'
import { rowPosition } from '../../platform/outbox/insert-event.ts'
import { recordChange, recorded } from './recorded-changes.ts'

/** Joins a list of `{product, delta}` and `{product, set}` with the products. The join keeps its order. */
const joinProducts = (list: SQL) =>
  sql`${list} as requested left join ${productTable} on ${and(
    isInScope(productTable),
    sql`${productTable.id} = requested.value ->> '$.product'`,
  )} ${joinAvailability}`
/** `:changes` is such a list as JSON. */
const requested = joinProducts(sql`json_each(${param('changes')})`)

const before = sql`coalesce(${productTable.stockQuantity}, 0)`
const set = sql`requested.value ->> '$.set'`
const after = sql`round(coalesce(${set}, ${before} + (requested.value ->> '$.delta')), 4)`

const isShort = sql`not ${param('oversell')} and ${after} < 0 and (${set} is not null or ${after} < ${before})`
/** The code of the issue of a rejected change, or null. */
const issueCode = sql<string | null>`case
  when ${productTable.id} is null then 'not_found'
  when not ${productTable.manageStock} then 'stock_not_managed'
  when ${isShort} then 'insufficient_stock' end`

const hasReference = allOf(isInScope(stockAdjustmentTable), eq(stockAdjustmentTable.reference, param('reference')))
/** Whether no change is rejected, and the reference is new. */
export const isApplicable = sql`not exists (select 1 from ${requested} where ${issueCode} is not null)
  and not exists (select 1 from ${stockAdjustmentTable} where ${hasReference})`

const recordedChange = recordChange(before, after)
const recordAll = sql`(select json_group_array(${recordedChange}) from ${requested})`
/** SQL for the recorded changes of a list of `{product, delta}`. Leaves out products that are gone or have no managed stock. */
const recordManaged = (list: SQL) =>
  sql`(select json_group_array(${recordedChange}) from ${joinProducts(list)} where ${productTable.manageStock})`

/** The adjustment that this transaction has recorded. */
const isOwn = sql`${hasReference} and ${stockAdjustmentTable.change} = ${param('event')}`
/** The adjustments of counts that this transaction has recorded. The changes name their references. */
const isOwnCount = sql`${isInScope(stockAdjustmentTable)} and ${stockAdjustmentTable.change} = ${param('event')}
  and ${stockAdjustmentTable.reference} in (select value ->> '$.reference' from json_each(${param('changes')}))`

const issueFields = {
  place: sql<number>`requested.key`,
  code: issueCode,
  available: sql<number | null>`max(0, ${before})`,
}
const isTaken = sql`requested.value ->> '$.delta' < 0`
/** SQL for the changes of a list of `{product, delta}` that take units which are not there. */
const selectMissing = (list: SQL) => sql`from ${joinProducts(list)} where ${isTaken} and ${issueCode} is not null`
/** SQL for "all units are there that a list of `{product, delta}` takes". */
export const isTakable = (list: SQL) => sql`not exists (select 1 ${selectMissing(list)})`
/** The changes of a list of `{product, delta}` that take units which are not there, each with the code of its issue. */
export const createMissingStatement = (list: SQL) =>
  lazy(() => typed(issueFields, () => sql`select ${selectList(issueFields)} ${selectMissing(list)}`))

const adjustmentFields = {
  requestHash: stockAdjustmentTable.requestHash,
  orderEvent: stockAdjustmentTable.orderEvent,
  changes: stockAdjustmentTable.changes,
}

/**
 * Inserts the adjustment if `isAllowed`, and returns its changes. The statements after it apply it. `list` replaces `:changes` by changes that leave
 * out products without managed stock.
 */
export const createAdjustmentStatement = (isAllowed: SQL, list?: SQL) =>
  lazy(() => {
    const returned = { changes: stockAdjustmentTable.changes }
    const insert = insertSelect(
      stockAdjustmentTable,
      {
        merchantId: param('merchantId'),
        testMode: param('testMode'),
        reference: param('reference'),
        reason: param('reason'),
        requestHash: param('requestHash'),
        change: param('event'),
        orderEvent: param('orderEvent'),
        orderReference: param('orderReference'),
        orderKey: param('orderKey'),
        changes: list ? recordManaged(list) : recordAll,
        at: param('now'),
      },
      sql`where ${isAllowed}`,
    )
    return typed(returned, () => sql`${insert} returning ${selectList(returned)}`)
  })

/** SQL for the changes that this transaction has recorded, for a stored response. */
export const ownRecord = sql`(select ${stockAdjustmentTable.changes} from ${stockAdjustmentTable} where ${isOwn})`

/** Statements that follow the recording of adjustments. `isRecorded` selects the recorded ones. `position` numbers them from 1. */
function createFollowers(isRecorded: SQL, position: SQL) {
  const ownChanges = sql`from ${stockAdjustmentTable} cross join json_each(${stockAdjustmentTable.changes}) as done
    where ${isRecorded}`
  const changedProducts = (condition: SQL) =>
    sql`(select json_group_array(${recorded.product}) ${ownChanges} and ${condition})`
  const returnedProducts = changedProducts(sql`${recorded.wasSoldOut} and not ${recorded.soldOut}`)
  return {
    // The limit prevents SQLite from merging the subquery into the join, where it would run for every product of the merchant.
    updateProducts: lazy(() =>
      compile(sql`
        update ${productTable} set ${setColumns(productTable, {
          stockQuantity: recorded.stockQuantity,
          version: recorded.version,
          updatedAt: recorded.updatedAt,
        })}
        from (select done.value as value ${ownChanges} and ${recorded.changed} limit -1) as done
        where ${isInScope(productTable)} and ${productTable.id} = ${recorded.product}`),
    ),
    raiseChanged: lazy(() => {
      const change = sql`json_object('product', ${recorded.product}, 'stockQuantity', ${recorded.stockQuantity},
        'version', ${recorded.version}, 'updatedAt', ${recorded.updatedAt}, 'soldOut', json(iif(${recorded.soldOut}, 'true', 'false')))`
      const changes = sql`(select json_group_array(${change})
        from json_each(${stockAdjustmentTable.changes}) as done)`
      return compile(
        raiseEvent({
          type: 'stock.changed',
          position,
          row: sql`json_object('reference', ${stockAdjustmentTable.reference}, 'reason', ${stockAdjustmentTable.reason}, 'changes', ${changes})`,
          from: sql`from ${stockAdjustmentTable} where ${isRecorded}
            and exists (select 1 from json_each(${stockAdjustmentTable.changes}) as done where ${recorded.changed})`,
        }),
      )
    }),
    raiseSoldOut: lazy(() =>
      compile(
        insertSoldOutEvent({
          type: 'product.sold_out',
          changed: changedProducts(sql`${recorded.soldOut} and not ${recorded.wasSoldOut}`),
        }),
      ),
    ),
    raiseBackInStock: lazy(() =>
      compile(insertSoldOutEvent({ type: 'product.back_in_stock', changed: returnedProducts })),
    ),
    deleteEndedMarks: lazy(() => compile(deleteEndedMarks(returnedProducts))),
  }
}

export const adjustmentStatements = {
  store: createStoreStatement(ownRecord),
  /** The adjustment that an earlier request made under the reference. */
  findEarlier: lazy(() =>
    typed(adjustmentFields, (select) => db.select(select).from(stockAdjustmentTable).where(hasReference)),
  ),
  /** The rejected changes, each with the code of its issue. */
  findIssues: lazy(() =>
    typed(issueFields, () => sql`select ${selectList(issueFields)} from ${requested} where ${issueCode} is not null`),
  ),
  ...createFollowers(isOwn, sql`1`),
}

/** Statements about counts: `:changes` is a JSON list of `{reference, product, set, entry}`, each one a separate adjustment. */
export const countStatements = {
  /** Leaves out products whose stock is not managed or equals the count. */
  record: lazy(() =>
    compile(
      sql`${insertSelect(
        stockAdjustmentTable,
        {
          merchantId: param('merchantId'),
          testMode: param('testMode'),
          reference: sql`requested.value ->> '$.reference'`,
          reason: sql`'count'`,
          requestHash: sql`''`,
          change: param('event'),
          changes: sql`json_array(${recordedChange})`,
          at: param('now'),
        },
        sql`from ${requested} where ${productTable.manageStock} and ${after} is not ${productTable.stockQuantity}`,
      )} on conflict do nothing`,
    ),
  ),
  ...createFollowers(isOwnCount, rowPosition),
  recordAudit: lazy(() =>
    createAuditStatement(
      sql`from json_each(${param('changes')}) as requested cross join ${stockAdjustmentTable}
        where ${isOwnCount} and ${stockAdjustmentTable.reference} = requested.value ->> '$.reference'`,
      { id: sql`requested.value ->> '$.entry'`, object: stockAdjustmentTable.reference },
    ),
  ),
}
