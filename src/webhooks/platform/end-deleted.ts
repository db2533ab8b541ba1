import { type SQL, sql } from 'drizzle-orm'
import { type Database, lazy, param } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { db, type RowOf, typed } from '../../platform/db/query.ts'
import { platformBacklogTable, platformWebhookTable } from '../../platform/db/schema/directory/platform-webhooks.ts'
import { deliveryTable } from '../../platform/db/schema/events.ts'
import type { Bindings } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { hasState, isUnleased, literal } from '../rows/conditions.ts'
import { endpointStatements, toWebhook } from './endpoints.ts'
import { forgetBacklog } from './release-parked.ts'

/** Maximum number of deliveries that one statement cancels, and of merchants in objects that one run visits. */
const endBounds = { deliveries: 1_000, merchants: 10 } as const

const next = (after: SQL) =>
  sql`(select min(${platformBacklogTable.webhook}) from ${platformBacklogTable} where ${after})`
/** SQL for the platform webhooks with backlogs, as `listed.seq`: one index lookup for each. */
const listed = sql`(with recursive found(seq) as (
  select ${next(sql`true`)} union all select ${next(sql`${platformBacklogTable.webhook} > found.seq`)} from found where found.seq is not null
) select seq from found where seq is not null) as listed`
const backlog = { number: platformBacklogTable.webhook, merchant: platformBacklogTable.merchantId }
type Backlog = RowOf<typeof backlog>

const isDeleted = (number: SQL) =>
  sql`not exists (select 1 from ${platformWebhookTable} where ${platformWebhookTable.seq} = ${number})`
const key = sql`${deliveryTable.webhook}, ${deliveryTable.event}`
const byDue = sql`${deliveryTable} indexed by deliveries_due`

const cancel = (found: SQL) =>
  typed({ webhook: deliveryTable.webhook }, (select) =>
    db
      .update(deliveryTable)
      .set({ state: 'cancelled' })
      .where(sql`(${key}) in (${found} limit ${literal(endBounds.deliveries)})`)
      .returning(select),
  )

export const endStatements = {
  /** The first backlogs of deleted platform webhooks. */
  findBacklogs: lazy(() =>
    typed(backlog, (select) =>
      db
        .select(select)
        .from(sql`${listed} cross join ${platformBacklogTable} on ${platformBacklogTable.webhook} = listed.seq`)
        .where(isDeleted(sql`listed.seq`))
        .limit(endBounds.merchants),
    ),
  ),
  /** Cancels pending deliveries of the shared database to deleted platform webhooks. `hooks` lists those with pending deliveries. */
  createCancel: (hooks: SQL) =>
    lazy(() =>
      cancel(sql`select ${key} from ${hooks} cross join ${byDue}
        where ${hasState('pending')} and ${deliveryTable.webhook} = hook.seq and ${isUnleased} and ${isDeleted(sql`-hook.seq`)}
          and ${isHere(deliveryTable.merchantId)}`),
    ),
  /** Cancels pending deliveries to the platform webhook `:webhook`. */
  cancelOf: lazy(() =>
    cancel(sql`select ${key} from ${byDue}
      where ${hasState('pending')} and ${deliveryTable.webhook} = ${param('webhook')} and ${isUnleased} and ${isHere(deliveryTable.merchantId)}`),
  ),
}

/**
 * Ends backlogs of deleted platform webhooks. The deletion cannot visit the objects with parked deliveries, and consumers and objects that still know
 * the webhook report such deliveries after it.
 */
export async function endDeleted(
  env: Bindings,
  directory: Database,
  backlogs: readonly Backlog[],
  now: number,
): Promise<void> {
  for (const { number, merchant } of backlogs) {
    const database = merchantDatabase(env, { merchantId: merchant, home: undefined })
    try {
      const [cancelled] = await database.run([endStatements.cancelOf(), { webhook: toWebhook(number), now }])
      if (cancelled.length === endBounds.deliveries) continue
      // The directory forgets first: a delivery that is parked later is reported again.
      await directory.run([endpointStatements.endBacklog(), { number, merchant }])
      await forgetBacklog(database, { number, merchant })
    } catch (error) {
      log(env, 'deliveries not enqueued', { merchant, error: String(error) })
    }
  }
}
