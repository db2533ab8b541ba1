import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { orderTypes } from '../catalogue/resources/details/order-types.ts'
import { DamagedError } from '../platform/db/damaged-rows.ts'
import { parseJson, type RowOf } from '../platform/db/query.ts'
import { couponLimitTable as table } from '../platform/db/schema/checkout/coupon-limits.ts'
import { couponTable } from '../platform/db/schema/resources/coupons.ts'
import { weekdays } from '../platform/lib/opening-hours.ts'
import type { CouponLimits } from './coupon-limit-fields.ts'

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

/** A value for each column of limits. */
export const createLimitValues = (toValue: (column: SQLiteColumn, name: string) => SQL) => ({
  startsAt: toValue(table.startsAt, 'startsAt'),
  endsAt: toValue(table.endsAt, 'endsAt'),
  maxRedemptions: toValue(table.maxRedemptions, 'maxRedemptions'),
  maxRedemptionsPerCustomer: toValue(table.maxRedemptionsPerCustomer, 'maxRedemptionsPerCustomer'),
  maxDiscount: toValue(table.maxDiscount, 'maxDiscount'),
  codesOnly: toValue(table.codesOnly, 'codesOnly'),
  days: toValue(table.days, 'days'),
  begin: toValue(table.begin, 'begin'),
  end: toValue(table.end, 'end'),
  orderTypes: toValue(table.orderTypes, 'orderTypes'),
})

/** The limits of a coupon of `couponTable`, left joined with its row of limits. */
export const storedLimits = {
  id: couponTable.id,
  merchantId: couponTable.merchantId,
  ...limitColumns,
  automatic: couponTable.automatic,
  /** 0 if the coupon has no row. */
  version: sql<number>`coalesce(${table.version}, 0)`,
}
export const columnsOfLimits = { ...limitColumns, automatic: couponTable.automatic }

const storedTypes = z.catch(z.array(z.enum(orderTypes)), [])
const storedDays = z.catch(z.array(z.enum(weekdays)), [])

/** The limits of a row, without the absent ones. */
export const toLimits = (
  row: Readonly<Record<'days' | 'orderTypes', unknown>> & Omit<RowOf<typeof columnsOfLimits>, 'days' | 'orderTypes'>,
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
