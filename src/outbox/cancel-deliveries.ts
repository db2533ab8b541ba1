import { type SQL, sql } from 'drizzle-orm'
import { compile, type Statement } from '../db/database.ts'
import { setColumns } from '../db/query.ts'
import { deliveryTable } from '../db/schema/deliveries.ts'

/** Cancels the pending deliveries of webhooks. `seqs` selects their `seq`; the statement takes its parameters. */
export const cancelDeliveries = (seqs: SQL): Statement =>
  compile(sql`
    update ${deliveryTable} indexed by deliveries_due set ${setColumns(deliveryTable, { state: sql`'cancelled'` })}
    where ${deliveryTable.state} = 'pending' and ${deliveryTable.webhook} in ${seqs}`)
