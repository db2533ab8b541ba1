import type { MiddlewareHandler } from 'hono'
import { daySeconds } from '../../lib/day.ts'
import type { Env } from '../context.ts'

/**
 * Lets pages of every origin call the API with a key (Fetch Standard). Credentials are never allowed, so browsers send no cookies. `/admin` and the
 * sign-in of the console are not included.
 */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Link, ETag, Location, Request-Id, D1-Bookmark, Retry-After, External-Id, Idempotent-Replayed',
} as const

const apiUrl = /^https?:\/\/[^/]+\/merchants\//

/** Whether a URL is of a route that takes a merchant's key. */
export const isApiUrl = (url: string) => apiUrl.test(url)

/** Seconds for which a browser keeps the response to a preflight. Browsers have lower limits of their own. */
const preflightMaxAge = daySeconds

/** Handles preflight requests, which browsers send without a key. `X-Requested-With` is not allowed: it belongs to pages of the service. */
export const preflight: MiddlewareHandler<Env> = (c, next) =>
  c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined
    ? Promise.resolve(
        c.body(null, 204, {
          'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
          'access-control-allow-headers':
            'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, D1-Bookmark',
          'access-control-max-age': String(preflightMaxAge),
        }),
      )
    : next()
