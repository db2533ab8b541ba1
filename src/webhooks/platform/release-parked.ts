import { eq, sql } from 'drizzle-orm'
import { allOf, compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { sharedDatabase } from '../../platform/db/home/d1-connection.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { columnParam, db, typed } from '../../platform/db/query.ts'
import { platformBacklogTable } from '../../platform/db/schema/directory/platform-webhooks.ts'
import { deliveryTable, parkedUntil } from '../../platform/db/schema/events.ts'
import type { Bindings } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { enqueueDeliveries } from '../../platform/outbox/enqueue-deliveries.ts'
import { hasState, literal } from '../rows/conditions.ts'
import { pendingFields, toPendingDelivery } from '../rows/stored-delivery.ts'
import { endpointStatements, findEndpoint, isEndpointBroken, toWebhook } from './endpoints.ts'

/** Deliveries that one step of a recovery releases, and merchants in objects that it visits. */
const releaseBounds = { deliveries: 100, merchants: 10 } as const

/** Columns of a delivery to a platform webhook that its next message requires. */
export const platformPendingFields = { ...pendingFields, merchantId: deliveryTable.merchantId }

const statements = {
  /** Makes parked deliveries due, at most `:limit`. */
  release: lazy(() => {
    const parked = sql`select ${deliveryTable.webhook}, ${deliveryTable.event} from ${deliveryTable} indexed by deliveries_due
      where ${hasState('pending')} and ${deliveryTable.webhook} = ${param('webhook')} and ${deliveryTable.dueAt} = ${literal(parkedUntil)}
        and ${isHere(deliveryTable.merchantId)} limit ${param('limit')}`
    return typed(platformPendingFields, (select) =>
      db
        .update(deliveryTable)
        .set({ dueAt: columnParam(deliveryTable.dueAt, 'now') })
        .where(sql`(${deliveryTable.webhook}, ${deliveryTable.event}) in (${parked})`)
        .returning(select),
    )
  }),
  /** In an object: the directory no longer knows of its backlog. In the shared database, where the merchant may be by now, deletes its row only. */
  forget: lazy(() =>
    compile(
      db
        .delete(platformBacklogTable)
        .where(
          allOf(
            eq(platformBacklogTable.webhook, param('number')),
            eq(platformBacklogTable.merchantId, param('merchant')),
          ),
        ),
    ),
  ),
}

/** Forgets in the object of a merchant that the directory knows of its backlog. */
export const forgetBacklog = (database: Database, backlog: { number: number; merchant: string }) =>
  database.run([statements.forget(), backlog])

type PlatformPending = ReturnType<ReturnType<typeof statements.release>['read']>

/** Releases deliveries of the merchant's object, and forgets the backlog if none is left. */
async function releaseOfObject(
  env: Bindings,
  directory: Database,
  values: { number: number; webhook: number; now: number; limit: number },
  merchant: string,
): Promise<readonly PlatformPending[]> {
  const database = merchantDatabase(env, { merchantId: merchant, home: undefined })
  try {
    const [rows] = await database.run([statements.release(), values])
    if (rows.length < values.limit) {
      // The directory forgets first: a delivery that is parked later is reported again.
      await directory.run([endpointStatements.unpark(), { ...values, merchant }])
      await forgetBacklog(database, { number: values.number, merchant })
    }
    return rows
  } catch (error) {
    log(env, 'deliveries not enqueued', { merchant, error: String(error) })
    return []
  }
}

/**
 * Releases the next parked deliveries of a platform webhook, unless its endpoint is broken: those in the shared database first, then those of
 * objects that reported a backlog. The last message continues while there may be more.
 */
export async function releaseParked(env: Bindings, directory: Database, number: number, now: number): Promise<number> {
  const endpoint = await findEndpoint(directory, number)
  if (!endpoint?.active || isEndpointBroken(endpoint)) return 0
  const limit = releaseBounds.deliveries
  const values = { number, webhook: toWebhook(number), now, limit }
  const [shared] = await sharedDatabase(env).run([statements.release(), values])
  const rows = [...shared]
  let isMore = shared.length === limit
  if (!isMore) {
    const [merchants] = await directory.run([
      endpointStatements.listParked(),
      { number, limit: releaseBounds.merchants },
    ])
    for (const { merchantId } of merchants) rows.push(...(await releaseOfObject(env, directory, values, merchantId)))
    isMore = merchants.length === releaseBounds.merchants || rows.length >= limit
  }
  await enqueueDeliveries(
    env,
    rows.map(({ merchantId, ...row }, index) => ({
      ...toPendingDelivery(row),
      merchant: merchantId ?? '',
      ...(isMore && index === rows.length - 1 && { wave: { before: now, dueAt: now } }),
    })),
  )
  return rows.length
}
