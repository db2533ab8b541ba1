import { eq, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { isSameJson, merge } from '../catalogue/resource/merge-patch.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../catalogue/resource/object-lock.ts'
import { allOf, compile, type Database, lazy, param, toValues } from '../platform/db/database.ts'
import { columnParam, db, insertSelect, type RowOf, setColumns, typed, withRawRows } from '../platform/db/query.ts'
import { couponLimitTable as table } from '../platform/db/schema/checkout/coupon-limits.ts'
import { couponTable } from '../platform/db/schema/resources/coupons.ts'
import { isInScope, type Scope } from '../platform/db/scope.ts'
import { commit } from '../platform/db/transaction.ts'
import { type Issue, invalid, notFound } from '../platform/errors.ts'
import type { Env } from '../platform/http/context.ts'
import { getActor } from '../platform/http/context.ts'
import {
  createStateTag,
  getPrecondition,
  isPreconditionMet,
  preconditionFailed,
  revalidate,
  toShownState,
} from '../platform/http/etag.ts'
import * as field from '../platform/http/fields.ts'
import { idempotent } from '../platform/http/idempotency.ts'
import { jsonBody } from '../platform/http/request-body.ts'

/** Limits that a request can set; `null` clears one. */
export const limitFields = z.strictObject({
  startsAt: z
    .nullish(field.seconds)
    .check(z.describe('First second at which the coupon is valid, in seconds since 1970-01-01 UTC. Absent: no start.')),
  endsAt: z
    .nullish(field.seconds)
    .check(
      z.describe(
        'First second at which the coupon is no longer valid, in seconds since 1970-01-01 UTC. After `startsAt`. Absent: no end.',
      ),
    ),
  maxRedemptions: z
    .nullish(field.positiveCount)
    .check(z.describe('Number of times that the coupon can be redeemed. Absent: unlimited.')),
  maxRedemptionsPerCustomer: z
    .nullish(field.positiveCount)
    .check(
      z.describe(
        'Number of times that one customer can redeem the coupon. Makes `customer` required to use it. Absent: unlimited.',
      ),
    ),
  maxDiscount: z
    .nullish(field.amount)
    .check(z.describe("Maximum discount per order, in the merchant's currency. Absent: no maximum.")),
  codesOnly: z
    .nullish(field.boolean)
    .check(
      z.describe(
        "Whether only single-use codes (`POST …/coupons/:couponId/codes`) redeem the coupon, and not the coupon's own code. Absent: both do.",
      ),
    ),
})

/** Limits as stored and shown. */
export const limitView = z.object({
  startsAt: z.optional(z.int()),
  endsAt: z.optional(z.int()),
  maxRedemptions: z.optional(z.int()),
  maxRedemptionsPerCustomer: z.optional(z.int()),
  maxDiscount: z.optional(z.number()),
  codesOnly: z.optional(z.boolean()),
})
type CouponLimits = z.output<typeof limitView>

const rules = { schema: limitFields, partial: limitFields, readOnly: new Set<string>() }

const isCoupon = allOf(isInScope(couponTable), eq(couponTable.id, param('id')))
export const limitColumns = {
  startsAt: table.startsAt,
  endsAt: table.endsAt,
  maxRedemptions: table.maxRedemptions,
  maxRedemptionsPerCustomer: table.maxRedemptionsPerCustomer,
  maxDiscount: table.maxDiscount,
  codesOnly: table.codesOnly,
}
const storedFields = {
  id: couponTable.id,
  merchantId: couponTable.merchantId,
  ...limitColumns,
  /** 0 if the coupon has no row. */
  version: sql<number>`coalesce(${table.version}, 0)`,
}
const newValues = {
  startsAt: columnParam(table.startsAt, 'startsAt'),
  endsAt: columnParam(table.endsAt, 'endsAt'),
  maxRedemptions: columnParam(table.maxRedemptions, 'maxRedemptions'),
  maxRedemptionsPerCustomer: columnParam(table.maxRedemptionsPerCustomer, 'maxRedemptionsPerCustomer'),
  maxDiscount: columnParam(table.maxDiscount, 'maxDiscount'),
  codesOnly: columnParam(table.codesOnly, 'codesOnly'),
  version: sql`${param('version')}`,
}

const statements = {
  find: lazy(() =>
    typed(storedFields, (select) =>
      db.select(select).from(couponTable).leftJoin(table, eq(table.coupon, couponTable.seq)).where(isCoupon),
    ),
  ),
  /** Writes the limits if their version is still `:version` - 1. */
  write: lazy(() => {
    const insert = insertSelect(
      table,
      { coupon: couponTable.seq, ...newValues },
      sql`from ${couponTable} where ${isCoupon}`,
    )
    const update = sql`do update set ${setColumns(table, newValues)} where ${table.version} = ${param('version')} - 1`
    return compile(sql`${insert} on conflict (coupon) ${update} returning 1`)
  }),
}

/** The limits of a row, without the absent ones. */
const toLimits = (row: RowOf<typeof limitColumns>): CouponLimits => ({
  startsAt: row.startsAt ?? undefined,
  endsAt: row.endsAt ?? undefined,
  maxRedemptions: row.maxRedemptions ?? undefined,
  maxRedemptionsPerCustomer: row.maxRedemptionsPerCustomer ?? undefined,
  maxDiscount: row.maxDiscount ?? undefined,
  codesOnly: row.codesOnly ?? undefined,
})

/** Reads the limits of a coupon. Throws `not_found`, or `DamagedError` for a damaged row. */
async function findLimits(database: Database, scope: Scope, id: string) {
  const statement = statements.find()
  const find = async () => (await database.run([withRawRows(statement), { ...scope, id }]))[0]?.[0]
  const row = await database.findNamed(find)
  if (!row) throw notFound()
  const stored = statement.read(row)
  return { limits: toLimits(stored), version: stored.version }
}

/** The issue of an end that is not after the start. Undefined if one of the two is invalid. */
function getPeriodIssues({ startsAt, endsAt }: CouponLimits, issues: readonly Issue[]): readonly Issue[] {
  const isFaulty = issues.some((issue) => 'pointer' in issue && /^\/(?:startsAt|endsAt)$/.test(issue.pointer))
  if (isFaulty || startsAt === undefined || endsAt === undefined || startsAt < endsAt) return []
  return [{ pointer: '/endsAt', code: 'conflict', message: 'must be after startsAt' }]
}

/** Routes of the limits of a coupon. */
export const couponLimitRoutes = new Hono<Env>()
  .get('/:id/limits', revalidate, async (c) => {
    const { limits, version } = await findLimits(c.var.database, c.var.scope, c.req.param('id'))
    return c.json(limits, 200, { ETag: createStateTag({ version }, limits) })
  })
  .post('/:id/limits', jsonBody(rules), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    const [id, condition] = [c.req.param('id'), getPrecondition(c)]
    const { database, scope } = c.var
    return withObjectLock(JSON.stringify(['coupon limits', scope, id]), async () => {
      // Only the latest state can justify a skipped write.
      database.usePrimary()
      for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
        const before = await findLimits(database, scope, id)
        if (condition && !isPreconditionMet(condition, toShownState(before.version, before.limits)))
          throw preconditionFailed()
        const limits = limitView.parse(merge(before.limits, patch))
        const found = [...issues, ...getPeriodIssues(limits, issues)]
        if (found.length > 0) throw invalid(found)
        const show = (version: number) => c.json(limits, 200, { ETag: createStateTag({ version }, limits) })
        if (isSameJson(limits, before.limits)) return show(before.version)
        const version = before.version + 1
        const response = show(version)
        const operation = { operation: 'coupons.limits.update', object: id, response }
        const change = [statements.write(), { ...toValues(limitColumns, limits), ...scope, id, version }] as const
        const [rows = []] = await commit(getActor(c), operation, [change])
        if (rows.length > 0) return response
        await pauseAfter(attempt)
      }
      throw busy()
    })
  })
