import type { MiddlewareHandler } from 'hono'
import { createId } from '../lib/ids.ts'
import type { Env } from './context.ts'

/** What an answer says to browsers and caches unless it says otherwise: nothing here is kept, or told on. */
export const defaultHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
} as const

/** What it says besides: nothing is framed, or guessed at. A redirect has nothing to frame, and every header of it is felt in a scan. */
export const contentHeaders = {
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const

/** For how long browsers that came by https come by nothing else: a year, in seconds. */
const strictTransport = 'max-age=31536000'

/** What every answer says that does not say otherwise. */
export const createCommonHeaders = (
  url: string,
  requestId: string,
  status: number,
): Readonly<Record<string, string>> => ({
  ...defaultHeaders,
  ...(status === 302 ? {} : contentHeaders),
  'request-id': requestId,
  ...(url.startsWith('https:') ? { 'strict-transport-security': strictTransport } : {}),
})

function addMissingHeaders({ headers }: Response, common: readonly [string, string][]) {
  for (const [name, value] of common) if (!headers.has(name)) headers.set(name, value)
}

/** Names each request, and gives every answer, errors among them, the headers that all have. */
export const responseHeaders: MiddlewareHandler<Env> = async (c, next) => {
  const requestId = createId('req')
  c.set('requestId', requestId)
  c.env = { ...c.env, REQUEST_ID: requestId }
  await next()
  const common = Object.entries(createCommonHeaders(c.req.url, requestId, c.res.status))
  try {
    addMissingHeaders(c.res, common)
  } catch {
    // The headers of an answer from a cache cannot be written.
    const answer = new Response(c.res.body, c.res)
    addMissingHeaders(answer, common)
    c.res = undefined
    c.res = answer
  }
}
