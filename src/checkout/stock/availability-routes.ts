import { Hono } from 'hono'
import type { Env } from '../../http/context.ts'
import { idempotent } from '../../http/idempotency.ts'
import { jsonBody } from '../../http/request-body.ts'
import { createCaller } from '../../resource/caller.ts'
import { availabilityRules, findAvailability, setAvailability } from './availability.ts'

/** Whether a product is sold out, and until when. */
export const availabilityRoutes = new Hono<Env>()
  .get('/:id/availability', async (c) =>
    c.json(await findAvailability(c.var.database, c.var.scope, c.req.param('id')), 200),
  )
  .post('/:id/availability', jsonBody(availabilityRules), idempotent, async (c) =>
    c.json(await setAvailability(createCaller(c), c.req.param('id'), c.req.valid('json')), 200),
  )
