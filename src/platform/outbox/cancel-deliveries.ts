import { type SQL, sql } from 'drizzle-orm'
import { compile, type Statement } from '../db/database.ts'
import { setColumns } from '../db/query.ts'
import { deliveryTable, eventTable } from '../db/schema/events.ts'
import { webhookTable } from '../db/schema/resources/webhooks.ts'

/** Cancels the pending deliveries of webhooks. `seqs` selects their `seq`; the statement takes its parameters. */
export const cancelDeliveries = (seqs: SQL): Statement =>
  compile(sql`
    update ${deliveryTable} indexed by deliveries_due set ${setColumns(deliveryTable, { state: sql`'cancelled'` })}
    where ${deliveryTable.state} = 'pending' and ${deliveryTable.webhook} in ${seqs}`)

/**
 * Cancels the pending deliveries of webhooks whose events are of types that the webhook does not subscribe to. `webhooks` selects them, and
 * the statement takes its parameters.
 */
export const cancelUnsubscribed = (webhooks: SQL | undefined): Statement =>
  compile(sql`
    update ${deliveryTable} indexed by deliveries_due set ${setColumns(deliveryTable, { state: sql`'cancelled'` })}
    where ${deliveryTable.state} = 'pending' and (${deliveryTable.webhook}, ${deliveryTable.event}) in (
      select ${deliveryTable.webhook}, ${deliveryTable.event}
      from ${webhookTable} cross join ${deliveryTable} indexed by deliveries_due cross join ${eventTable}
      where ${webhooks} and ${deliveryTable.state} = 'pending' and ${deliveryTable.webhook} = ${webhookTable.seq}
        and ${eventTable.merchantId} = ${webhookTable.merchantId} and ${eventTable.testMode} = ${webhookTable.testMode}
        and ${eventTable.id} = ${deliveryTable.event}
        and not exists (select 1 from json_each(${webhookTable.events}) where value in (${eventTable.type}, '*')))`)
