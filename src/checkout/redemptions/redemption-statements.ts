import { and, eq, gt, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { EventName } from '../../catalogue/events/event-types.ts'
import { raiseEvent } from '../../catalogue/events/raise-event.ts'
import { coupons } from '../../catalogue/resources/coupons.ts'
import { createAuditStatement } from '../../platform/db/audit-log.ts'
import { compile, databaseNow, lazy, param } from '../../platform/db/database.ts'
import { createStoreStatement } from '../../platform/db/idempotency-keys.ts'
import { db, insertSelect, selectList, setColumns, typed } from '../../platform/db/query.ts'
import { couponCodeTable } from '../../platform/db/schema/checkout/coupon-codes.ts'
import { couponLimitTable } from '../../platform/db/schema/checkout/coupon-limits.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { bareColumn, excluded } from '../../platform/db/sql-name.ts'
import { rowAsJson, rowPosition } from '../../platform/outbox/insert-event.ts'
import { isCustomerLimitReached, isInState, isLimitReached } from './redemption-counts.ts'
import { redemptionFields } from './redemption-view.ts'
import { isWritten, joined, own, requested, shownCode } from './verdict.ts'

const table = redemptionTable

/** The orders of `:redemptions`. */
const orders = sql`(select ${requested.order} from json_each(${param('redemptions')}) as requested)`
/** The redemptions that this transaction has written. Each request touches few orders, or one id. */
const isWrittenByOrder = and(isInScope(table), sql`${table.orderId} in ${orders}`, eq(table.change, param('event')))
const isById = and(isInScope(table), eq(table.id, param('redemption')))
const isWrittenById = and(isById, eq(table.change, param('event')))
/** Checks that a row has the types of a response. A damaged row is not written. */
const isReadable = and(
  ...Object.values(redemptionFields).map(
    (column) => sql`typeof(${column}) in (${sql.raw(`'${column.getSQLType()}'`)}, 'null')`,
  ),
)

/**
 * Writes the allowed redemptions of `:redemptions` as effects of the order `orderEvent`, and returns them. The order's own hold becomes redeemed.
 */
export const createRedemptionStatement = (isAllowed: SQL = isWritten, orderEvent: SQLWrapper = param('orderEvent')) =>
  lazy(() => {
    const insert = insertSelect(
      table,
      {
        merchantId: param('merchantId'),
        testMode: param('testMode'),
        id: requested.id,
        coupon: sql`coalesce(${couponTable.id}, ${own.coupon})`,
        code: shownCode,
        codeKey: requested.codeKey,
        orderId: requested.order,
        customer: requested.customer,
        amount: requested.amount,
        state: sql`iif(${requested.hold} is null, 'redeemed', 'held')`,
        createdAt: databaseNow,
        expiresAt: requested.expiresAt,
        change: param('event'),
        orderEvent,
        orderHash: param('orderHash'),
        orderReference: param('orderReference'),
      },
      sql`from ${joined} where ${isAllowed}`,
    )
    // The hold of the order may expire between two statements. The redemption is then requested again.
    const confirmed = setColumns(table, {
      customer: excluded(table.customer),
      amount: excluded(table.amount),
      state: excluded(table.state),
      expiresAt: excluded(table.expiresAt),
      change: excluded(table.change),
      orderEvent: excluded(table.orderEvent),
      orderHash: excluded(table.orderHash),
      orderReference: excluded(table.orderReference),
    })
    return typed(
      redemptionFields,
      () => sql`${insert}
        on conflict (${sql.join([table.merchantId, table.testMode, table.coupon, table.orderId].map(bareColumn), sql`, `)}) where ${bareColumn(table.state)} <> 'expired'
        do update set ${confirmed} where ${table.state} = 'held' returning ${selectList(redemptionFields)}`,
    )
  })

/** Marks expired holds of the orders, so that their coupons can be redeemed again. */
export const expireHolds = lazy(() =>
  compile(sql`
    update ${table} set ${setColumns(table, { state: sql`'expired'` })}
    where ${isInScope(table)} and ${table.orderId} in ${orders} and ${isInState(table, 'held')}
      and ${table.expiresAt} <= ${databaseNow}`),
)

/** SQL for a redemption as JSON. */
export const redemptionJson = sql`json_object(${sql.join(
  Object.entries(redemptionFields).map(([key, column]) => sql`${sql.raw(`'${key}'`)}, ${column}`),
  sql`, `,
)})`
const couponJson = sql`iif(${couponTable.id} is null, null, ${rowAsJson(coupons)})`
const couponOfRedemption = sql`${isInScope(couponTable)} and ${couponTable.id} = ${table.coupon}`

/** Raises an event about a coupon for each row of `from`. */
const raise = (type: EventName, row: SQL, from: SQL, object?: SQLWrapper) =>
  compile(
    raiseEvent({
      ...{ type, row, from, position: rowPosition },
      version: sql`coalesce(${couponTable.version}, 1)`,
      ...(object && { object }),
    }),
  )

/** Values of a coupon whose count of redemptions changes. */
export const movedCoupon = {
  version: sql`${couponTable.version} + 1`,
  updatedAt: sql`max(${param('now')}, ${couponTable.updatedAt} + 1)`,
}
const redemptionData = sql`json_object('redemption', ${redemptionJson}, 'coupon', ${couponJson})`

/** Statements that follow the writing of redemptions. `isOwn` selects the written ones. */
export const createRedemptionFollowers = (isOwn: SQL | undefined) => {
  const isRedeemed = and(isOwn, isInState(table, 'redeemed'))
  const redeemedCoupons = sql`(select ${table.coupon} from ${table} where ${isRedeemed})`
  return {
    countCoupons: lazy(() =>
      compile(sql`
        update ${couponTable} set ${setColumns(couponTable, { timesRedeemed: sql`${couponTable.timesRedeemed} + 1`, ...movedCoupon })}
        where ${isInScope(couponTable)} and ${couponTable.id} in ${redeemedCoupons}`),
    ),
    raiseRedeemed: lazy(() =>
      raise(
        'coupon.redeemed',
        redemptionData,
        sql`from ${table} left join ${couponTable} on ${couponOfRedemption} where ${isRedeemed}`,
        table.coupon,
      ),
    ),
    raiseLimitReached: lazy(() =>
      raise(
        'coupon.limit_reached',
        sql`json_object('coupon', ${couponJson}, 'maxRedemptions', ${couponLimitTable.maxRedemptions})`,
        sql`from ${table} cross join ${couponTable} on ${couponOfRedemption}
          cross join ${couponLimitTable} on ${couponLimitTable.coupon} = ${couponTable.seq}
          where ${isRedeemed} and ${couponTable.timesRedeemed} = ${couponLimitTable.maxRedemptions}`,
      ),
    ),
    raiseReleased: lazy(() =>
      raise(
        'coupon.released',
        redemptionData,
        sql`from ${table} left join ${couponTable} on ${couponOfRedemption} where ${isOwn} and ${isInState(table, 'released')}`,
        table.coupon,
      ),
    ),
    /** Writes an entry to the audit log for the redemption. */
    recordAudit: lazy(() => createAuditStatement(sql`from ${table} where ${isOwn}`, { object: table.id })),
    /** Stores the response to a request with an `Idempotency-Key`, as the redemption and whether it is new. */
    store: createStoreStatement(
      sql`(select json_object('redemption', ${redemptionJson}, 'isNew', coalesce(${table.id} = ${param('newId')}, 0)) from ${table} where ${isOwn})`,
    ),
  }
}

/** Statements about the redemptions that the transaction has written for the orders of `:redemptions`. */
export const ofOrders = {
  ...createRedemptionFollowers(isWrittenByOrder),
  /** Assigns the single-use codes of the written redemptions to them. */
  useCodes: lazy(() =>
    compile(sql`
      update ${couponCodeTable} set ${setColumns(couponCodeTable, { redemption: table.id })} from ${table}
      where ${isWrittenByOrder} and ${isInScope(couponCodeTable)} and ${couponCodeTable.codeKey} = ${table.codeKey}
        and ${couponCodeTable.coupon} = ${table.coupon}`),
  ),
}
/** Statements about the redemption `:redemption` that the transaction has written. */
export const ofId = createRedemptionFollowers(isWrittenById)

const isHeldNow = and(eq(table.state, sql`'held'`), gt(table.expiresAt, databaseNow))
const isReleasable = and(isById, isReadable, sql`(${table.state} = 'redeemed' or (${isHeldNow}))`)
const returnRedemption = (isChanged: SQL | undefined, state: SQL) =>
  typed(
    redemptionFields,
    () => sql`
      update ${table} set ${setColumns(table, { state, expiresAt: sql`null`, change: param('event') })}
      where ${isChanged} returning ${selectList(redemptionFields)}`,
  )

const ofHold = { coupon: couponTable, limits: couponLimitTable, redemption: table }
/** The limits of the coupon leave room to confirm the hold. A deleted coupon has no limits. */
const hasRoom = sql`not exists (select 1 from ${couponTable} cross join ${couponLimitTable}
  on ${couponLimitTable.coupon} = ${couponTable.seq}
  where ${couponOfRedemption} and (${isLimitReached(ofHold)} or ${isCustomerLimitReached(ofHold)}))`
const holdFields = {
  isHeld: sql<number>`${isHeldNow}`,
  limit_reached: sql<number>`${isLimitReached(ofHold)}`,
  customer_limit_reached: sql<number>`${isCustomerLimitReached(ofHold)}`,
}

/** Statements that read and change the redemption `:redemption`. */
export const byId = {
  /** The redemption, and the conditions for its confirmation. */
  findHold: lazy(() =>
    typed(holdFields, (select) =>
      db
        .select(select)
        .from(table)
        .leftJoin(couponTable, couponOfRedemption)
        .leftJoin(couponLimitTable, eq(couponLimitTable.coupon, couponTable.seq))
        .where(isById),
    ),
  ),
  find: lazy(() =>
    typed({ ...redemptionFields, merchantId: table.merchantId }, (select) =>
      db.select(select).from(table).where(isById),
    ),
  ),
  confirm: lazy(() => returnRedemption(and(isById, isReadable, isHeldNow, hasRoom), sql`'redeemed'`)),
  /** Runs before `release`, because it must tell counted redemptions from holds. */
  uncountCoupon: lazy(() => {
    const released = db.select({ coupon: table.coupon }).from(table).where(isReleasable)
    const count = sql`(select count(*) from ${table} where ${isReleasable} and ${isInState(table, 'redeemed')})`
    return compile(sql`
      update ${couponTable} set ${setColumns(couponTable, {
        timesRedeemed: sql`max(0, ${couponTable.timesRedeemed} - ${count})`,
        ...movedCoupon,
      })}
      where ${and(isInScope(couponTable), inArray(couponTable.id, released))}`)
  }),
  release: lazy(() => returnRedemption(isReleasable, sql`'released'`)),
}
