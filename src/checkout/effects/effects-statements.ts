import { and, eq, sql } from 'drizzle-orm'
import { createAuditStatement } from '../../platform/db/audit-log.ts'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { createStoreStatement } from '../../platform/db/idempotency-keys.ts'
import { setColumns } from '../../platform/db/query.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { createPublish } from '../../platform/outbox/publish-event.ts'
import { isInState } from '../redemptions/redemption-counts.ts'
import { createRedemptionStatement, redemptionJson } from '../redemptions/redemption-statements.ts'
import { isEachAllowed, own, requested } from '../redemptions/verdict.ts'
import { createAdjustmentStatement, isApplicable, ownRecord } from '../stock/adjustment-statements.ts'

const isEvent = and(isInScope(eventTable), eq(eventTable.id, param('event')))
/** The event was inserted, so all effects are allowed. */
const isPublished = sql`exists (select 1 from ${eventTable} where ${isEvent})`

/** A redemption keeps the code that its coupon had. The code finds it only where no coupon has the code. */
const isOfRequestedCoupon = sql`iif(${couponTable.id} is null,
  ${redemptionTable.codeKey} = ${requested.codeKey}, ${redemptionTable.coupon} = ${couponTable.id})`

/** The redemptions that the orders have of the requested coupons. */
const ofRequested = sql`json_each(${param('redemptions')}) as requested cross join ${redemptionTable}
  left join ${couponTable} on ${isInScope(couponTable)} and ${couponTable.codeKey} = ${requested.codeKey}
  where ${isInScope(redemptionTable)} and ${redemptionTable.orderId} = ${requested.order}
    and ${isOfRequestedCoupon} and ${isInState(redemptionTable, 'redeemed')}`

export const effectStatements = {
  /** Inserts the event of the order if all its effects are allowed. The other statements follow it. */
  publish: createPublish(sql`(${isApplicable}) and (${isEachAllowed})`),
  recordStock: createAdjustmentStatement(sql`${param('reference')} is not null and ${isPublished}`),
  // The event was published only if each may be written. Time has gone on since.
  recordRedemptions: createRedemptionStatement(sql`${isPublished} and coalesce(${own.state} = 'held', true)`),
  /** Assigns redemptions that the order had before to its event. */
  assignRedemptions: lazy(() =>
    compile(sql`
      update ${redemptionTable} set ${setColumns(redemptionTable, {
        orderEvent: param('orderEvent'),
        orderHash: param('orderHash'),
      })}
      where ${isInScope(redemptionTable)} and ${redemptionTable.orderEvent} is null and ${isPublished}
        and ${redemptionTable.id} in (select ${redemptionTable.id} from ${ofRequested})`),
  ),
  recordAudit: lazy(() =>
    createAuditStatement(sql`from ${eventTable} where ${isEvent}`, {
      operation: sql`'events.publish'`,
      object: eventTable.id,
    }),
  ),
  store: createStoreStatement(sql`json_object('id', ${param('event')}, 'stock', json(${ownRecord}),
    'redemptions', (select json_group_array(${redemptionJson}) from ${ofRequested}))`),
}
