import { type SQL, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../db/database.ts'
import { deliveryTable } from '../db/schema/deliveries.ts'
import { eventTable } from '../db/schema/events.ts'
import { merchantTable } from '../db/schema/merchants.ts'

/** How long events and deliveries are kept, in days. */
export const retentionDays = 30

/** Every merchant in each mode. No index orders the events of all merchants by age. */
const scopes = sql`${merchantTable} cross join (select 0 as mode union all select 1)`
const isInScope = sql`${eventTable.merchantId} = ${merchantTable.id} and ${eventTable.testMode} = mode`

/** SQL for the first webhook that has deliveries, of those in `where`. */
const findFirst = (where = sql``) => sql`(select min(${deliveryTable.webhook}) from ${deliveryTable} ${where})`
/** Webhooks that have deliveries, deleted ones included, found by one index lookup for each. */
const hooks = sql`
  with recursive hook(seq) as (
    select ${findFirst()}
    union all select ${findFirst(sql`where ${deliveryTable.webhook} > hook.seq`)} from hook where hook.seq is not null
  )`
const isOfHook = sql`${deliveryTable.webhook} = hook.seq`

const findOldest = (oldest: SQL, source: SQL) =>
  sql`select min(oldest) as oldest from (select (${oldest}) as oldest from ${source})`

/** `purge` deletes at most `:most` rows with an id before `:before`. `oldest` returns the lowest id. */
export const eventRetention = {
  purge: lazy(() => {
    const key = sql`${eventTable.merchantId}, ${eventTable.testMode}, ${eventTable.id}`
    return compile(sql`
      delete from ${eventTable} where (${key}) in (
        select ${key} from ${scopes} cross join ${eventTable}
        where ${isInScope} and ${eventTable.id} < ${param('before')} limit ${param('most')}
      ) returning 1 as gone`)
  }),
  oldest: lazy(() =>
    compile(findOldest(sql`select min(${eventTable.id}) from ${eventTable} where ${isInScope}`, scopes)),
  ),
}

export const deliveryRetention = {
  purge: lazy(() => {
    const key = sql`${deliveryTable.webhook}, ${deliveryTable.event}`
    return compile(sql`
      ${hooks} delete from ${deliveryTable} where (${key}) in (
        select ${key} from hook cross join ${deliveryTable}
        where ${isOfHook} and ${deliveryTable.event} < ${param('before')} limit ${param('most')}
      ) returning 1 as gone`)
  }),
  oldest: lazy(() => {
    const oldest = sql`select min(${deliveryTable.event}) from ${deliveryTable} where ${isOfHook}`
    return compile(sql`${hooks} ${findOldest(oldest, sql`hook where hook.seq is not null`)}`)
  }),
}
