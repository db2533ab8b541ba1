import type { Context } from 'hono'
import type { Bindings } from '../env.ts'
import { ApiError } from '../errors.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { log } from '../lib/log.ts'
import { timedOut, withTimeout } from '../lib/time.ts'
import type { Env } from './context.ts'

/** Limits of the bindings in `wrangler.toml`, with the period in seconds. Each location of the platform counts separately. */
export const rateLimits = {
  /** Requests with one API key. */
  REQUESTS: { limit: 1_000, period: 10 },
  /** Rejected keys and unknown codes from one address. */
  MISSES: { limit: 60, period: 60 },
} as const
type Limiter = keyof typeof rateLimits

/** Timeout of a limiter, in milliseconds. */
export const limiterTimeoutMs = 50
/** Time for which a failed limiter is skipped, in milliseconds. */
export const limiterPauseMs = 1_000
const pausedUntil = new WeakMap<RateLimit, number>()

/** Budget of the cache of limited addresses, in bytes. */
const limitedAddressBytes = 256 * 1024
/** End of the limit of each address, in milliseconds. */
const limited = new WeakMap<RateLimit, ByteCache<number>>()

/** Whether the service runs locally, without rate limits and cached menus. `RATE_LIMITS=on` enables both. */
export const isLocal = (env: Bindings) => Boolean(env.ALLOW_INSECURE_WEBHOOKS) && env.RATE_LIMITS !== 'on'

/**
 * Counts a request and returns whether the limit is exceeded. A limiter that fails or hangs rejects no request and delays at most one request per
 * second. Locally, nothing is limited unless `RATE_LIMITS` is `on`.
 */
export async function isOverLimit(env: Bindings, name: Limiter, key: string): Promise<boolean> {
  const limiter = env[name]
  if (!limiter || isLocal(env) || Date.now() < (pausedUntil.get(limiter) ?? 0)) return false
  let failure: unknown = 'no response in time'
  try {
    const counted = await withTimeout(limiterTimeoutMs, limiter.limit({ key }))
    if (counted !== timedOut) return !counted.success
  } catch (error) {
    failure = error
  }
  pausedUntil.set(limiter, Date.now() + limiterPauseMs)
  log(env, 'limiter failed', { limiter: name, error: String(failure) })
  return false
}

/** The address under which misses are counted. For IPv6, the network half: one client can use all addresses of its network. */
function getNetwork(c: Context<Env>): string {
  const address = c.req.header('cf-connecting-ip') ?? 'unknown'
  if (address.includes('.') || !address.includes(':')) return address
  const [head = ''] = address.split('::')
  return [...head.split(':'), 0, 0, 0].slice(0, 4).join(':')
}

/** The error of a request that exceeds a limit. */
export function createRateLimitError(name: Limiter): ApiError {
  const { limit, period } = rateLimits[name]
  return new ApiError('rate_limited', `More than ${limit} in ${period} seconds. Wait before the next request.`, [], {
    'retry-after': String(period),
  })
}

/**
 * Whether an address has exceeded its limit in this isolate. Does not count, so that successful requests do not count. A limited address still gets
 * responses that are cheap to look up.
 */
export function isLimited(c: Context<Env>): boolean {
  const { MISSES } = c.env
  return !isLocal(c.env) && MISSES !== undefined && (limited.get(MISSES)?.get(getNetwork(c)) ?? 0) > Date.now()
}

/** Counts a miss of an address and returns whether it exceeds the limit. The isolate then caches that for one period. */
export async function isOneMissTooMany(c: Context<Env>): Promise<boolean> {
  if (isLimited(c)) return true
  const address = getNetwork(c)
  if (!(await isOverLimit(c.env, 'MISSES', address))) return false
  const { MISSES } = c.env
  if (MISSES) {
    const known = limited.get(MISSES) ?? new ByteCache<number>(limitedAddressBytes)
    limited.set(MISSES, known)
    known.set(address, Date.now() + rateLimits.MISSES.period * 1000)
  }
  return true
}

/** Counts a miss of an address. Returns the error to throw: `error`, or `rate_limited` if the address exceeds its limit. */
export const countMiss = async (c: Context<Env>, error: ApiError): Promise<ApiError> =>
  (await isOneMissTooMany(c)) ? createRateLimitError('MISSES') : error
