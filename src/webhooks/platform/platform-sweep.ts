import { sql } from 'drizzle-orm'
import { compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { columnParam, db, typed } from '../../platform/db/query.ts'
import { platformBacklogTable } from '../../platform/db/schema/directory/platform-webhooks.ts'
import { deliveryTable, parkedUntil } from '../../platform/db/schema/events.ts'
import { merchantTable, suspendedField } from '../../platform/db/schema/merchants.ts'
import type { Bindings } from '../../platform/env.ts'
import { enqueueDeliveries, enqueueMerchantDeliveries } from '../../platform/outbox/enqueue-deliveries.ts'
import { isOverdue, overdueSeconds } from '../backlog.ts'
import { hasState, literal } from '../rows/conditions.ts'
import { toPendingDelivery } from '../rows/stored-delivery.ts'
import { endDeleted, endStatements } from './end-deleted.ts'
import { endpointStatements, isEndpointBroken, toNumber, toWebhook } from './endpoints.ts'
import { findProbe } from './platform-attempt.ts'
import { platformPendingFields, releaseParked } from './release-parked.ts'

/** Maximum number of overdue deliveries to platform webhooks that one run enqueues, and of steps of a recovery. */
const platformSweepBounds = { deliveries: 1_000, steps: 10 } as const

const byDue = sql`${deliveryTable} indexed by deliveries_due`
const before = (limit: string) =>
  sql`(select max(${deliveryTable.webhook}) from ${byDue} where ${hasState('pending')} and ${deliveryTable.webhook} < ${sql.raw(limit)})`
/** SQL for the platform webhooks with pending deliveries, as `hook.seq`: one index lookup for each. */
const hooks = sql`(with recursive found(seq) as (
  select ${before('0')} union all select ${before('found.seq')} from found where found.seq is not null
) select seq from found where seq is not null) as hook`
const isSuspended = sql`exists (
  select 1 from ${merchantTable} where ${merchantTable.id} = ${deliveryTable.merchantId} and ${suspendedField})`

const statements = {
  /** Returns a row if deliveries to platform webhooks are pending. */
  findPending: lazy(() =>
    compile(sql`select 1 as found from ${byDue} where ${hasState('pending')} and ${deliveryTable.webhook} < 0 limit 1`),
  ),
  /** Makes overdue deliveries due now, and returns them for their messages. */
  release: lazy(() => {
    const overdue = sql`select ${deliveryTable.webhook}, ${deliveryTable.event} from ${hooks} cross join ${byDue}
      where ${deliveryTable.webhook} = hook.seq and ${isOverdue} and ${isHere(deliveryTable.merchantId)} and not ${isSuspended}
      limit ${param('limit')}`
    return typed(platformPendingFields, (select) =>
      db
        .update(deliveryTable)
        .set({ dueAt: columnParam(deliveryTable.dueAt, 'now') })
        .where(sql`(${deliveryTable.webhook}, ${deliveryTable.event}) in (${overdue})`)
        .returning(select),
    )
  }),
  /** Platform webhooks with parked deliveries of this database that the directory does not know of. */
  findUnreported: lazy(() => {
    const parked = sql`(select ${deliveryTable.merchantId} from ${byDue} where ${hasState('pending')} and ${deliveryTable.webhook} = hook.seq
      and ${deliveryTable.dueAt} = ${literal(parkedUntil)} limit 1)`
    const fields = { webhook: sql<number>`hook.seq`, merchantId: sql<string | null>`${parked}` }
    return typed(
      fields,
      () => sql`select hook.seq as "webhook", ${parked} as "merchantId" from ${hooks}
        where not exists (select 1 from ${platformBacklogTable} where ${platformBacklogTable.webhook} = -hook.seq)`,
    )
  }),
  cancelDeleted: endStatements.createCancel(hooks),
  mark: lazy(() =>
    compile(
      db
        .insert(platformBacklogTable)
        .values({ webhook: sql`${param('number')}`, merchantId: sql`${param('merchant')}`, parked: true })
        .onConflictDoNothing(),
    ),
  ),
}

/** Enqueues overdue deliveries of a database to platform webhooks. In the shared database, cancels those to deleted ones. */
async function enqueueOverduePlatform(
  env: Bindings,
  database: Database,
  now: number,
  isShared: boolean,
): Promise<void> {
  const values = { now, before: now - overdueSeconds, limit: platformSweepBounds.deliveries }
  if (isShared) await database.run([statements.cancelDeleted(), values])
  const [rows] = await database.run([statements.release(), values])
  await enqueueDeliveries(
    env,
    rows.map(({ merchantId, ...row }) => ({ ...toPendingDelivery(row), merchant: merchantId ?? '' })),
  )
}

/** Reports the parked deliveries of an object to the directory: one row for each platform webhook, once. */
async function reportParked(env: Bindings, database: Database): Promise<void> {
  const [found] = await database.run([statements.findUnreported(), {}])
  for (const { webhook, merchantId } of found) {
    if (merchantId === null) continue
    const values = { number: toNumber(webhook), merchant: merchantId, parked: 1 }
    await directoryDatabase(env).run([endpointStatements.recordBacklog(), values])
    await database.run([statements.mark(), values])
  }
}

/** Enqueues a call to a broken endpoint whose next call is overdue, for a delivery of either kind of home. */
async function probe(env: Bindings, shared: Database, directory: Database, number: number, now: number): Promise<void> {
  const webhook = toWebhook(number)
  let next = await findProbe(shared, webhook, now)
  if (!next) {
    const [[backlog]] = await directory.run([endpointStatements.listParked(), { number, limit: 1 }])
    if (!backlog) return
    const { merchantId } = backlog
    next = await findProbe(merchantDatabase(env, { merchantId, home: undefined }), webhook, now)
    if (!next) await directory.run([endpointStatements.unpark(), { number, merchant: merchantId }])
  }
  if (!next?.merchantId) return
  const { merchantId, event, attempt } = next
  await enqueueMerchantDeliveries(env, merchantId, [{ webhook, event, slow: true, n: attempt + 1 }])
}

/**
 * Sweeps the deliveries of a database to platform webhooks. In the shared database, it also continues recoveries and calls broken endpoints, for all
 * homes.
 */
export async function sweepPlatform(env: Bindings, database: Database, now: number, isShared: boolean): Promise<void> {
  const [pending] = await database.run([statements.findPending(), {}])
  if (pending.length > 0) await enqueueOverduePlatform(env, database, now, isShared)
  if (!isShared) return pending.length > 0 ? reportParked(env, database) : undefined
  const directory = directoryDatabase(env)
  const [endpoints, deleted] = await directory.run([endpointStatements.list(), {}], [endStatements.findBacklogs(), {}])
  await endDeleted(env, directory, deleted, now)
  for (const { number, failures, probeAt } of endpoints) {
    if (isEndpointBroken({ failures })) {
      if ((probeAt ?? 0) <= now - overdueSeconds) await probe(env, database, directory, number, now)
      continue
    }
    for (let step = 0; step < platformSweepBounds.steps; step++)
      if ((await releaseParked(env, directory, number, now)) === 0) break
  }
}
