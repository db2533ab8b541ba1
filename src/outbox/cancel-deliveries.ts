import { type SQL, sql } from 'drizzle-orm'
import { compile, type Statement } from '../db/database.ts'
import { setColumns } from '../db/query.ts'
import { deliveryTable } from '../db/schema/deliveries.ts'

/** Cancels the pending deliveries of one webhook. `seq` selects the webhook; the statement takes its parameters. */
export const cancelDeliveries = (seq: SQL): Statement =>
  compile(sql`
    update ${deliveryTable} indexed by deliveries_due set ${setColumns(deliveryTable, { state: sql`'cancelled'` })}
    where ${deliveryTable.state} = 'pending' and ${deliveryTable.webhook} = ${seq}`)
