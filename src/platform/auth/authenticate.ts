import type { Context, MiddlewareHandler } from 'hono'
import { merchantDatabase } from '../db/home/merchant-connection.ts'
import { ApiError, merchantSuspended } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { countMiss, createRateLimitError, isLimited, isOverLimit } from '../http/rate-limit.ts'
import { requireDecodablePath } from '../http/validation.ts'
import {
  type Credential,
  defaultScopes,
  findCredential,
  type KeyScope,
  requireAllowedAddress,
  scopes,
} from './api-keys.ts'
import { findSession } from './sessions.ts'

/** Creates the same error for every credential that is not accepted; `rate_limited` if the address fails too often. */
export const createUnauthenticatedError = (
  c: Context<Env>,
  message = 'Send a valid API key: Authorization: Bearer sk_…',
) =>
  countMiss(
    c,
    new ApiError('unauthenticated', message, [], {
      'www-authenticate': 'Bearer realm="merchant-ordering-api"',
    }),
  )

/** The token of an `Authorization: Bearer` header (RFC 6750); empty without such a header. */
export const getBearerToken = (c: Context) =>
  /^Bearer +([^\s]+) *$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Paths of requests that never change data, even with POST. */
const readPaths: ReadonlySet<string> = new Set(['tags/sheet-link'])
/** Paths whose changes require a scope of their own instead of `<section>:write`. */
const scopesOfParts: ReadonlyMap<string, KeyScope> = new Map([
  ['releases/publish', 'releases:publish'],
  ['releases/check', 'releases:read'],
  ['releases/preview-link', 'releases:read'],
])
const isScope = (text: string): text is KeyScope => scopes.some((scope) => scope === text)

/** Whether granted scopes include the needed one. `:write` implies `:read`; undefined means `defaultScopes`. */
export const hasScope = (granted: readonly string[] = defaultScopes, needed: string) =>
  granted.includes(needed) || granted.includes(needed.replace(/:read$/, ':write'))

/** The problem of granted scopes that lack a needed one. It names every missing one. */
export function findMissingScopes(granted: readonly string[] | undefined, needed: readonly string[]) {
  const missing = needed.filter((scope) => !hasScope(granted, scope))
  const named = `${missing.length === 1 ? 'scope' : 'scopes'} ${missing.join(', ')}`
  return missing.length === 0 ? undefined : new ApiError('forbidden', `The key lacks the ${named}.`)
}

/** Requires all needed scopes. */
export function requireScopes(granted: readonly string[] | undefined, needed: readonly string[]): void {
  const problem = findMissingScopes(granted, needed)
  if (problem) throw problem
}

/**
 * Paths that require the scope of another section: `products/:id/availability`, `requests`, `logo`, `charges`, `invitations`. After `external` comes an external id, which
 * can be any text.
 */
const sectionsOfParts: ReadonlyMap<string, string> = new Map([
  ['products/availability', 'stock'],
  ['service/', 'stock'],
  ['requests/', 'stock'],
  ['tags/requests', 'stock'],
  ['logo/', 'merchant'],
  ['charges/', 'merchant'],
  ['test-data/', 'merchant'],
  ['invitations/', 'members'],
  ['failed-requests/', 'audit'],
])
/** Paths whose changes require the scope of another section. */
const changedSections: ReadonlyMap<string, string> = new Map([['modifiers/availability', 'stock']])

/** The credential of the `Authorization` header. Uses the session cookie only if that header is absent. */
async function findRequestCredential(c: Context<Env>, isRepeated: boolean): Promise<Credential | undefined> {
  if (c.req.header('authorization') === undefined) {
    const session = await findSession(c, isRepeated)
    c.set('sessionId', session?.id)
    return session?.credential
  }
  const credential = await findCredential(
    c.env,
    getBearerToken(c),
    (work) => c.executionCtx.waitUntil(work),
    isLimited(c),
    isRepeated,
  )
  c.set('key', credential)
  if (credential) await requireAllowedAddress(c, credential)
  return credential
}

