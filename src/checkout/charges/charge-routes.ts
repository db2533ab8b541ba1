import { Hono } from 'hono'
import * as z from 'zod/mini'
import { chargesFields } from '../../catalogue/resources/venue-charges.ts'
import { type Env, getActor } from '../../platform/http/context.ts'
import { createStateTag, getPrecondition, revalidate } from '../../platform/http/etag.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { readCharges, type StoredCharges, writeCharges } from './charge-store.ts'

const rules = { schema: chargesFields, partial: z.partial(chargesFields), readOnly: new Set<string>() }

const toBody = ({ charges }: StoredCharges) => ({ charges })
const toHeaders = (stored: StoredCharges) => ({ ETag: createStateTag(stored, toBody(stored)) })

/** Charges of a merchant in the mode of the key: service, packaging, delivery. */
export const chargeRoutes = new Hono<Env>()
  .get('/', revalidate, async (c) => {
    const stored = await readCharges(c.var.database, c.var.scope)
    return c.json(toBody(stored), 200, toHeaders(stored))
  })
  .post('/', jsonBody(rules), idempotent, (c) =>
    writeCharges(getActor(c), c.req.valid('json'), getPrecondition(c), (stored) =>
      c.json(toBody(stored), 200, toHeaders(stored)),
    ),
  )
