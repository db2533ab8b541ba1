import type { Context } from 'hono'
import type { Bindings, Env } from '../env.ts'
import { ApiError } from './errors.ts'
import { log } from './log.ts'
import { late, within } from './patience.ts'

/** What the limiters that `wrangler.toml` binds allow, the period in seconds. Every location of the platform counts for itself. */
export const rateLimits = {
  /** Requests with one API key. */
  REQUESTS: { limit: 1_000, period: 10 },
  /** Keys that are not accepted and codes that do not exist, from one address. */
  MISSES: { limit: 60, period: 60 },
} as const
type Limiter = keyof typeof rateLimits

/** How long a request waits for a limiter, and for how long one that failed is not asked again. */
export const limiterPatienceMs = 50
export const limiterRestMs = 1_000
const resting = new WeakMap<RateLimit, number>()

/**
 * Counts one more, and tells whether that is one too many. A limiter that fails or hangs stops nobody, and delays at most one
 * request a second; on a developer's machine nothing is limited unless `RATE_LIMITS` is `on`.
 */
export async function isOverLimit(env: Bindings, name: Limiter, key: string): Promise<boolean> {
  const limiter = env[name]
  const isLocal = Boolean(env.ALLOW_INSECURE_WEBHOOKS) && env.RATE_LIMITS !== 'on'
  if (!limiter || isLocal || Date.now() < (resting.get(limiter) ?? 0)) return false
  let fault: unknown = 'no answer in time'
  try {
    const counted = await within(limiterPatienceMs, limiter.limit({ key }))
    if (counted !== late) return !counted.success
  } catch (error) {
    fault = error
  }
  resting.set(limiter, Date.now() + limiterRestMs)
  log(env, 'limiter failed', { limiter: name, error: String(fault) })
  return false
}

/** Where a request comes from: its address, of IPv6 the half that names the network, since whoever has one has all of the rest. */
export function networkOf(c: Context<Env>): string {
  const address = c.req.header('cf-connecting-ip') ?? 'unknown'
  if (address.includes('.') || !address.includes(':')) return address
  const [head = ''] = address.split('::')
  return [...head.split(':'), 0, 0, 0].slice(0, 4).join(':')
}

/** Refuses what a limiter has counted once too often. */
export function rateLimited(name: Limiter): ApiError {
  const { limit, period } = rateLimits[name]
  return new ApiError('rate_limited', `More than ${limit} in ${period} seconds. Wait, then go on.`, [], {
    'retry-after': String(period),
  })
}

/** Fails with `error`, or where an address has failed too often, with that. */
export const missed = async (c: Context<Env>, error: ApiError): Promise<ApiError> =>
  (await isOverLimit(c.env, 'MISSES', networkOf(c))) ? rateLimited('MISSES') : error
