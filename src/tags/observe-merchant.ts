import type { MiddlewareHandler } from 'hono'
import type { Env } from '../http/context.ts'
import { writeVenueChange } from './kv-sync.ts'

/** Middleware of the operator's merchant routes: writes a created or changed merchant to KV before the response. */
export const observeMerchant: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const merchantId = c.req.param('merchantId') ?? c.res.headers.get('location')?.split('/').pop()
  if (c.req.method === 'POST' && c.res.ok && merchantId) await writeVenueChange(c.env, c.executionCtx, merchantId)
}
