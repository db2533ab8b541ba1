import type { Bindings } from '../env.ts'
import { log } from '../lib/log.ts'

/** For how long an answer is good, in seconds, at the edge and in a guest's browser together. Changes must show within 60. */
export const menuCacheSeconds = 20
/** For how long an old answer is better than none, in seconds. */
export const staleMenuSeconds = 600

/** An answer, and until when it is good, in ms. */
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

/** A key of the Cache API is on the Worker's own host: others belong to other zones. No route answers below this path. */
const toCacheUrl = (origin: string, key: readonly string[]) => `${origin}/m/-/${key.map(encodeURIComponent).join('/')}`

/**
 * An answer from the data centre's cache, else a new one, which is kept there; where none can be made, the last one that is kept.
 * What is kept says when it ends, so that a guest's browser does not add its own time to that. Only answers with status 200 are kept,
 * and none that is past its time when it is made. `origin` is the request's; everything else that the answer depends on is in `key`.
 */
export async function readThroughCache(
  origin: string,
  key: readonly string[],
  make: () => Promise<CacheableResponse>,
  later: (work: Promise<unknown>) => void,
  env: Bindings,
): Promise<Response> {
  const kept = await caches.default.match(toCacheUrl(origin, key)).catch(() => undefined)
  const untilMs = Date.parse(kept?.headers.get('expires') ?? '')
  if (kept && untilMs > Date.now()) return withRemainingAge({ response: kept, untilMs }, Date.now())
  let made: CacheableResponse
  try {
    made = await make()
  } catch (error) {
    const nowMs = Date.now()
    if (!kept || untilMs + staleMenuSeconds * 1000 < nowMs) throw error
    log(env, 'an older answer is shown', { error: String(error) })
    return withRemainingAge({ response: kept, untilMs: nowMs }, nowMs)
  }
  if (made.response.status !== 200) return made.response
  const answer = withRemainingAge(made, Date.now())
  if (made.untilMs <= Date.now()) return answer
  const copy = answer.clone()
  copy.headers.set('expires', new Date(made.untilMs).toUTCString())
  copy.headers.set('cache-control', `max-age=${menuCacheSeconds + staleMenuSeconds}`)
  later(caches.default.put(toCacheUrl(origin, key), copy).catch(() => undefined))
  return answer
}

/** The same answer, for those who must see every change at once. */
export async function bypassCache(make: () => Promise<CacheableResponse>): Promise<Response> {
  const made = await make()
  return made.response.status === 200 ? withRemainingAge(made, Date.now()) : made.response
}
