import type { Context, MiddlewareHandler } from 'hono'
import type { Bindings } from '../env.ts'
import { ApiError } from '../errors.ts'
import { log } from '../lib/log.ts'
import type { Env } from './context.ts'

const example = 'https://menu.example.com'

/** An origin, or the reason why a value is not an origin. */
type PublicUrl = { origin: string; host: string; issue?: never } | { origin?: never; host?: never; issue: string }

const issue = (text: string): PublicUrl => ({ issue: `PUBLIC_BASE_URL ${text}: it must be like ${example}.` })

/**
 * Parses `PUBLIC_BASE_URL`: a scheme and a host, optionally with slashes at the end. The reason never contains the value, which may be
 * a secret that was set by mistake.
 */
export function parsePublicUrl(text: string): PublicUrl {
  // `new URL` silently strips or encodes them.
  if (/[\s\p{Cc}\\]/u.test(text)) return issue('contains a blank, a control character or a backslash')
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return issue('has no scheme')
  if (!/^https?:/i.test(text)) return issue('has a scheme other than http or https')
  const origin = text.replace(/\/+$/, '')
  const url = URL.parse(origin)
  if (!url) return issue('has no host, or an invalid host')
  if (url.username !== '' || url.password !== '' || origin.includes('@')) return issue('contains credentials')
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(origin)) return issue('contains a query or a fragment')
  if (url.pathname !== '/') return issue('contains a path')
  return { origin, host: url.host }
}

let lastRead: { text: string; result: PublicUrl } | undefined

/** Origin of `PUBLIC_BASE_URL`, or the reason why it is not valid. Empty if the variable is not set. */
export function readPublicUrl({ PUBLIC_BASE_URL: text }: Pick<Bindings, 'PUBLIC_BASE_URL'>): Partial<PublicUrl> {
  if (!text) return {}
  if (lastRead?.text !== text) lastRead = { text, result: parsePublicUrl(text) }
  return lastRead.result
}

/** The origin of an address on this very machine. */
const localOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?=[/?#]|$)/i

/** The origin of a request that was sent to this machine. Clients choose the `Host`, so other hosts are never sent to somebody else. */
export const getLocalOrigin = (c: Context): string | undefined => localOrigin.exec(c.req.url)?.[0]

/** Origin of URLs that other people or caches store. Undefined if no origin is configured and the request came from elsewhere. */
export const getPublicOrigin = (c: Context<Env>): string | undefined => readPublicUrl(c.env).origin ?? getLocalOrigin(c)

/** Origin that the client uses for the service, if no origin is configured. Addresses of pictures are compared with it. */
export const getOrigin = (c: Context<Env>) => readPublicUrl(c.env).origin ?? new URL(c.req.url).origin

/** `Retry-After` in seconds. A deployment must correct the configuration first. */
const retryAfterSeconds = 60

/** Returns the origin, if one is set. Logs and throws an error if it is not valid. */
export function requirePublicUrl(env: Pick<Bindings, 'PUBLIC_BASE_URL' | 'REQUEST_ID'>): string | undefined {
  const { origin, issue } = readPublicUrl(env)
  if (issue === undefined) return origin
  log(env, 'misconfigured', { error: issue })
  throw new ApiError('misconfigured', issue, [], { 'retry-after': String(retryAfterSeconds) })
}

/** Rejects requests while the configuration is invalid: addresses cannot be corrected after they are printed or sent. */
export const requireConfiguration: MiddlewareHandler<Env> = (c, next) => {
  requirePublicUrl(c.env)
  return next()
}

let loggedFor: string | undefined

/** Whether deliveries must wait for a valid configuration. Each isolate logs the reason once. */
export function isMisconfigured(env: Pick<Bindings, 'PUBLIC_BASE_URL' | 'REQUEST_ID'>): boolean {
  const { issue } = readPublicUrl(env)
  if (issue !== undefined && loggedFor !== env.PUBLIC_BASE_URL) log(env, 'misconfigured', { error: issue })
  loggedFor = issue === undefined ? undefined : env.PUBLIC_BASE_URL
  return issue !== undefined
}
