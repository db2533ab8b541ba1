import { type SQL, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../platform/db/database.ts'
import { isHere } from '../platform/db/home/home.ts'
import { createNext, listedMerchant, listedMerchants, listedScopes } from '../platform/db/purge-times.ts'
import { deliveryTable, eventTable } from '../platform/db/schema/events.ts'
import { merchantTable } from '../platform/db/schema/merchants.ts'
import { goneWebhookTable } from '../platform/db/schema/purges.ts'
import { webhookTable } from '../platform/db/schema/resources/webhooks.ts'
import { platformHooks } from '../platform/outbox/platform-hooks.ts'

/** How long events and deliveries are kept, in days. */
export const retentionDays = 30

/** Every merchant in each mode. No index orders the events of all merchants by age. */
const scopes = sql`${merchantTable} cross join (select 0 as mode union all select 1)`
const isInMode = (merchantId: SQL) => sql`${eventTable.merchantId} = ${merchantId} and ${eventTable.testMode} = mode`

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

const findOldest = (oldest: SQL, source: SQL) =>
  sql`select min(oldest) as oldest from (select (${oldest}) as oldest from ${source})`

/**
 * `purge` deletes at most `:limit` rows with an id before `:before`, of the merchants in `:merchants`; `next` returns the lowest id of each.
 * `oldest` returns the lowest id of all. `purge` and `oldest` skip merchants whose data is elsewhere or is being restored: the copy of a
 * move, and a loaded backup, must stay complete until they are compared.
 */
export const eventRetention = {
  purge: lazy(() => {
    const key = sql`${eventTable.merchantId}, ${eventTable.testMode}, ${eventTable.id}`
    return compile(sql`
      delete from ${eventTable} where (${key}) in (
        select ${key} from ${listedScopes} cross join ${eventTable}
        where ${isHere(listedMerchant)} and ${isInMode(listedMerchant)} and ${eventTable.id} < ${param('before')} limit ${param('limit')}
      ) returning 1 as gone`)
  }),
  next: createNext(sql`select min(${eventTable.id}) from ${eventTable} where ${isInMode(listedMerchant)}`),
  oldest: lazy(() => {
    const merchant = sql`${merchantTable.id}`
    const first = sql`select min(${eventTable.id}) from ${eventTable} where ${isInMode(merchant)}`
    return compile(findOldest(first, sql`${scopes} where ${isHere(merchant)}`))
  }),
}

const listedHooks = sql`${listedMerchants} cross join ${webhookTable} on ${webhookTable.merchantId} = ${listedMerchant}`

/** Purges deliveries: those of the merchants, of deleted webhooks, and of platform webhooks, whose events the merchants of the run have or had. */
export const deliveryRetention = {
  purge: lazy(() => {
    const key = sql`${deliveryTable.webhook}, ${deliveryTable.event}`
    const gone = goneWebhookTable.webhook
    return compile(sql`
      delete from ${deliveryTable} where (${key}) in (select webhook, event from (
        select ${key} from ${listedHooks} cross join ${deliveryTable}
        where ${isHere(listedMerchant)} and ${deliveryTable.webhook} = ${webhookTable.seq} and ${deliveryTable.event} < ${param('before')}
        union all
        select ${key} from ${goneWebhookTable} cross join ${deliveryTable} on ${deliveryTable.webhook} = ${gone}
        where not exists (select 1 from ${webhookTable} where ${webhookTable.seq} = ${gone})
        union all
        select ${key} from ${platformHooks} as hook cross join ${deliveryTable}
        where ${isOfHook} and ${deliveryTable.event} < ${param('before')} and ${isHere(deliveryTable.merchantId)}
        limit ${param('limit')})
      ) returning 1 as gone`)
  }),
  next: createNext(
    sql`select min(${deliveryTable.event}) from ${deliveryTable} where ${deliveryTable.webhook} = ${webhookTable.seq}`,
    listedHooks,
  ),
  oldest: lazy(() => {
    const oldest = sql`select min(${deliveryTable.event}) from ${deliveryTable} where ${isOfHook}`
    return compile(sql`${hooks} ${findOldest(oldest, sql`hook where hook.seq is not null and ${isHookHere}`)}`)
  }),
  any: lazy(() => compile(sql`select 1 as found from ${deliveryTable} limit 1`)),
}
