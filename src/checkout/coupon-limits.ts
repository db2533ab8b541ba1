import { eq, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { raiseEvent } from '../catalogue/events/raise-event.ts'
import { createEventValues } from '../catalogue/resource/caller.ts'
import { listPrevious } from '../catalogue/resource/details/plan-details.ts'
import { isSameJson, merge } from '../catalogue/resource/merge-patch.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../catalogue/resource/object-lock.ts'
import { orderTypes } from '../catalogue/resources/details/order-types.ts'
import { DamagedError } from '../platform/db/damaged-rows.ts'
import { allOf, compile, type Database, lazy, param, toValues } from '../platform/db/database.ts'
import {
  columnParam,
  db,
  insertSelect,
  parseJson,
  type RowOf,
  setColumns,
  typed,
  withRawRows,
} from '../platform/db/query.ts'
import { couponLimitTable as table } from '../platform/db/schema/checkout/coupon-limits.ts'
import { couponTable } from '../platform/db/schema/resources/coupons.ts'
import { isInScope, type Scope } from '../platform/db/scope.ts'
import { type Actor, commit, type Write } from '../platform/db/transaction.ts'
import { ApiError, invalid, notFound } from '../platform/errors.ts'
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
import { weekdays } from '../platform/lib/opening-hours.ts'
import { type CouponLimits, getLimitIssues, limitFields, limitView, maxAutomatic } from './coupon-limit-fields.ts'

export const limitRules = { schema: limitFields, partial: limitFields, readOnly: new Set<string>() }

const other = alias(couponTable, 'other')
/** Number of other automatic coupons. */
const countOthers = sql<number>`(select count(*) from ${couponTable} as ${other} where ${isInScope(other)}
    and ${other.automatic} = 1 and ${other.id} <> ${param('id')})`
const isCoupon = allOf(isInScope(couponTable), eq(couponTable.id, param('id')))
export const limitColumns = {
  startsAt: table.startsAt,
  endsAt: table.endsAt,
  maxRedemptions: table.maxRedemptions,
  maxRedemptionsPerCustomer: table.maxRedemptionsPerCustomer,
  maxDiscount: table.maxDiscount,
  codesOnly: table.codesOnly,
  days: table.days,
  begin: table.begin,
  end: table.end,
  orderTypes: table.orderTypes,
}
const storedFields = {
  id: couponTable.id,
  merchantId: couponTable.merchantId,
  ...limitColumns,
  automatic: couponTable.automatic,
  others: countOthers,
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
  days: columnParam(table.days, 'days'),
  begin: columnParam(table.begin, 'begin'),
  end: columnParam(table.end, 'end'),
  orderTypes: columnParam(table.orderTypes, 'orderTypes'),
  version: sql`${param('version')}`,
}

/** The coupon was automatic, does not become so, or is one of the first that are. */
const hasRoom = sql`(coalesce(${param('automatic')}, 0) = 0 or ${couponTable.automatic} = 1 or ${countOthers} < ${sql.raw(String(maxAutomatic))})`
const storedNames = { ...limitColumns, automatic: couponTable.automatic }

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

const storedTypes = z.catch(z.array(z.enum(orderTypes)), [])
const storedDays = z.catch(z.array(z.enum(weekdays)), [])

/** The limits of a row, without the absent ones. */
const toLimits = (
  row: Readonly<Record<'days' | 'orderTypes', unknown>> & Omit<RowOf<typeof storedNames>, 'days' | 'orderTypes'>,
): CouponLimits => ({
  startsAt: row.startsAt ?? undefined,
  endsAt: row.endsAt ?? undefined,
  maxRedemptions: row.maxRedemptions ?? undefined,
  maxRedemptionsPerCustomer: row.maxRedemptionsPerCustomer ?? undefined,
  maxDiscount: row.maxDiscount ?? undefined,
  codesOnly: row.codesOnly ?? undefined,
  days: row.days === null ? undefined : storedDays.parse(row.days),
  begin: row.begin ?? undefined,
  end: row.end ?? undefined,
  orderTypes: row.orderTypes === null ? undefined : storedTypes.parse(row.orderTypes),
  automatic: row.automatic ?? undefined,
})

const jsonColumns = new Set<SQLiteColumn>([table.days, table.orderTypes])
/** SQL for the limits of the coupon of a row, as JSON. Null if it has none. */
export const selectLimits = sql`(select json_object(${sql.join(
  Object.entries(limitColumns).map(
    ([name, column]) => sql`${sql.raw(`'${name}'`)}, ${jsonColumns.has(column) ? sql`json(${column})` : column}`,
  ),
  sql`, `,
)}, 'automatic', ${couponTable.automatic}) from ${table} where ${table.coupon} = ${couponTable.seq})`

const flag = z.nullable(
  z.pipe(
    z.literal([0, 1]),
    z.transform((value) => value === 1),
  ),
)
const selectedLimits = z.object({
  startsAt: z.nullable(z.int()),
  endsAt: z.nullable(z.int()),
  maxRedemptions: z.nullable(z.int()),
  maxRedemptionsPerCustomer: z.nullable(z.int()),
  maxDiscount: z.nullable(z.number()),
  codesOnly: flag,
  days: z.nullable(z.unknown()),
  begin: z.nullable(z.string()),
  end: z.nullable(z.string()),
  orderTypes: z.nullable(z.unknown()),
  automatic: flag,
})

/** The limits from the JSON of `selectLimits`. Throws `DamagedError` for those of a damaged row. */
export function readSelectedLimits(text: string, { id, merchantId }: Readonly<Record<'id' | 'merchantId', string>>) {
  const { data, error } = selectedLimits.safeParse(parseJson(text))
  if (data) return toLimits(data)
  const fields = [...new Set(error.issues.map(({ path }) => `limits.${String(path[0])}`))]
  throw new DamagedError({ table: 'coupons', id, merchantId, fields })
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

const tooManyAutomatic = () =>
  new ApiError('too_many', `A merchant can have ${maxAutomatic} automatic coupons in each mode.`)

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
      const operation = { operation: 'coupons.limits.update', object: id, response }
      const row = JSON.stringify({ id, limits })
      const previous = JSON.stringify(listPrevious(before.limits, limits))
      const event = createEventValues({ ...actor, renderContext: { baseUrl: undefined } })
      const values = { ...toValues(storedNames, limits), ...event, id, version, row, previous }
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
