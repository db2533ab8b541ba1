import * as z from 'zod/mini'
import { createOrderTypes, orderTypesView } from '../catalogue/resources/details/order-types.ts'
import type { Issue } from '../platform/errors.ts'
import { seconds } from '../platform/http/fields/seconds.ts'
import { weekdaySet } from '../platform/http/fields/weekdays.ts'
import * as field from '../platform/http/fields.ts'
import { weekdays } from '../platform/lib/opening-hours.ts'

/** Limits that a request can set; `null` clears one. */
export const limitFields = z.strictObject({
  startsAt: z
    .nullish(seconds)
    .check(z.describe('First second at which the coupon is valid, in seconds since 1970-01-01 UTC. Absent: no start.')),
  endsAt: z
    .nullish(seconds)
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
  days: z
    .nullish(weekdaySet.check(z.meta({ minItems: 1 })))
    .check(
      z.describe(
        'Weekdays on which quotes apply the coupon, by the clock of the venue. Hours past midnight belong to the day on which they begin. Absent: every day.',
      ),
    ),
  begin: z
    .nullish(field.beginTime)
    .check(
      z.describe(
        "Time from which quotes apply the coupon, in the venue's time zone: `HHMM`, `0000` to `2359`. Requires `end`. Absent: all day.",
      ),
    ),
  end: z
    .nullish(field.endTime)
    .check(
      z.describe(
        'Time until which quotes apply the coupon: `HHMM`, up to `2400`. A time before `begin` is on the next day. Requires `begin`.',
      ),
    ),
  orderTypes: createOrderTypes('Order types for which quotes apply the coupon. Absent: all.'),
  automatic: z
    .nullish(field.boolean)
    .check(
      z.describe(
        'Whether quotes apply the coupon without its code when all its conditions hold. Absent: only with a code.',
      ),
    ),
})

/** Maximum number of automatic coupons of a merchant in a mode: every quote reads them. */
export const maxAutomatic = 20

/** Limits as stored and shown. */
export const limitView = z.object({
  startsAt: z.optional(z.int()),
  endsAt: z.optional(z.int()),
  maxRedemptions: z.optional(z.int()),
  maxRedemptionsPerCustomer: z.optional(z.int()),
  maxDiscount: z.optional(z.number()),
  codesOnly: z.optional(z.boolean()),
  days: z.optional(z.array(z.enum(weekdays))),
  begin: z.optional(z.string()),
  end: z.optional(z.string()),
  orderTypes: orderTypesView,
  automatic: z.optional(z.boolean()),
})
export type CouponLimits = z.output<typeof limitView>

/** The issue of an end that is not after the start. Undefined if one of the two is invalid. */
function getPeriodIssues({ startsAt, endsAt }: CouponLimits, issues: readonly Issue[]): readonly Issue[] {
  const isFaulty = issues.some((issue) => 'pointer' in issue && /^\/(?:startsAt|endsAt)$/.test(issue.pointer))
  if (isFaulty || startsAt === undefined || endsAt === undefined || startsAt < endsAt) return []
  return [{ pointer: '/endsAt', code: 'conflict', message: 'must be after startsAt' }]
}

/** The issues of hours of which one end is missing, or which are empty. */
function getHourIssues({ begin, end }: CouponLimits, issues: readonly Issue[]): readonly Issue[] {
  if (issues.some((issue) => 'pointer' in issue && /^\/(?:begin|end)$/.test(issue.pointer))) return []
  if (begin !== undefined && end === undefined)
    return [{ pointer: '/end', code: 'required', message: 'is required with begin' }]
  if (begin === undefined && end !== undefined)
    return [{ pointer: '/begin', code: 'required', message: 'is required with end' }]
  return begin !== undefined && begin === end
    ? [{ pointer: '/end', code: 'conflict', message: 'must differ from begin' }]
    : []
}

/** The issues of limits that contradict each other. `issues` are those of single fields. */
export const getLimitIssues = (limits: CouponLimits, issues: readonly Issue[]): readonly Issue[] => [
  ...getPeriodIssues(limits, issues),
  ...getHourIssues(limits, issues),
]
