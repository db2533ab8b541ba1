import { type SQL, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../platform/db/database.ts'
import { isHere } from '../platform/db/home/home.ts'
import { deliveryTable, eventTable } from '../platform/db/schema/events.ts'
import { merchantTable } from '../platform/db/schema/merchants.ts'
import { webhookTable } from '../platform/db/schema/resources/webhooks.ts'

/** How long events and deliveries are kept, in days. */
export const retentionDays = 30

/** Every merchant in each mode. No index orders the events of all merchants by age. */
const scopes = sql`${merchantTable} cross join (select 0 as mode union all select 1)`
const isInMode = sql`${eventTable.merchantId} = ${merchantTable.id} and ${eventTable.testMode} = mode`
const isOfMerchantHere = isHere(merchantTable.id)

/** SQL for the first webhook with deliveries among those that `where` selects. */
const findFirst = (where = sql``) => sql`(select min(${deliveryTable.webhook}) from ${deliveryTable} ${where})`
/** Webhooks that have deliveries, deleted ones included, found by one index lookup for each. */
const hooks = sql`
  with recursive hook(seq) as (
    select ${findFirst()}
    union all select ${findFirst(sql`where ${deliveryTable.webhook} > hook.seq`)} from hook where hook.seq is not null
  )`
const isOfHook = sql`${deliveryTable.webhook} = hook.seq`
const hookRow = (column: SQL) => sql`(select ${column} from ${webhookTable} where ${webhookTable.seq} = hook.seq)`
/** Also true for deleted webhooks, because their merchant is unknown. */
const isHookHere = isHere(hookRow(sql`${webhookTable.merchantId}`))
/** SQL for the id before which deliveries are purged: for a deleted webhook all of them, because every id sorts before `~`. */
const purgedBefore = sql`coalesce(${hookRow(sql`${param('before')}`)}, '~')`

const findOldest = (oldest: SQL, source: SQL) =>
  sql`select min(oldest) as oldest from (select (${oldest}) as oldest from ${source})`

/**
 * `purge` deletes at most `:limit` rows with an id before `:before`. `oldest` returns the lowest id. Both skip merchants whose data is elsewhere or
 * is being restored: copied rows of a move, and a loaded backup, must stay complete until they are compared.
 */
export const eventRetention = {
  purge: lazy(() => {
    const key = sql`${eventTable.merchantId}, ${eventTable.testMode}, ${eventTable.id}`
    return compile(sql`
      delete from ${eventTable} where (${key}) in (
        select ${key} from ${scopes} cross join ${eventTable}
        where ${isOfMerchantHere} and ${isInMode} and ${eventTable.id} < ${param('before')} limit ${param('limit')}
      ) returning 1 as gone`)
  }),
  oldest: lazy(() =>
    compile(
      findOldest(
        sql`select min(${eventTable.id}) from ${eventTable} where ${isInMode}`,
        sql`${scopes} where ${isOfMerchantHere}`,
      ),
    ),
  ),
}

export const deliveryRetention = {
  purge: lazy(() => {
    const key = sql`${deliveryTable.webhook}, ${deliveryTable.event}`
    return compile(sql`
      ${hooks} delete from ${deliveryTable} where (${key}) in (
        select ${key} from hook cross join ${deliveryTable}
        where ${isHookHere} and ${isOfHook} and ${deliveryTable.event} < ${purgedBefore} limit ${param('limit')}
      ) returning 1 as gone`)
  }),
  oldest: lazy(() => {
    const oldest = sql`select min(${deliveryTable.event}) from ${deliveryTable} where ${isOfHook}`
    return compile(sql`${hooks} ${findOldest(oldest, sql`hook where hook.seq is not null and ${isHookHere}`)}`)
  }),
}
