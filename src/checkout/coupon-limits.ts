import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { Hono } from 'hono'
import { raiseEvent } from '../catalogue/events/raise-event.ts'
import { createEventValues } from '../catalogue/resource/caller.ts'
import { recordTitled } from '../catalogue/resource/deleted/title.ts'
import { listPrevious } from '../catalogue/resource/details/plan-details.ts'
import { isSameJson, merge } from '../catalogue/resource/merge-patch.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../catalogue/resource/object-lock.ts'
import { coupons } from '../catalogue/resources/coupons.ts'
import { allOf, compile, type Database, lazy, param, toValues } from '../platform/db/database.ts'
import { columnParam, db, insertSelect, setColumns, typed, withRawRows } from '../platform/db/query.ts'
import { couponLimitTable as table } from '../platform/db/schema/checkout/coupon-limits.ts'
import { couponTable } from '../platform/db/schema/resources/coupons.ts'
import { isInScope, type Scope } from '../platform/db/scope.ts'
import { type Actor, commit, type Write } from '../platform/db/transaction.ts'
import { ApiError, type Issue, invalid, notFound } from '../platform/errors.ts'
import type { Env } from '../platform/http/context.ts'
import { getActor } from '../platform/http/context.ts'
import {
  createStateTag,
  getPrecondition,
  isPreconditionMet,
  type Precondition,
  preconditionFailed,
  revalidate,
  toShownState,
} from '../platform/http/etag.ts'
import { idempotent } from '../platform/http/idempotency.ts'
import { jsonBody } from '../platform/http/request-body.ts'
import type { ParsedBody } from '../platform/http/validation.ts'
import { type CouponLimits, getLimitIssues, limitFields, limitView, maxAutomatic } from './coupon-limit-fields.ts'
import { columnsOfLimits, createLimitValues, storedLimits, toLimits } from './coupon-limit-rows.ts'

export const limitRules = { schema: limitFields, partial: limitFields, readOnly: new Set<string>() }

const other = alias(couponTable, 'other')
/** Number of other automatic coupons. */
const countOthers = sql<number>`(select count(*) from ${couponTable} as ${other} where ${isInScope(other)}
    and ${other.automatic} = 1 and ${other.id} <> ${param('id')})`
const isCoupon = allOf(isInScope(couponTable), eq(couponTable.id, param('id')))
const newValues = { ...createLimitValues(columnParam), version: sql`${param('version')}` }

/** The coupon was automatic, does not become so, or is one of the first that are. */
const hasRoom = sql`(coalesce(${param('automatic')}, 0) = 0 or ${couponTable.automatic} = 1 or ${countOthers} < ${sql.raw(String(maxAutomatic))})`

const statements = {
  find: lazy(() =>
    typed({ ...storedLimits, others: countOthers }, (select) =>
      db.select(select).from(couponTable).leftJoin(table, eq(table.coupon, couponTable.seq)).where(isCoupon),
    ),
  ),
  /** Writes the limits if their version is still `:version` - 1. */
  write: lazy(() => {
    const insert = insertSelect(
      table,
      { coupon: couponTable.seq, ...newValues },
      sql`from ${couponTable} where ${isCoupon} and ${hasRoom}`,
    )
    const update = sql`do update set ${setColumns(table, newValues)} where ${table.version} = ${param('version')} - 1`
    return compile(sql`${insert} on conflict (coupon) ${update} returning 1`)
  }),
  /** Records the change for the history of the coupon, if the previous statement wrote its limits. */
  record: lazy(() =>
    compile(
      raiseEvent({
        type: 'coupon.limits_changed',
        object: couponTable.id,
        version: sql`${param('version')}`,
        row: param('row'),
        previous: param('previous'),
        from: sql`from ${couponTable} where ${isCoupon} and changes() > 0`,
      }),
    ),
  ),
  /** Writes whether the coupon is automatic, if the previous statement wrote its limits. */
  setAutomatic: lazy(() =>
    compile(sql`
      update ${couponTable} set ${setColumns(couponTable, { automatic: columnParam(couponTable.automatic, 'automatic') })}
      where ${isCoupon} and changes() > 0`),
  ),
}

/** Reads the limits of a coupon. Throws `not_found`, or `DamagedError` for a damaged row. */
async function findLimits(database: Database, scope: Scope, id: string) {
  const statement = statements.find()
  const find = async () => (await database.run([withRawRows(statement), { ...scope, id }]))[0]?.[0]
  const row = await database.findNamed(find)
  if (!row) throw notFound()
  const stored = statement.read(row)
  return { limits: toLimits(stored), version: stored.version, others: stored.others }
}

/** The problem of one more automatic coupon than a merchant can have. */
export const tooManyAutomatic = (issues: readonly Issue[] = []) =>
  new ApiError('too_many', `A merchant can have ${maxAutomatic} automatic coupons in each mode.`, issues)

/** A change of the limits of the coupon `id`. */
interface LimitsChange {
  id: string
  body: ParsedBody
  condition?: Precondition | undefined
  /** Statements that precede the change in its transaction. They undo it if it is not allowed. */
  guard?: Write | undefined
  respond: (limits: CouponLimits, version: number) => Response
}

/** Merges a body into the limits of a coupon. Returns the response. */
export async function changeLimits(actor: Actor, { id, body, condition, guard = [], respond }: LimitsChange) {
  const { patch, issues } = body
  const { database, scope } = actor
  return withObjectLock(JSON.stringify(['coupon limits', scope, id]), async () => {
    // Only the latest state can justify a skipped write.
    database.usePrimary()
    for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
      const before = await findLimits(database, scope, id)
      if (condition && !isPreconditionMet(condition, toShownState(before.version, before.limits)))
        throw preconditionFailed()
      const limits = limitView.parse(merge(before.limits, patch))
      const found = [...issues, ...getLimitIssues(limits, issues)]
      if (found.length > 0) throw invalid(found)
      if (isSameJson(limits, before.limits)) return respond(limits, before.version)
      if (limits.automatic && !before.limits.automatic && before.others >= maxAutomatic) throw tooManyAutomatic()
      const version = before.version + 1
      const response = respond(limits, version)
      const operation = { operation: 'coupons.limits.update', object: id, record: recordTitled(coupons), response }
      const row = JSON.stringify({ id, limits })
      const previous = JSON.stringify(listPrevious(before.limits, limits))
      const event = createEventValues({ ...actor, renderContext: { baseUrl: undefined } })
      const values = { ...toValues(columnsOfLimits, limits), ...event, id, version, row, previous }
      const results = await commit(actor, operation, [
        ...guard,
        [statements.write(), values],
        [statements.record(), values],
        ...(limits.automatic === before.limits.automatic ? [] : [[statements.setAutomatic(), values] as const]),
      ])
      if ((results[guard.length] ?? []).length > 0) return response
      await pauseAfter(attempt)
    }
    throw busy()
  })
}

/** Routes of the limits of a coupon. */
export const couponLimitRoutes = new Hono<Env>()
  .get('/:id/limits', revalidate, async (c) => {
    const { limits, version } = await findLimits(c.var.database, c.var.scope, c.req.param('id'))
    return c.json(limits, 200, { ETag: createStateTag({ version }, limits) })
  })
  .post('/:id/limits', jsonBody(limitRules), idempotent, (c) =>
    changeLimits(getActor(c), {
      id: c.req.param('id'),
      body: c.req.valid('json'),
      condition: getPrecondition(c),
      respond: (limits, version) => c.json(limits, 200, { ETag: createStateTag({ version }, limits) }),
    }),
  )
