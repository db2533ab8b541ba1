import type { MiddlewareHandler } from 'hono'
import type { Bindings } from '../env.ts'
import { ApiError } from '../errors.ts'
import { log } from '../lib/log.ts'
import type { Env } from './context.ts'

const example = 'https://menu.example.com'

/** An origin, or a sentence that says what is wrong with what should have been one. */
export type PublicUrl = { origin: string; issue?: never } | { origin?: never; issue: string }

const issue = (text: string): PublicUrl => ({ issue: `PUBLIC_BASE_URL ${text}: it must be like ${example}.` })

/**
 * Reads the value of `PUBLIC_BASE_URL`: a scheme, a host and no more, but for slashes at the end. The value itself is never repeated:
 * who sets the wrong variable may have set it to a secret.
 */
export function parsePublicUrl(text: string): PublicUrl {
  // `new URL` would strip or encode them without a word.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  if (/[\s\u0000-\u001f\u007f\\]/.test(text)) return issue('has a blank, a control character or a backslash in it')
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return issue('has no scheme')
  if (!/^https?:/i.test(text)) return issue('has another scheme than http or https')
  const origin = text.replace(/\/+$/, '')
  const url = URL.parse(origin)
  if (!url) return issue('has no host, or one that cannot be')
  if (url.username !== '' || url.password !== '' || origin.includes('@')) return issue('has credentials in it')
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(origin)) return issue('has a query or a fragment')
  if (url.pathname !== '/') return issue('has a path')
  return { origin }
}

let lastRead: { text: string; result: PublicUrl } | undefined

/** The origin that `PUBLIC_BASE_URL` names, or what is wrong with it; neither where it is not set. */
export function readPublicUrl({ PUBLIC_BASE_URL: text }: Pick<Bindings, 'PUBLIC_BASE_URL'>): Partial<PublicUrl> {
  if (!text) return {}
  if (lastRead?.text !== text) lastRead = { text, result: parsePublicUrl(text) }
  return lastRead.result
}

/** Seconds after which a client may try again: somebody has to deploy first. */
const retryAfterSeconds = 60

/** The origin, if one is set. What is wrong with it is logged, and thrown. */
export function requirePublicUrl(env: Pick<Bindings, 'PUBLIC_BASE_URL' | 'REQUEST_ID'>): string | undefined {
  const { origin, issue } = readPublicUrl(env)
  if (issue === undefined) return origin
  log(env, 'misconfigured', { error: issue })
  throw new ApiError('misconfigured', issue, [], { 'retry-after': String(retryAfterSeconds) })
}

/** Refuses requests while the configuration is wrong: what would be printed or sent could not be taken back. */
export const requireConfiguration: MiddlewareHandler<Env> = async (c, next) => {
  requirePublicUrl(c.env)
  await next()
}

let loggedFor: string | undefined

/** Whether deliveries have to wait until the configuration is put right; an isolate logs the reason once. */
export function isMisconfigured(env: Pick<Bindings, 'PUBLIC_BASE_URL' | 'REQUEST_ID'>): boolean {
  const { issue } = readPublicUrl(env)
  if (issue !== undefined && loggedFor !== env.PUBLIC_BASE_URL) log(env, 'misconfigured', { error: issue })
  loggedFor = issue === undefined ? undefined : env.PUBLIC_BASE_URL
  return issue !== undefined
}
