import { Hono } from 'hono'
import { createCaller } from '../../catalogue/resource/caller.ts'
import type { Env } from '../../platform/http/context.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { serviceRules } from './service-fields.ts'
import { findService, setService } from './service-state.ts'

/** Whether a venue takes orders: its pause, and how long orders take. */
export const serviceRoutes = new Hono<Env>()
  .get('/', async (c) => c.json(await findService(c.var.database, c.var.scope), 200))
  .post('/', jsonBody(serviceRules), idempotent, async (c) =>
    c.json(await setService(createCaller(c), c.req.valid('json')), 200),
  )
