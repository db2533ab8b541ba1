import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { allOf, param } from '../../platform/db/database.ts'
import { redemptionStates, redemptionTable as table } from '../../platform/db/schema/checkout/redemptions.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { textFilter } from '../../platform/http/fields/query-parameters.ts'
import { createPageStatements } from '../../platform/http/keyset-list.ts'
import { listFields } from '../../platform/http/pagination.ts'
import { redemptionFields } from './redemption-view.ts'

/** Newest first. `order` is a filter here, so no parameter changes the sort order. */
export const redemptionQuery = z.strictObject({
  limit: listFields.limit,
  cursor: listFields.cursor,
  coupon: textFilter,
  customer: textFilter,
  order: textFilter,
  state: z
    .optional(z.enum(redemptionStates))
    .check(z.describe('Returns only redemptions in this state at the time of the request.')),
})
type RedemptionQuery = z.output<typeof redemptionQuery>

/** The columns of a redemption that the list returns. */
export const redemptionListFields = { ...redemptionFields, merchantId: table.merchantId }

const isOver = sql`${table.expiresAt} <= ${param('now')}`
/** An expired hold is stored as `held` until its order redeems the coupon again. */
const states: Readonly<Record<(typeof redemptionStates)[number], SQL>> = {
  held: sql`${table.state} = 'held' and not ${isOver}`,
  redeemed: sql`${table.state} = 'redeemed'`,
  released: sql`${table.state} = 'released'`,
  expired: sql`${table.state} in ('held', 'expired') and ${isOver}`,
}

const filters = { coupon: table.coupon, customer: table.customer, order: table.orderId } as const

function createPages({ state, ...query }: RedemptionQuery) {
  const conditions = (['coupon', 'customer', 'order'] as const).flatMap((name) =>
    query[name] === undefined ? [] : [eq(filters[name], param(name))],
  )
  return createPageStatements(redemptionListFields, allOf(isInScope(table), ...conditions, state && states[state]))
}
const built = new Map<string, ReturnType<typeof createPages>>()

/** The statements of a list by its filters. Each combination is built once. */
export function getRedemptionPages(query: RedemptionQuery) {
  const { coupon, customer, order, state } = query
  const key = JSON.stringify([coupon === undefined, customer === undefined, order === undefined, state])
  const pages = built.get(key) ?? createPages(query)
  built.set(key, pages)
  return pages
}
