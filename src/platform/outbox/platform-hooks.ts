import { type SQL, sql } from 'drizzle-orm'
import { deliveryTable } from '../db/schema/events.ts'

const nextHook = (before: SQL) =>
  sql`(select max(${deliveryTable.webhook}) from ${deliveryTable} where ${deliveryTable.webhook} < ${before})`
/** SQL for the platform webhooks that have deliveries in this database, as rows with `seq`: one index lookup for each. */
export const platformHooks = sql`(with recursive platform_hook(seq) as (
  select ${nextHook(sql`0`)}
  union all select ${nextHook(sql`platform_hook.seq`)} from platform_hook where platform_hook.seq is not null
) select seq from platform_hook where seq is not null)`
