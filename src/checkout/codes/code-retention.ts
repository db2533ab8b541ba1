import { type SQL, sql } from 'drizzle-orm'
import { byIndex, byKey } from '../../platform/by-index.ts'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { codeBatchTable as batches, couponCodeTable as codes } from '../../platform/db/schema/checkout/coupon-codes.ts'

const isOfBatch = sql`${codes.merchantId} = ${batches.merchantId} and ${codes.testMode} = ${batches.testMode} and ${codes.batch} = ${batches.id}`
const hasCodes = sql`exists (select 1 from ${codes} where ${isOfBatch})`
/** Days for which the codes of a deleted coupon stay: longer than its deletion, by which the coupon can be restored. */
export const goneCodeDays = 31

/** Batches of deleted coupons, except those of merchants whose data is elsewhere or is being restored. */
const gone = sql`${byIndex(batches, 'coupon_code_batches_gone')} where ${batches.goneAt} is not null and ${isHere(batches.merchantId)}`
/** The coupon was deleted before `:before`, in seconds. */
const isOver = sql`${batches.goneAt} <= ${param('before')}`
const findOldest = (condition: SQL) =>
  lazy(() => compile(sql`select min(${batches.goneAt}) as oldest from ${gone} and ${condition}`))

const codeKey = sql`${codes.merchantId}, ${codes.testMode}, ${codes.codeKey}`
const batchKey = sql`${batches.merchantId}, ${batches.testMode}, ${batches.id}`

/** Deletes at most `:limit` codes of coupons that were deleted before `:before`. `oldest` returns when the first of these coupons was deleted. */
export const codeRetention = {
  purge: lazy(() =>
    compile(sql`
      delete from ${byKey(codes)} where (${codeKey}) in (
        select ${codeKey} from (select ${batchKey} from ${gone} and ${isOver}) as ${batches}
        cross join ${byIndex(codes, 'coupon_codes_batch')} on ${isOfBatch} limit ${param('limit')}
      ) returning 1 as gone`),
  ),
  oldest: findOldest(hasCodes),
}

/** Deletes at most `:limit` batches of coupons that were deleted before `:before`, and whose codes were deleted. */
export const codeBatchRetention = {
  purge: lazy(() =>
    compile(sql`
      delete from ${byKey(batches)} where (${batchKey}) in (
        select ${batchKey} from ${gone} and ${isOver} and not ${hasCodes} limit ${param('limit')}
      ) returning 1 as gone`),
  ),
  oldest: findOldest(sql`true`),
}
