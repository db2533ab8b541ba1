import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { lazy, param } from '../../platform/db/database.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { db, selectList, typed } from '../../platform/db/query.ts'
import { couponCodeTable } from '../../platform/db/schema/checkout/coupon-codes.ts'
import { couponTable as coupons } from '../../platform/db/schema/resources/coupons.ts'
import type { Env } from '../../platform/http/context.ts'
import { createCursor, listFields, nextLink, pageSize, readPosition } from '../../platform/http/pagination.ts'
import { query } from '../../platform/http/validation.ts'
import { foldCode } from '../../platform/lib/languages/code-keys.ts'
import { findMerchant } from '../stored-merchant.ts'

export const codeClashQuery = z.strictObject({ limit: listFields.limit, cursor: listFields.cursor })

/** A coupon whose code clashes with another one, as operators see it. */
export const codeClashView = z.object({
  coupon: z.string().check(z.describe('Id of the coupon. Only the exact spelling of its code finds it.')),
  testMode: z.boolean().check(z.describe('Whether the coupon belongs to test mode.')),
  other: z
    .optional(z.string())
    .check(
      z.describe(
        'Id of the coupon that every other spelling of the code finds: by its code, or by a single-use code. Absent: it is gone, and a change of the code ends the clash.',
      ),
    ),
})

const fields = { id: coupons.id, testMode: coupons.testMode, code: coupons.code, codeKey: coupons.codeKey }
/** The coupons that kept a key of an earlier release, because another coupon or a single-use code had the new one. */
const findKept = lazy(() =>
  typed(fields, (select) =>
    db
      .select(select)
      .from(coupons)
      .where(
        and(
          eq(coupons.merchantId, param('merchantId')),
          eq(coupons.keyForm, sql`2`),
          gt(coupons.id, param('after')),
          sql`typeof(${coupons.code}) = 'text'`,
        ),
      )
      .orderBy(asc(coupons.id))
      .limit(param('rows')),
  ),
)
const isWanted = ({ merchantId, testMode, codeKey }: typeof coupons | typeof couponCodeTable) =>
  sql`${merchantId} = ${param('merchantId')} and ${testMode} = wanted.value ->> '$.testMode' and ${codeKey} = wanted.value ->> '$.key'`
const otherFields = {
  id: sql<string>`wanted.value ->> '$.id'`,
  other: sql<string | null>`coalesce(${coupons.id}, ${couponCodeTable.coupon})`,
}
/** The coupons that have the keys of `:wanted`, a JSON list of `{id, testMode, key}`. */
const findOthers = lazy(() =>
  typed(
    otherFields,
    () => sql`select ${selectList(otherFields)} from json_each(${param('wanted')}) as wanted
      left join ${coupons} on ${isWanted(coupons)} left join ${couponCodeTable} on ${isWanted(couponCodeTable)}`,
  ),
)

/** Route for operators: the coupons of a merchant whose codes clash since codes are folded. */
export const codeClashRoutes = new Hono<Env>().get('/', query(codeClashQuery), async (c) => {
  const { id: merchantId } = await findMerchant(c.var.database, c.req.param('merchantId') ?? '')
  const database = merchantDatabase(c.env, { merchantId, home: undefined })
  const [scope, list, given] = [{ merchantId, testMode: false }, 'code clashes', c.req.valid('query')]
  const { after = '' } = readPosition(list, scope, given)
  const limit = given.limit ?? pageSize.default
  const [found] = await database.run([findKept(), { merchantId, after, rows: limit + 1 }])
  // A changed code has the new key. Such a coupon is left out.
  const page = found
    .slice(0, limit)
    .map(({ code, ...rest }) => ({ ...rest, key: foldCode(code) }))
    .filter(({ key, codeKey }) => key !== codeKey)
  const wanted = JSON.stringify(page.map(({ id, testMode, key }) => ({ id, testMode: Number(testMode), key })))
  const [others] = await database.run([findOthers(), { merchantId, wanted }])
  const byId = new Map(others.map(({ id, other }) => [id, other]))
  const last = found[limit - 1]
  if (found.length > limit && last) {
    c.header('Link', nextLink(c.req.url, createCursor(list, scope, given, last.id)))
  }
  return c.json(
    page.map(({ id, testMode }) => ({ coupon: id, testMode, other: byId.get(id) ?? undefined })),
    200,
  )
})
