import type { MiddlewareHandler } from 'hono'
import type { Env } from '../env.ts'
import { createId } from './ids.ts'

/** What an answer says to browsers and caches unless it says otherwise: nothing here is framed, guessed at, told on or kept. */
export const defaultHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** For how long browsers that came by https come by nothing else: a year, in seconds. */
const strictTransport = 'max-age=31536000'

/** Names each request, and gives every answer, errors among them, the headers that all have. */
export const headers: MiddlewareHandler<Env> = async (c, next) => {
  c.set('requestId', createId('req'))
  await next()
  // The first one makes a copy whose headers can be written: those of an answer from a cache cannot.
  c.header('Request-Id', c.var.requestId)
  const { headers } = c.res
  for (const [name, value] of Object.entries(defaultHeaders)) if (!headers.has(name)) headers.set(name, value)
  if (c.req.url.startsWith('https:')) headers.set('strict-transport-security', strictTransport)
}
