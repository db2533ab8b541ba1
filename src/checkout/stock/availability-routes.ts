import { Hono } from 'hono'
import { createCaller } from '../../catalogue/resource/caller.ts'
import type { Env } from '../../platform/http/context.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { availabilityRules, findAvailability, setAvailability } from './availability.ts'
import type { parseOptionMarks } from './option-availability.ts'

/** Availability of a product: whether it is sold out, and until when. */
export const availabilityRoutes = new Hono<Env>()
  .get('/:id/availability', async (c) =>
    c.json(await findAvailability(c.var.database, c.var.scope, c.req.param('id')), 200),
  )
  .post('/:id/availability', jsonBody(availabilityRules), idempotent, async (c) =>
    c.json(await setAvailability(createCaller(c), c.req.param('id'), c.req.valid('json')), 200),
  )

const loadOptions = () => import('./option-availability.ts')
const parseMarks: typeof parseOptionMarks = async (c, next) => (await loadOptions()).parseOptionMarks(c, next)

/** Availability of the options of a modifier. The code is loaded with the first request. */
export const optionAvailabilityRoutes = new Hono<Env>()
  .get('/:id/availability', async (c) => {
    const { findOptionAvailability } = await loadOptions()
    return c.json(await findOptionAvailability(c.var.database, c.var.scope, c.req.param('id')), 200)
  })
  .post('/:id/availability', parseMarks, idempotent, async (c) => {
    const { setOptionAvailability } = await loadOptions()
    return c.json(await setOptionAvailability(createCaller(c), c.req.param('id'), c.req.valid('json')), 200)
  })
