import type { MiddlewareHandler } from 'hono'
import type { Env } from '../../platform/http/context.ts'
import { enqueueLateChecks } from '../../platform/outbox/enqueue-late-checks.ts'
import { writeVenueChange } from './kv-sync.ts'

/**
 * Middleware of the routes that change merchants: writes a created or changed merchant to KV before the response. After a response with `503`, the
 * change may have been committed too.
 */
export const observeMerchant: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const merchantId = c.req.param('merchantId') ?? c.res.headers.get('location')?.split('/').pop()
  if (c.req.method !== 'POST' || !merchantId) return
  if (c.res.ok) await writeVenueChange(c.env, c.executionCtx, merchantId)
  if (c.res.status === 503)
    c.executionCtx.waitUntil(enqueueLateChecks(c.env, { kind: 'merchant', merchant: merchantId }))
}
