import { eq, type SQL, sql } from 'drizzle-orm'
import { type Database, lazy, param } from '../platform/db/database.ts'
import { isHere } from '../platform/db/home/home.ts'
import { db, type RowOf, typed } from '../platform/db/query.ts'
import { deliveryTable } from '../platform/db/schema/events.ts'
import { merchantTable, suspendedField } from '../platform/db/schema/merchants.ts'
import { webhookTable } from '../platform/db/schema/resources/webhooks.ts'
import { isOverdue } from './backlog.ts'
import { hasState } from './rows/conditions.ts'

/** Maximum number of webhooks with pending deliveries that one run examines. */
const maxWebhooks = 5_000

/** The deliveries, read through the index of pending ones. */
const byDue = sql`${deliveryTable} indexed by deliveries_due`
const hookSeq = sql<number>`hook.seq`
/** SQL for the first webhook after another that has pending deliveries. */
const findNext = (after: SQL) => sql`(
  select min(${deliveryTable.webhook}) from ${byDue} where ${hasState('pending')} and ${deliveryTable.webhook} > ${after})`

/**
 * SQL of a recursive table `pending_webhooks(seq)`: webhooks with pending deliveries, at most `maxWebhooks`, found by one index lookup for each.
 */
export const pendingWebhooks = sql`
  select ${findNext(sql`-9007199254740991`)} union all
  select ${findNext(sql`pending_webhooks.seq`)} from pending_webhooks where pending_webhooks.seq is not null limit ${maxWebhooks}`

/** SQL for "the webhook's merchant is suspended". */
const isSuspended = sql`exists (
  select 1 from ${merchantTable} where ${merchantTable.id} = ${webhookTable.merchantId} and ${suspendedField})`

/** The columns of a deleted webhook are null: its deliveries are orphans. */
const fields = {
  webhook: hookSeq,
  merchantId: sql<string | null>`${webhookTable.merchantId}`,
  failures: sql<number | null>`${webhookTable.failures}`,
  probeAt: sql<number | null>`${webhookTable.probeAt}`,
  hasOverdue: sql<number>`exists (select 1 from ${byDue} where ${deliveryTable.webhook} = ${hookSeq} and ${isOverdue}) and not ${isSuspended} and ${isHere(webhookTable.merchantId)}`,
}
/** A webhook with overdue deliveries, whose merchant is active and in this database. */
export type WebhookBacklog = RowOf<typeof fields>

const statements = {
  /** Webhooks after `:after` that have pending deliveries, found by one index lookup for each. */
  find: lazy(() =>
    typed(fields, (select) => {
      const webhooks = db
        .select(select)
        .from(sql`hook`)
        .leftJoin(webhookTable, eq(webhookTable.seq, hookSeq))
        .where(sql`${hookSeq} is not null`)
      return sql`
        with recursive hook(seq, n) as (
          select ${findNext(sql`${param('after')}`)}, 1
          union all select ${findNext(hookSeq)}, n + 1 from hook where ${hookSeq} is not null and n < ${param('limit')}
        ) ${webhooks.getSQL()}`
    }),
  ),
  findLast: lazy(() =>
    typed({ webhook: sql<number | null>`max(${deliveryTable.webhook})` }, (select) =>
      db.select(select).from(byDue).where(hasState('pending')),
    ),
  ),
}

/**
 * Finds the webhooks whose overdue deliveries can be made. If one run cannot examine all webhooks with pending deliveries, it starts at a random one.
 */
export async function findBacklogs(
  database: Database,
  times: { now: number; before: number },
): Promise<WebhookBacklog[]> {
  const values = { ...times, limit: maxWebhooks }
  let [webhooks] = await database.run([statements.find(), { ...values, after: 0 }])
  if (webhooks.length === maxWebhooks) {
    const [[last]] = await database.run([statements.findLast(), values])
    const after = Math.floor(Math.random() * (last?.webhook ?? 0))
    ;[webhooks] = await database.run([statements.find(), { ...values, after }])
  }
  return webhooks.filter(({ hasOverdue }) => hasOverdue === 1)
}
