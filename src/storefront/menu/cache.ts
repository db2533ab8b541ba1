import type { Bindings } from '../../platform/env.ts'
import { ApiError } from '../../platform/errors.ts'
import { log } from '../../platform/lib/log.ts'

/** Lifetime of a response in the data centre's cache and the browser together, in seconds. Changes must show within 60. */
export const menuCacheSeconds = 20
/** How long an expired response is used if no new one can be made, in seconds. */
export const staleMenuSeconds = 600

/** A response, and the time at which it expires, in milliseconds. */
export interface CacheableResponse {
  response: Response
  untilMs: number
}

const withRemainingAge = ({ response, untilMs }: CacheableResponse, nowMs: number) => {
  const headers = new Headers(response.headers)
  headers.set('cache-control', `public, max-age=${Math.max(0, Math.floor((untilMs - nowMs) / 1000))}`)
  headers.delete('expires')
  return new Response(response.body, { status: response.status, headers })
}

/** A key of the Cache API, on the Worker's own host: other hosts belong to other zones. No route serves this path. */
const toCacheUrl = (origin: string, key: readonly string[]) => `${origin}/m/-/${key.map(encodeURIComponent).join('/')}`

/**
 * Returns a response from the data centre's cache, otherwise a new one, which it caches. If D1 fails, returns the stale one. A cached response
 * contains its expiry, so that the browser does not add another lifetime. Only responses with status 200 that have not expired are cached. `key`
 * contains everything that the response depends on, except the origin.
 */
export async function readThroughCache(
  origin: string,
  key: readonly string[],
  create: () => Promise<CacheableResponse>,
  later: (work: Promise<unknown>) => void,
  env: Bindings,
): Promise<Response> {
  const cached = await caches.default.match(toCacheUrl(origin, key)).catch(() => undefined)
  const untilMs = Date.parse(cached?.headers.get('expires') ?? '')
  if (cached && untilMs > Date.now()) return withRemainingAge({ response: cached, untilMs }, Date.now())
  let created: CacheableResponse
  try {
    created = await create()
  } catch (error) {
    // This is a valid result and not an outage: the venue is suspended or does not exist.
    if (error instanceof ApiError) throw error
    const nowMs = Date.now()
    if (!cached || untilMs + staleMenuSeconds * 1000 < nowMs) throw error
    log(env, 'stale menu served', { error: String(error) })
    return withRemainingAge({ response: cached, untilMs: nowMs }, nowMs)
  }
  if (created.response.status !== 200) return created.response
  const response = withRemainingAge(created, Date.now())
  if (created.untilMs <= Date.now()) return response
  const copy = response.clone()
  copy.headers.set('expires', new Date(created.untilMs).toUTCString())
  copy.headers.set('cache-control', `max-age=${menuCacheSeconds + staleMenuSeconds}`)
  later(caches.default.put(toCacheUrl(origin, key), copy).catch(() => undefined))
  return response
}

/** Returns the response without the data centre's cache. */
export async function bypassCache(create: () => Promise<CacheableResponse>): Promise<Response> {
  const created = await create()
  return created.response.status === 200 ? withRemainingAge(created, Date.now()) : created.response
}
