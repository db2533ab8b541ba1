import { eq, sql } from 'drizzle-orm'
import { raiseEvent } from '../../catalogue/events/raise-event.ts'
import { listPrevious } from '../../catalogue/resource/details/plan-details.ts'
import { compile, lazy, param, type Values } from '../../platform/db/database.ts'
import { insertSelect, setColumns } from '../../platform/db/query.ts'
import { couponLimitTable as table } from '../../platform/db/schema/checkout/coupon-limits.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { excluded } from '../../platform/db/sql-name.ts'
import { undoIf, type Write } from '../../platform/db/transaction.ts'
import type { CouponLimits } from '../coupon-limit-fields.ts'
import { limitColumns } from '../coupon-limit-rows.ts'

/** Limits of a coupon that replace those of a version; 0: it has none. */
export interface PlannedLimits {
  id: string
  version: number
  limits: CouponLimits
  /** Limits before the change. */
  before: CouponLimits
}

/** The coupons of the JSON list `:limits`. */
const listed = sql`json_each(${param('limits')}) as planned`
const member = (key: string) => sql`planned.value ->> ${sql.raw(`'$.${key}'`)}`
const planned = sql`${listed} cross join ${couponTable} on ${isInScope(couponTable)} and ${couponTable.id} = ${member('id')}`
const toValue = (key: keyof typeof limitColumns) =>
  limitColumns[key].dataType === 'json'
    ? sql`planned.value -> ${sql.raw(`'$.limits.${key}'`)}`
    : member(`limits.${key}`)
const values = {
  startsAt: toValue('startsAt'),
  endsAt: toValue('endsAt'),
  maxRedemptions: toValue('maxRedemptions'),
  maxRedemptionsPerCustomer: toValue('maxRedemptionsPerCustomer'),
  maxDiscount: toValue('maxDiscount'),
  codesOnly: toValue('codesOnly'),
  days: toValue('days'),
  begin: toValue('begin'),
  end: toValue('end'),
  orderTypes: toValue('orderTypes'),
}

/** An element of `:limits`: what is planned, and the values before it that change. */
interface ListedLimits extends Omit<PlannedLimits, 'before'> {
  previous: object
}

const statements = {
  /** Records the changes for the history of the coupons. */
  record: lazy(() =>
    compile(
      raiseEvent({
        type: 'coupon.limits_changed',
        object: couponTable.id,
        version: sql`${member('version')} + 1`,
        row: sql`json_object('id', ${couponTable.id}, 'limits', planned.value -> '$.limits')`,
        previous: sql`planned.value -> '$.previous'`,
        position: sql`planned.key + 1`,
        from: sql`from ${planned}`,
      }),
    ),
  ),
  /** Undoes the transaction unless each coupon exists and its limits have the version that was read. */
  requireVersions: lazy(() =>
    compile(
      undoIf(sql`exists (select 1 from ${listed} left join ${couponTable} on ${isInScope(couponTable)} and ${couponTable.id} = ${member('id')}
        left join ${table} on ${eq(table.coupon, couponTable.seq)}
        where ${couponTable.seq} is null or coalesce(${table.version}, 0) <> ${member('version')})`),
    ),
  ),
  write: lazy(() => {
    const row = { coupon: couponTable.seq, ...values, version: sql`${member('version')} + 1` }
    const set = Object.fromEntries(
      Object.entries({ ...limitColumns, version: table.version }).map(([key, column]) => [key, excluded(column)]),
    )
    return compile(
      sql`${insertSelect(table, row, sql`from ${planned} where true`)} on conflict (coupon) do update set ${setColumns(table, set)}`,
    )
  }),
  setAutomatic: lazy(() =>
    compile(sql`update ${couponTable} set ${setColumns(couponTable, { automatic: member('limits.automatic') })}
      from ${listed} where ${isInScope(couponTable)} and ${couponTable.id} = ${member('id')}`),
  ),
}

/** Statements that replace limits of coupons. They undo the transaction if somebody else has changed one. */
export function limitMany(coupons: readonly PlannedLimits[], base: Values): Write {
  if (coupons.length === 0) return []
  const listed = coupons.map(
    ({ before, ...change }): ListedLimits => ({ ...change, previous: listPrevious(before, change.limits) }),
  )
  const bound = { ...base, limits: JSON.stringify(listed) }
  return [statements.requireVersions(), statements.write(), statements.setAutomatic(), statements.record()].map(
    (statement) => [statement, bound] as const,
  )
}
