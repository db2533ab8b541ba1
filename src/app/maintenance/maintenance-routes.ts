import { Hono } from 'hono'
import { createMetricsRoutes } from '../../admin/operator/metrics-routes.ts'
import type { Env } from '../../platform/http/context.ts'

/** Route for operators: the state of each table that is purged. */
export const maintenance = new Hono<Env>().get('/', async (c) => {
  const { inspect, retainedTables } = await import('./maintenance.ts')
  return c.json(await inspect(c.var.database, Date.now(), retainedTables), 200)
})

/** Route for operators: metrics, with the lag of purges. */
export const metrics = createMetricsRoutes(async () => {
  const { readOldest, retainedTables, toStates } = await import('./maintenance.ts')
  return {
    readOldest: () => readOldest(retainedTables),
    toLag: (oldest, nowMs) =>
      Math.max(...toStates(retainedTables, oldest, nowMs).map(({ overdueSeconds }) => overdueSeconds)),
  }
})
