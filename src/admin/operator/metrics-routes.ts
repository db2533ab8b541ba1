import { and, eq, type SQL, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { backupStatements } from '../../backup/backup-statements.ts'
import { counterNames, readBacklogs, readCounters, reportedLagMinutes } from '../../db/counters.ts'
import { lazy, param, type Statement, type Values } from '../../db/database.ts'
import { isHere } from '../../db/home/home.ts'
import { db, typed } from '../../db/query.ts'
import type { Row } from '../../db/row.ts'
import { deliveryTable } from '../../db/schema/deliveries.ts'
import { isServed, merchantTable as merchants } from '../../db/schema/merchants.ts'
import { webhookTable } from '../../db/schema/resources/webhooks.ts'
import type { Env } from '../../http/context.ts'
import { unavailableCount } from '../../http/headers.ts'
import { nowInSeconds } from '../../lib/now.ts'
import { moveStatements } from '../../move/move-statements.ts'
import { type Metric, openMetricsType, renderMetrics } from './open-metrics.ts'

const count = (condition: SQL) => sql<number>`count(*) filter (where ${condition})`
const statements = {
  /** Deliveries of merchants that are not suspended. */
  deliveries: lazy(() =>
    typed(
      {
        pending: sql<number>`count(*)`,
        oldestDueAt: sql<
          number | null
        >`min(${deliveryTable.dueAt}) filter (where ${deliveryTable.dueAt} <= ${param('now')})`,
      },
      (select) =>
        db
          .select(select)
          .from(sql`${deliveryTable} indexed by deliveries_due`)
          .innerJoin(webhookTable, eq(webhookTable.seq, deliveryTable.webhook))
          .innerJoin(merchants, and(eq(merchants.id, webhookTable.merchantId), isServed))
          .where(and(sql`${deliveryTable.state} = 'pending'`, isHere(webhookTable.merchantId))),
    ),
  ),
  merchants: lazy(() =>
    typed(
      {
        active: count(sql`${isServed}`),
        suspended: count(sql`${merchants.suspendedAt} is not null and ${merchants.closedAt} is null`),
        closed: count(sql`${merchants.closedAt} is not null`),
      },
      (select) => db.select(select).from(merchants),
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
  /** Seconds since the oldest of the rows expired, at least 0. */
  toLag(oldest: readonly (readonly Row[])[], nowMs: number): number
}

/** Route for operators: the state of the service in the text format of OpenMetrics. */
export const createMetricsRoutes = (loadPurges: () => Promise<Purges>) =>
  new Hono<Env>().get('/', async (c) => {
    const purges = await loadPurges()
    const now = nowInSeconds()
    const [[deliveries], [statuses], [checks], moves, counters, [objects], ...oldest] = await c.var.database.run(
      [statements.deliveries(), { now }],
      [statements.merchants(), {}],
      [backupStatements.ages(), {}],
      [moveStatements.count(), {}],
      readCounters(),
      [readBacklogs(), { now }],
      ...purges.readOldest(),
    )
    const { sweptAt, deadLetters } = counterNames
    const swept = counters.find(({ name }) => name === sweptAt)?.value
    const objectLag = typeof objects?.oldestExpiredAt === 'number' ? now - objects.oldestExpiredAt : 0
    const dueTimes = [deliveries?.oldestDueAt, objects?.oldestDueAt].filter((at) => typeof at === 'number')
    const metrics: Metric[] = [
      {
        name: 'merchants',
        type: 'gauge',
        help: 'Merchants by status.',
        samples: Object.entries(statuses ?? {}).map(([status, value]) => ({ labels: { status }, value })),
      },
      gauge(
        'deliveries_pending',
        'Pending deliveries of merchants that are not suspended. Objects report theirs once a minute.',
        (deliveries?.pending ?? 0) + (objects?.pending ?? 0),
      ),
      gauge(
        'oldest_due_delivery_age_seconds',
        'Time since the pending delivery that is due longest was due. 0: none is due.',
        dueTimes.length > 0 ? now - Math.min(...dueTimes) : 0,
      ),
      gauge(
        'sweep_lag_seconds',
        'Time since the last complete sweep of overdue deliveries. A sweep starts every minute.',
        swept === undefined ? undefined : Math.max(0, now - swept),
      ),
      gauge(
        'purge_lag_seconds',
        `Time since the oldest row expired that should have been deleted. A purge starts every minute. Objects report more than ${reportedLagMinutes} minutes.`,
        Math.max(objectLag, purges.toLag(oldest, now * 1000)),
      ),
      {
        name: 'dead_letters',
        type: 'counter',
        help: 'Messages that a queue gave up on, by dead letter queue.',
        samples: counters
          .filter(({ name }) => name.startsWith(deadLetters))
          .map(({ name, value }) => ({ labels: { queue: name.slice(deadLetters.length) }, value })),
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
      gauge('merchants_without_backup_check', 'Merchants that no nightly check has reached.', checks?.unchecked),
      gauge(
        'isolate_start_time_seconds',
        'Time of the first request of this isolate, since 1970-01-01 UTC.',
        Math.floor(unavailableCount.sinceMs / 1000),
      ),
    ]
    return c.body(renderMetrics(metrics), 200, { 'Content-Type': openMetricsType })
  })
