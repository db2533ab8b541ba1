import type { Context } from 'hono'
import type { Bindings } from '../env.ts'
import { ApiError } from '../errors.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { log } from '../lib/log.ts'
import { timedOut, withTimeout } from '../lib/timeout.ts'
import type { Env } from './context.ts'

/** What the limiters that `wrangler.toml` binds allow, the period in seconds. Every location of the platform counts for itself. */
export const rateLimits = {
  /** Requests with one API key. */
  REQUESTS: { limit: 1_000, period: 10 },
  /** Keys that are not accepted and codes that do not exist, from one address. */
  MISSES: { limit: 60, period: 60 },
} as const
type Limiter = keyof typeof rateLimits

/** How long a request waits for a limiter, and for how long one that failed is not asked again. */
export const limiterTimeoutMs = 50
export const limiterPauseMs = 1_000
const pausedUntil = new WeakMap<RateLimit, number>()

/** Budget for the addresses that an isolate knows to be limited, in bytes. */
export const limitedAddressBytes = 256 * 1024
/** Until when each of them is, in milliseconds. */
const limited = new WeakMap<RateLimit, ByteCache<number>>()

/** Whether the service runs on a developer's machine, where nothing is limited and no menu is cached; `RATE_LIMITS=on` is as deployed. */
export const isLocal = (env: Bindings) => Boolean(env.ALLOW_INSECURE_WEBHOOKS) && env.RATE_LIMITS !== 'on'

/**
 * Counts one more, and tells whether that is one too many. A limiter that fails or hangs stops nobody, and delays at most one
 * request a second; on a developer's machine nothing is limited unless `RATE_LIMITS` is `on`.
 */
export async function isOverLimit(env: Bindings, name: Limiter, key: string): Promise<boolean> {
  const limiter = env[name]
  if (!limiter || isLocal(env) || Date.now() < (pausedUntil.get(limiter) ?? 0)) return false
  let failure: unknown = 'no answer in time'
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

/** Where a request comes from: its address, of IPv6 the half that names the network, since whoever has one has all of the rest. */
export function getNetwork(c: Context<Env>): string {
  const address = c.req.header('cf-connecting-ip') ?? 'unknown'
  if (address.includes('.') || !address.includes(':')) return address
  const [head = ''] = address.split('::')
  return [...head.split(':'), 0, 0, 0].slice(0, 4).join(':')
}

/** Refuses what a limiter has counted once too often. */
export function createRateLimitError(name: Limiter): ApiError {
  const { limit, period } = rateLimits[name]
  return new ApiError('rate_limited', `More than ${limit} in ${period} seconds. Wait, then go on.`, [], {
    'retry-after': String(period),
  })
}

/**
 * Whether an address has failed too often, as far as this isolate knows. Counts nothing, so that what is found costs nobody anything;
 * what such an address asks for is looked up where that is cheap.
 */
export function isLimited(c: Context<Env>): boolean {
  const { MISSES } = c.env
  return !isLocal(c.env) && MISSES !== undefined && (limited.get(MISSES)?.get(getNetwork(c)) ?? 0) > Date.now()
}

/** Counts a failure of an address, and tells whether it was one too many; the isolate then remembers it for a period. */
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

/** Fails with `error`, or where an address has failed too often, with that. */
export const countMiss = async (c: Context<Env>, error: ApiError): Promise<ApiError> =>
  (await isOneMissTooMany(c)) ? createRateLimitError('MISSES') : error
