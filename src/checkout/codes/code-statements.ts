import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, databaseNow, lazy, param } from '../../platform/db/database.ts'
import { db, insertSelect, typed } from '../../platform/db/query.ts'
import { codeBatchTable as batches, couponCodeTable as codes } from '../../platform/db/schema/checkout/coupon-codes.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { isHeld } from '../redemptions/redemption-counts.ts'
import { codeLimits } from './code-request.ts'

const isCoupon = allOf(isInScope(couponTable), eq(couponTable.id, param('coupon')))
const ofCoupon = allOf(isInScope(batches), eq(batches.coupon, param('coupon')))
const total = (of: SQL) => sql<number>`(select ${of} from ${batches} where ${ofCoupon})`
const codeCount = total(sql`coalesce(sum(${batches.count}), 0)`)
const batchCount = total(sql`count(*)`)
const totals = { id: couponTable.id, codes: codeCount, batches: batchCount }

const batchFields = {
  id: batches.id,
  merchantId: batches.merchantId,
  count: batches.count,
  prefix: batches.prefix,
  createdAt: batches.createdAt,
}

/** The redemption that uses a code. */
const isOfRedemption = allOf(isInScope(redemptionTable), eq(redemptionTable.id, codes.redemption))
const isRedeemed = sql`${redemptionTable.state} = 'redeemed'`
const codeFields = {
  /** The key orders the codes of a batch. */
  id: codes.codeKey,
  merchantId: codes.merchantId,
  code: codes.code,
  state: sql<'available' | 'held' | 'redeemed'>`case when ${isRedeemed} then 'redeemed'
    when ${isHeld(redemptionTable, databaseNow)} then 'held' else 'available' end`,
  redemption: sql<
    string | null
  >`iif(${isRedeemed} or (${isHeld(redemptionTable, databaseNow)}), ${redemptionTable.id}, null)`,
}
const isOfBatch = allOf(isInScope(codes), eq(codes.batch, param('batch')), eq(codes.coupon, param('coupon')))

export const codeStatements = {
  /** Inserts the batch `:batch` if the coupon exists and has room for it. */
  insertBatch: lazy(() =>
    compile(
      insertSelect(
        batches,
        {
          merchantId: param('merchantId'),
          testMode: param('testMode'),
          id: param('batch'),
          coupon: couponTable.id,
          count: param('count'),
          prefix: param('prefix'),
          createdAt: param('now'),
        },
        sql`from ${couponTable} where ${isCoupon} and ${codeCount} + ${param('count')} <= ${sql.raw(String(codeLimits.perCoupon))}
          and ${batchCount} < ${sql.raw(String(codeLimits.batches))} returning 1 as made`,
      ),
    ),
  ),
  /** Inserts the codes `:codes`, a JSON list of their random parts, if the batch was inserted. A code that a coupon has violates the primary key. */
  insertCodes: lazy(() => {
    const key = sql`${param('prefixKey')} || lower(random.value)`
    const isTaken = sql`exists (select 1 from ${couponTable} where ${isInScope(couponTable)} and ${couponTable.codeKey} = ${key})`
    return compile(
      insertSelect(
        codes,
        {
          merchantId: param('merchantId'),
          testMode: param('testMode'),
          codeKey: sql`iif(${isTaken}, null, ${key})`,
          code: sql`coalesce(${param('prefix')}, '') || random.value`,
          coupon: param('coupon'),
          batch: param('batch'),
        },
        sql`from json_each(${param('codes')}) as random
          where exists (select 1 from ${batches} where ${isInScope(batches)} and ${batches.id} = ${param('batch')})`,
      ),
    )
  }),
  /** The coupon with its numbers of codes and batches. */
  totals: lazy(() => typed(totals, (select) => db.select(select).from(couponTable).where(isCoupon))),
  batches: lazy(() =>
    typed(batchFields, (select) => db.select(select).from(batches).where(ofCoupon).orderBy(batches.id)),
  ),
  /** The batch, if it belongs to the coupon. */
  findBatch: lazy(() =>
    typed({ id: batches.id, merchantId: batches.merchantId }, (select) =>
      db
        .select(select)
        .from(batches)
        .where(and(ofCoupon, eq(batches.id, param('batch')))),
    ),
  ),
  /** The next codes of a batch behind `:after`, at most `:rows`. */
  page: lazy(() =>
    typed(codeFields, (select) =>
      db
        .select(select)
        .from(codes)
        .leftJoin(redemptionTable, isOfRedemption)
        .where(and(isOfBatch, gt(codes.codeKey, param('after'))))
        .orderBy(codes.codeKey)
        .limit(param('rows')),
    ),
  ),
}
