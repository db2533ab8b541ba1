import { sql } from 'drizzle-orm'
import { compile, lazy, param } from '../db/database.ts'

/** How long events and deliveries are kept, in days. */
export const retentionDays = 30

/** Every merchant in each mode: no index has the events of all of them by their age. */
const scopes = sql`merchants as m cross join (select 0 as mode union all select 1)`
/** Webhooks that have deliveries, deleted ones included, found by one look into the index for each. */
const hooks = sql`
  with recursive hook(seq) as (
    select min(webhook) from deliveries
    union all select (select min(webhook) from deliveries where webhook > hook.seq) from hook where hook.seq is not null
  )`

/** Delete at most `:most` rows with an id before `:before`, and tell the oldest id there is. */
export const eventRetention = {
  purge: lazy(() =>
    compile(sql`
      delete from events where (merchant_id, test_mode, id) in (
        select e.merchant_id, e.test_mode, e.id from ${scopes} cross join events as e
        where e.merchant_id = m.id and e.test_mode = mode and e.id < ${param('before')} limit ${param('most')}
      ) returning 1 as gone`),
  ),
  oldest: lazy(() =>
    compile(sql`
      select min(oldest) as oldest from (
        select (select min(e.id) from events as e where e.merchant_id = m.id and e.test_mode = mode) as oldest from ${scopes})`),
  ),
}

export const deliveryRetention = {
  purge: lazy(() =>
    compile(sql`
      ${hooks} delete from deliveries where (webhook, event) in (
        select d.webhook, d.event from hook cross join deliveries as d
        where d.webhook = hook.seq and d.event < ${param('before')} limit ${param('most')}
      ) returning 1 as gone`),
  ),
  oldest: lazy(() =>
    compile(sql`
      ${hooks} select min(oldest) as oldest from (
        select (select min(event) from deliveries where webhook = hook.seq) as oldest from hook where hook.seq is not null)`),
  ),
}