/** Rejects rights beyond those of the request's key or member. The operator has all rights. */
export function requireRights(c: Context<Env>, rights: { testMode: boolean; scopes?: readonly string[] | undefined }) {
  const { scope, grantedScopes, grantsLive } = c.var
  if (!scope) return
  if (!grantsLive && !rights.testMode) throw new ApiError('forbidden', 'This key or role gives no access to live mode.')
  requireScopes(grantedScopes, rights.scopes ?? defaultScopes)
}

/** Time after which the checks of a request's rights are repeated before the request goes on, and while a response is streamed, in milliseconds. */
export const checkLife = { ms: 1_000, streamMs: 30_000 }

/** Runs a check of the request's rights. It is repeated if the body arrives slowly. */
export async function checkRights<Result>(
  c: Context<Env>,
  check: (c: Context<Env>) => Result | Promise<Result>,
): Promise<Result> {
  const result = await check(c)
  const { checks = [], checkedMs = Date.now() } = c.var
  c.set('checks', [...checks, check])
  c.set('checkedMs', checkedMs)
  return result
}

/** Runs all checks of the request's rights again. They read the primary database, and no cache. */
export async function repeatChecks(c: Context<Env>): Promise<void> {
  for (const check of c.get('checks') ?? []) await check(c)
  c.set('checkedMs', Date.now())
}

/**
 * Repeats the checks of a request's rights if they are older than `maxMs`. Each function that waits for the client calls it: the key or the
 * session may have ended since. Without checks it does nothing.
 */
export async function repeatOldChecks(c: Context<Env>, maxMs = checkLife.ms): Promise<void> {
  if (Date.now() - (c.get('checkedMs') ?? Infinity) > maxMs) await repeatChecks(c)
}

/** Requires a key or a session of the merchant in the path with the scope of the section. */
async function authorize(c: Context<Env>): Promise<Credential> {
  const isRepeated = c.get('checkedMs') !== undefined
  const credential = await findRequestCredential(c, isRepeated)
  if (!credential) throw await createUnauthenticatedError(c)
  if (!isRepeated && (await isOverLimit(c.env, 'REQUESTS', credential.id))) throw createRateLimitError('REQUESTS')
  const [, , merchantId, collection = 'merchant', id = '', part = ''] = c.req.path.split('/')
  if (merchantId !== credential.merchantId) throw new ApiError('forbidden', 'The key belongs to another merchant.')
  if (credential.suspended) throw merchantSuspended()
  const isReading = readMethods.has(c.req.method) || readPaths.has(`${collection}/${id}`)
  const place = `${collection}/${part}`
  const ofPart = sectionsOfParts.get(place) ?? (isReading ? undefined : changedSections.get(place))
  const section = (id === 'external' ? undefined : ofPart) ?? collection
  const needed = (!isReading && scopesOfParts.get(place)) || `${section}:${isReading ? 'read' : 'write'}`
  if (isScope(needed)) requireScopes(credential.scopes, [needed])
  c.set('scope', { merchantId: credential.merchantId, testMode: credential.testMode })
  c.set('actor', credential.id)
  c.set('grantedScopes', credential.scopes)
  c.set('allowedIps', credential.allowedIps)
  c.set('grantsLive', credential.grantsLive ?? !credential.testMode)
  return credential
}

/** Authorizes the request, and sets the merchant's database. */
export const authenticate: MiddlewareHandler<Env> = async (c, next) => {
  const credential = await checkRights(c, authorize)
  requireDecodablePath(c)

  const database = merchantDatabase(c.env, credential, c.req.header('d1-bookmark'))
  // A person must not miss their own changes, and those of others that the console has heard of.
  if (c.get('sessionId') !== undefined) database.usePrimary()
  c.set('database', database)
  await next()
  await credential.finish?.(c)
  // `c.header` would create another response.
  if (c.res !== c.get('complete') && database.bookmark) c.res.headers.set('D1-Bookmark', database.bookmark)
}

/** Requires a scope that path and method do not imply. */
export const requireScope =
  (needed: KeyScope): MiddlewareHandler<Env> =>
  async (c, next) => {
    await checkRights(c, () => requireScopes(c.var.grantedScopes, [needed]))
    await next()
  }
