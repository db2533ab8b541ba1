import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { type Database, lazy, param } from '../db/database.ts'
import { columnParam, db, typed } from '../db/query.ts'
import { deliveryTable } from '../db/schema/deliveries.ts'
import type { Bindings } from '../env.ts'
import { enqueueDeliveries } from '../outbox/enqueue-deliveries.ts'
import { hasState, isUnleased } from './rows/conditions.ts'
import { pendingFields, toPendingDelivery } from './rows/stored-delivery.ts'

/** A delivery that is due for longer than this has lost its message or is parked, in seconds. */
export const overdueSeconds = 30
/** Deliveries of one webhook that are released at once when its endpoint accepts a call again. */
const waveSize = 50

/** SQL for a pending delivery that is due by `:before` and that no attempt is using. */
export const isOverdue = sql`${hasState('pending')} and ${deliveryTable.dueAt} <= ${param('before')} and ${isUnleased}`

const chosen = alias(deliveryTable, 'chosen')

/** SQL for the overdue deliveries of the webhooks in `:webhooks`, at most `:limit` of each, those that are due longest first. */
const overdueKeys = sql`
  select ${chosen.webhook}, ${chosen.event}
  from json_each(${param('webhooks')}) as hook cross join ${deliveryTable} as ${chosen}
  where ${chosen.webhook} = hook.value and ${chosen.event} in (
    select ${deliveryTable.event} from ${deliveryTable} indexed by deliveries_due
    where ${deliveryTable.webhook} = hook.value and ${isOverdue}
    order by ${deliveryTable.dueAt} limit ${param('limit')})`

/** SQL for the deliveries in `overdueKeys`. */
export const isChosen = sql`(${deliveryTable.webhook}, ${deliveryTable.event}) in (${overdueKeys})`

/**
 * Makes overdue deliveries due now, and returns them for their messages. The next caller gets other deliveries: these are not overdue
 * again until their messages have had time to be handled.
 */
export const releaseStatement = lazy(() =>
  typed(pendingFields, (select) =>
    db
      .update(deliveryTable)
      .set({ dueAt: columnParam(deliveryTable.dueAt, 'now') })
      .where(isChosen)
      .returning(select),
  ),
)

/** A webhook whose next wave is due. Times are in seconds. */
interface Wave {
  merchant: string
  webhook: number
  before: number
  now: number
}

/** Releases the next wave of a webhook's backlog. The last message of a full wave has `more`, which releases the wave after it. */
export async function releaseWave(
  env: Bindings,
  database: Database,
  { merchant, webhook, before, now }: Wave,
): Promise<void> {
  const values = { webhooks: JSON.stringify([webhook]), before, now, limit: waveSize }
  const [rows] = await database.run([releaseStatement(), values])
  const last = rows.length === waveSize ? rows.length - 1 : undefined
  await enqueueDeliveries(
    env,
    rows.map((row, index) => ({ ...toPendingDelivery(row), merchant, ...(index === last && { more: true }) })),
  )
}
