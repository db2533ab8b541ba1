import { eq, gt, isNull, or, sql } from 'drizzle-orm'
import { allOf, compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { db, insertSelect, setColumns, typed } from '../../platform/db/query.ts'
import { homeTable } from '../../platform/db/schema/directory/homes.ts'
import {
  platformBacklogTable,
  platformWebhookTable as table,
} from '../../platform/db/schema/directory/platform-webhooks.ts'
import { circuitBreaker } from '../../platform/outbox/circuit-breaker.ts'
import { parseShapes } from '../filters/shapes.ts'
import { literal } from '../rows/conditions.ts'
import { parseSecrets } from '../secrets.ts'

const isEndpoint = eq(table.seq, param('number'))
const isBroken = sql`${table.failures} >= ${literal(circuitBreaker.failures)}`
/** SQL for the time of the call after the next to a broken endpoint. */
const nextProbeAt = sql`${param('now')} + ${literal(circuitBreaker.pause)}`
/** The webhook has not changed since the call. After a change, the outcome says nothing about the new address or activation. */
const isAsCalled = sql`${table.version} = ${param('version')}`

const isOfNumber = eq(platformBacklogTable.webhook, param('number'))
const isOfMerchant = eq(platformBacklogTable.merchantId, param('merchant'))

const fields = {
  number: table.seq,
  webhookId: table.id,
  webhookVersion: table.version,
  url: table.url,
  active: table.active,
  bearerToken: table.bearerToken,
  secrets: sql<string>`${table.secrets}`,
  failures: table.failures,
  probeAt: table.probeAt,
  filter: table.filter,
  shapes: table.shapes,
}
const health = { failures: table.failures, failingSince: table.failingSince, probeAt: table.probeAt }

export const endpointStatements = {
  find: lazy(() => typed(fields, (select) => db.select(select).from(table).where(isEndpoint))),
  list: lazy(() =>
    typed({ number: table.seq, failures: table.failures, probeAt: table.probeAt }, (select) =>
      db.select(select).from(table).where(eq(table.active, true)),
    ),
  ),
  /** Reserves the only call of the next 30 seconds to a broken endpoint. Returns a row to one caller. */
  claimProbe: lazy(() =>
    typed({ number: table.seq }, (select) =>
      db
        .update(table)
        .set({ probeAt: nextProbeAt })
        .where(allOf(isEndpoint, isBroken, or(isNull(table.probeAt), sql`${table.probeAt} <= ${param('now')} + 1`)))
        .returning(select),
    ),
  ),
  /** Counts a failed attempt. A failure that breaks the endpoint schedules the next call; `Retry-After` of a broken one postpones it. */
  countFailure: lazy(() => {
    const failures = sql`${table.failures} + 1`
    const scheduled = sql`iif(${failures} = ${literal(circuitBreaker.failures)}, ${nextProbeAt}, ${table.probeAt})`
    return typed(health, (select) =>
      db
        .update(table)
        .set({
          failures,
          failingSince: sql`coalesce(${table.failingSince}, ${param('now')})`,
          probeAt: sql`iif(${failures} >= ${literal(circuitBreaker.failures)} and ${param('retryAfter')} > 0,
            max(coalesce(${scheduled}, 0), ${param('now')} + ${param('retryAfter')}), ${scheduled})`,
        })
        .where(allOf(isEndpoint, isAsCalled))
        .returning(select),
    )
  }),
  /** Ends a series of failures. Returns a row if the endpoint was broken; must precede `resetFailures`. */
  findBroken: lazy(() =>
    typed({ number: table.seq }, (select) => db.select(select).from(table).where(allOf(isEndpoint, isBroken))),
  ),
  resetFailures: lazy(() =>
    compile(
      db
        .update(table)
        .set({ failures: 0, failingSince: null, probeAt: null })
        .where(allOf(isEndpoint, sql`${table.failures} > 0`)),
    ),
  ),
  deactivate: lazy(() =>
    typed({ number: table.seq }, (select) =>
      db
        .update(table)
        .set({
          active: false,
          disabledReason: sql`${param('reason')}`,
          version: sql`${table.version} + 1`,
          updatedAt: sql`${param('now')}`,
        })
        .where(allOf(isEndpoint, isAsCalled))
        .returning(select),
    ),
  ),
  /**
   * Records that the object of the merchant has deliveries for a recovery, or with `:parked` 0, for a request that sends lost ones again. Writes
   * nothing for a merchant in the shared database.
   */
  recordBacklog: lazy(() =>
    compile(
      sql`${insertSelect(
        platformBacklogTable,
        { webhook: param('number'), merchantId: homeTable.merchantId, parked: param('parked') },
        sql`from ${homeTable} where ${homeTable.merchantId} = ${param('merchant')} and ${homeTable.kind} = 'object'`,
      )} on conflict do update set ${setColumns(platformBacklogTable, { parked: sql`1` })}
        where not ${platformBacklogTable.parked} and ${sql.raw('excluded.parked')}`,
    ),
  ),
  /** The next `:limit` merchants in objects with lost deliveries, behind `:after`. */
  listBacklogs: lazy(() =>
    typed({ merchantId: platformBacklogTable.merchantId }, (select) =>
      db
        .select(select)
        .from(platformBacklogTable)
        .where(allOf(isOfNumber, gt(platformBacklogTable.merchantId, param('after'))))
        .orderBy(platformBacklogTable.merchantId)
        .limit(param('limit')),
    ),
  ),
  /** The first `:limit` merchants in objects with parked deliveries. */
  listParked: lazy(() =>
    typed({ merchantId: platformBacklogTable.merchantId }, (select) =>
      db
        .select(select)
        .from(sql`${platformBacklogTable} indexed by platform_backlogs_parked`)
        .where(allOf(isOfNumber, sql`${platformBacklogTable.parked}`))
        .orderBy(platformBacklogTable.merchantId)
        .limit(param('limit')),
    ),
  ),
  /** The merchant has no parked deliveries any more. */
  unpark: lazy(() =>
    compile(db.update(platformBacklogTable).set({ parked: false }).where(allOf(isOfNumber, isOfMerchant))),
  ),
  /** Forgets a backlog of a deleted webhook, parked deliveries included. */
  endBacklog: lazy(() => compile(db.delete(platformBacklogTable).where(allOf(isOfNumber, isOfMerchant)))),
  removeBacklog: lazy(() =>
    compile(
      db.delete(platformBacklogTable).where(allOf(isOfNumber, isOfMerchant, sql`not ${platformBacklogTable.parked}`)),
    ),
  ),
}

/** A platform webhook that a consumer calls. */
export type PlatformEndpoint = NonNullable<Awaited<ReturnType<typeof findEndpoint>>>

/** Number of the platform webhook of a delivery. */
export const toNumber = (webhook: number) => -webhook
/** Number of a platform webhook in deliveries. */
export const toWebhook = (number: number) => -number

/** The latest state of a platform webhook. Undefined if it was deleted, or if its secrets or shapes are damaged. */
export async function findEndpoint(directory: Database, number: number) {
  directory.usePrimary()
  const [[row]] = await directory.run([endpointStatements.find(), { number }])
  const secrets = row && parseSecrets(row.secrets)
  const shapes = row && parseShapes(row.shapes)
  return row && secrets && shapes && { ...row, secrets, shapes }
}

/** Whether an endpoint has failed so often that it is called rarely. */
export const isEndpointBroken = ({ failures }: { failures: number }) => failures >= circuitBreaker.failures
