import { Hono } from 'hono'
import type { Env } from './http/context.ts'

/** Route for operators: the state of each table that is purged. */
export const maintenance = new Hono<Env>().get('/', async (c) => {
  const { inspect, retainedTables } = await import('./maintenance.ts')
  return c.json(await inspect(c.var.database, Date.now(), retainedTables), 200)
})
