import { type SQL, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import {
  counterNames,
  maxCountedPending,
  readBacklogs,
  readCounters,
  reportedLagMinutes,
} from '../../platform/db/counters.ts'
import { type Database, lazy, param, type Statement, type Values } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { db, selectList, typed } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { deliveryTable } from '../../platform/db/schema/events.ts'
import { isServed, merchantTable } from '../../platform/db/schema/merchants.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import type { Env } from '../../platform/http/context.ts'
import { unavailableCount } from '../../platform/http/headers.ts'
import { nowInSeconds, toSeconds } from '../../platform/lib/time.ts'
import { backupStatements } from '../../tenancy/backup/backup-statements.ts'
import { moveStatements } from '../../tenancy/move/move-statements.ts'
import { pendingWebhooks } from '../../webhooks/find-backlogs.ts'
import { hasState } from '../../webhooks/rows/conditions.ts'
import { chooseFormat, type Metric, metricsTypes, renderMetrics } from './open-metrics.ts'

const count = (condition: SQL) => sql<number>`count(*) filter (where ${condition})`
const statements = {
  /** Deliveries of merchants that are not suspended: their number, up to `maxCountedPending`, and when the first of them is due. */
  deliveries: lazy(() => {
    const served = sql`pending_webhooks cross join ${webhookTable} on ${webhookTable.seq} = pending_webhooks.seq
      cross join ${merchantTable} on ${merchantTable.id} = ${webhookTable.merchantId} and ${isServed} and ${isHere(webhookTable.merchantId)}`
    const isPending = sql`${hasState('pending')} and ${deliveryTable.webhook} = ${webhookTable.seq}`
    const due = sql`${deliveryTable} indexed by deliveries_due`
    const first = sql`(select ${deliveryTable.dueAt} from ${due} where ${isPending} and ${deliveryTable.dueAt} <= ${param('now')}
      order by ${deliveryTable.dueAt} limit 1)`
    const fields = {
      pending: sql<number>`(select count(*) from (select 1 from ${served} cross join ${due} on ${isPending} limit ${maxCountedPending}))`,
      oldestDueAt: sql<number | null>`(select min(${first}) from ${served})`,
    }
    return typed(
      fields,
      () => sql`with recursive pending_webhooks(seq) as (${pendingWebhooks}) select ${selectList(fields)}`,
    )
  }),
  merchants: lazy(() =>
    typed(
      {
        active: count(sql`${isServed}`),
        suspended: count(sql`${merchantTable.suspendedAt} is not null and ${merchantTable.closedAt} is null`),
        closed: count(sql`${merchantTable.closedAt} is not null`),
      },
      (select) => db.select(select).from(merchantTable),
    ),
  ),
}

const gauge = (name: string, help: string, value: number | undefined): Metric => ({
  name,
  type: 'gauge',
  help,
  samples: value === undefined ? [] : [{ value }],
})

/** The tables that are purged. */
interface Purges {
  /** Statements that find the oldest row of each table. */
  readOldest(): readonly (readonly [Statement, Values])[]
  /** Number of seconds since the expiry of the oldest row, at least 0. */
  toLag(oldest: readonly (readonly Row[])[], nowMs: number): number
}

/** Reads the state of the service at `now`, in seconds. One round trip. */
async function readState(database: Database, purges: Purges, now: number) {
  const [[deliveries], [statuses], [checks], moves, counters, [objects], ...oldest] = await database.run(
    [statements.deliveries(), { now }],
    [statements.merchants(), {}],
    [backupStatements.ages(), {}],
    [moveStatements.count(), {}],
    readCounters(),
    [readBacklogs(), { now }],
    ...purges.readOldest(),
  )
  const objectLag = typeof objects?.oldestExpiredAt === 'number' ? now - objects.oldestExpiredAt : 0
  return {
    merchants: Object.entries(statuses ?? {}),
    pendingDeliveries: (deliveries?.pending ?? 0) + (objects?.pending ?? 0),
    /** Times at which the oldest pending deliveries became due. */
    dueTimes: [deliveries?.oldestDueAt, objects?.oldestDueAt].filter((at) => typeof at === 'number'),
    sweptAt: counters.find(({ name }) => name === counterNames.sweptAt)?.value,
    rehearsedAt: counters.find(({ name }) => name === counterNames.rehearsedAt)?.value,
    purgeLag: Math.max(objectLag, purges.toLag(oldest, now * 1000)),
    deadLetters: counters.filter(({ name }) => name.startsWith(counterNames.deadLetters)),
    checks,
    moves,
  }
}

function listMetrics(state: Awaited<ReturnType<typeof readState>>, now: number): Metric[] {
  const { merchants, pendingDeliveries, dueTimes, sweptAt, purgeLag, deadLetters, checks, moves, rehearsedAt } = state
  return [
    {
      name: 'merchants',
      type: 'gauge',
      help: 'Merchants by status.',
      samples: merchants.map(([status, value]) => ({ labels: { status }, value })),
    },
    gauge(
      'deliveries_pending',
      `Pending deliveries of merchants that are not suspended: up to ${maxCountedPending} of the shared database, and of each object, which reports them once a minute.`,
      pendingDeliveries,
    ),
    gauge(
      'oldest_due_delivery_age_seconds',
      'Time since the oldest pending delivery became due. 0: no delivery is due.',
      dueTimes.length > 0 ? now - Math.min(...dueTimes) : 0,
    ),
    gauge(
      'sweep_lag_seconds',
      'Time since the last complete sweep of overdue deliveries. A sweep starts every minute.',
      sweptAt === undefined ? undefined : Math.max(0, now - sweptAt),
    ),
    gauge(
      'purge_lag_seconds',
      `Time since the expiry of the oldest row that should have been deleted. A purge starts every minute. Objects report more than ${reportedLagMinutes} minutes.`,
      purgeLag,
    ),
    {
      name: 'dead_letters',
      type: 'counter',
      help: 'Messages that a queue gave up on, by dead letter queue.',
      samples: deadLetters.map(({ name, value }) => ({
        labels: { queue: name.slice(counterNames.deadLetters.length) },
        value,
      })),
    },
    {
      name: 'unavailable_responses',
      type: 'counter',
      help: 'Responses with status 503 of the isolate that handles this request, since its start.',
      samples: [{ value: unavailableCount.responses }],
    },
    gauge(
      'oldest_backup_check_age_seconds',
      'Time since the oldest nightly check of a merchant for changes to back up.',
      typeof checks?.oldest === 'number' ? now - checks.oldest : undefined,
    ),
    {
      name: 'moves',
      type: 'gauge',
      help: 'Moves of merchants to another home, by state.',
      samples: moves.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
    gauge('damaged_backups', 'Backups that cannot be restored, found by a nightly check.', checks?.damaged),
    gauge(
      'restore_rehearsal_age_seconds',
      'Time since the last successful rehearsal, which restores a backup into a separate object and compares it. A rehearsal runs once a week.',
      rehearsedAt === undefined ? undefined : Math.max(0, now - rehearsedAt),
    ),
    gauge('merchants_without_backup_check', 'Merchants without a finished nightly check.', checks?.unchecked),
    gauge(
      'isolate_start_time_seconds',
      'Time of the first request of this isolate, since 1970-01-01 UTC.',
      toSeconds(unavailableCount.sinceMs),
    ),
  ]
}

/** Route for operators: the state of the service in the text format of OpenMetrics or of Prometheus. */
export const createMetricsRoutes = (loadPurges: () => Promise<Purges>) =>
  new Hono<Env>().get('/', async (c) => {
    const now = nowInSeconds()
    const state = await readState(c.var.database, await loadPurges(), now)
    const format = chooseFormat(c.req.header('accept'))
    return c.body(renderMetrics(listMetrics(state, now), format), 200, {
      'Content-Type': metricsTypes[format],
      Vary: 'Accept',
    })
  })
