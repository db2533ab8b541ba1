import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { compile, type Database, lazy, param } from '../platform/db/database.ts'
import { columnParam, db, selectList, setColumns, typed } from '../platform/db/query.ts'
import { deliveryTable } from '../platform/db/schema/events.ts'
import { webhookTable } from '../platform/db/schema/resources/webhooks.ts'
import type { Bindings } from '../platform/env.ts'
import { circuitBreaker } from '../platform/outbox/circuit-breaker.ts'
import { enqueueDeliveries } from '../platform/outbox/enqueue-deliveries.ts'
import { hasState, isUnleased, literal } from './rows/conditions.ts'
import { pendingFields, toPendingDelivery } from './rows/stored-delivery.ts'

/** A delivery that has been due for longer than this has lost its message or is parked, in seconds. */
export const overdueSeconds = 30
/** Number of deliveries of one webhook that are released together when its endpoint accepts a call again. */
const waveSize = 50

/** SQL for a pending delivery that is due by `:before` and that no attempt is using. */
export const isOverdue = sql`${hasState('pending')} and ${deliveryTable.dueAt} <= ${param('before')} and ${isUnleased}`

const chosen = alias(deliveryTable, 'chosen')

/** SQL for the overdue deliveries of the webhooks in `:webhooks`, at most `:limit` of each, oldest due time first. */
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
 * Makes overdue deliveries due now, and returns them for their messages. The next caller gets other deliveries. These become overdue again only after
 * their messages had time to be handled.
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

/** SQL for a delivery that was waiting when the endpoint recovered at `:before`. Parked deliveries may be due up to one pause later. */
const waited = sql`${hasState('pending')} and ${deliveryTable.webhook} = ${param('webhook')} and ${isUnleased}
  and ${deliveryTable.createdAt} <= ${param('before')} and ${deliveryTable.dueAt} <= ${param('before')} + ${literal(circuitBreaker.pause)}`
const isCalled = sql`exists (select 1 from ${webhookTable} where ${webhookTable.seq} = ${param('webhook')}
  and ${webhookTable.active} and ${webhookTable.failures} < ${literal(circuitBreaker.failures)})`
/** The key of the index, which contains only pending deliveries. A wave therefore reads only deliveries in progress and its own. */
const order = sql`${deliveryTable.dueAt}, ${deliveryTable.event}`
const nextWave = sql`from ${deliveryTable} indexed by deliveries_due
  where ${waited} and (${order}) > (${param('dueAt')}, ${param('event')}) and ${isCalled} order by ${order} limit ${literal(waveSize)}`

const waveFields = { ...pendingFields, dueAt: deliveryTable.dueAt }
const waveStatements = {
  find: lazy(() => typed(waveFields, () => sql`select ${selectList(waveFields)} ${nextWave}`)),
  /** Parked deliveries become due. The others keep their time, so that later waves do not find them again. */
  release: lazy(() =>
    compile(sql`update ${deliveryTable} set ${setColumns(deliveryTable, { dueAt: sql`min(${deliveryTable.dueAt}, ${param('before')})` })}
      where (${deliveryTable.webhook}, ${deliveryTable.event}) in (select ${deliveryTable.webhook}, ${deliveryTable.event} ${nextWave})`),
  ),
}

/** A webhook whose next wave is due. Times are in seconds. */
interface Wave {
  merchant: string
  webhook: number
  /** Time at which the endpoint had recovered. It is equal in all waves, so that they end: later deliveries have their own messages. */
  before: number
  /** Key of the last delivery of the previous wave. Absent in the first wave. */
  dueAt?: number
  event?: string
  now: number
}

/**
 * Releases the next wave of a webhook's backlog, of any age, unless the endpoint is broken again. The last message of a full wave has `wave`, which
 * releases the next wave.
 */
export async function releaseWave(
  env: Bindings,
  database: Database,
  { merchant, webhook, before, dueAt = 0, event = '', now }: Wave,
): Promise<void> {
  const values = { webhook, before, now, dueAt, event }
  const [rows] = await database.run([waveStatements.find(), values], [waveStatements.release(), values])
  const last = rows.length === waveSize ? rows.length - 1 : undefined
  await enqueueDeliveries(
    env,
    rows.map(({ dueAt, ...row }, index) => ({
      ...toPendingDelivery(row),
      merchant,
      ...(index === last && { wave: { before, dueAt } }),
    })),
  )
}
