import { and, eq, lt } from 'drizzle-orm'
import type { Context, MiddlewareHandler } from 'hono'
import { readRows } from '../db/damaged-rows.ts'
import { compile, type Database, lazy, param } from '../db/database.ts'
import { directoryDatabase } from '../db/home/connect.ts'
import { homeFields, toCacheableHome } from '../db/home/home.ts'
import { columnParam, db, type RowOf, typed, withRawRows, withRows } from '../db/query.ts'
import { homeTable } from '../db/schema/directory/homes.ts'
import { sessionTable as table } from '../db/schema/directory/sessions.ts'
import { keyTable } from '../db/schema/keys.ts'
import { merchantTable, suspendedField } from '../db/schema/merchants.ts'
import { ApiError } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { createRateLimitError, isLimited } from '../http/rate-limit.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { hashKey } from '../lib/encoding/sha256.ts'
import { clearKeyCache } from './api-keys.ts'
import { getStoredScopes } from './stored-key.ts'

/** Lifetime of a session in seconds: without use, and in all. */
export const sessionSeconds = { idle: 43_200, total: 604_800 } as const
export const cookieName = '__Host-session'
/** Random bits of a session's token. */
export const tokenBits = 160

/** How long an isolate caches a session, in milliseconds: its end reaches every isolate within this time. */
const sessionCacheMs = 30_000
/** Shortest time between two writes of `lastUsedAt`, in seconds. */
export const lastUsedPrecisionSeconds = 300
/** Lookups in a second and isolate for rate-limited addresses. */
export const limitedLookups = 20

const fields = {
  sessionId: table.id,
  startedAt: table.createdAt,
  usedAt: table.lastUsedAt,
  id: keyTable.id,
  merchantId: keyTable.merchantId,
  testMode: keyTable.testMode,
  scopes: keyTable.scopes,
  expiresAt: keyTable.expiresAt,
  name: merchantTable.name,
  timezone: merchantTable.timezone,
  currency: merchantTable.currency,
  suspended: suspendedField,
  ...homeFields,
}

/** When a session expires, in seconds. */
export const getExpiry = (createdAt: number, lastUsedAt: number, keyExpiresAt: number | null) =>
  Math.min(createdAt + sessionSeconds.total, lastUsedAt + sessionSeconds.idle, keyExpiresAt ?? Infinity)

function toSession({
  sessionId,
  startedAt,
  usedAt,
  name,
  timezone,
  currency,
  suspended,
  object,
  location,
  jurisdiction,
  settingsVersion,
  moving,
  ...key
}: RowOf<typeof fields>) {
  const expiresAt = getExpiry(startedAt, usedAt, key.expiresAt)
  return {
    id: sessionId,
    createdAt: startedAt,
    lastUsedAt: usedAt,
    credential: {
      ...key,
      scopes: getStoredScopes(key),
      expiresAt,
      suspended: suspended === 1,
      home: toCacheableHome({ object, location, jurisdiction, settingsVersion, moving }),
    },
    merchant: { id: key.merchantId, name, timezone, currency: currency ?? undefined },
  }
}
export type Session = ReturnType<typeof toSession>

const findStatement = lazy(() =>
  withRows(
    typed(fields, (select) =>
      db
        .select(select)
        .from(table)
        .innerJoin(keyTable, eq(keyTable.id, table.keyId))
        .innerJoin(merchantTable, eq(merchantTable.id, keyTable.merchantId))
        .leftJoin(homeTable, eq(homeTable.merchantId, keyTable.merchantId))
        .where(eq(table.hash, param('hash'))),
    ),
    toSession,
  ),
)
const touchStatement = lazy(() =>
  compile(
    db
      .update(table)
      .set({ lastUsedAt: columnParam(table.lastUsedAt, 'now') })
      .where(and(eq(table.id, param('id')), lt(table.lastUsedAt, param('before')))),
  ),
)

/** Budget of the cache of an isolate, in bytes. */
export const sessionMemoryBytes = 1024 * 1024
const cache = new ByteCache<{ session: Session; until: number }>(sessionMemoryBytes)
/** Clears the cache of this isolate, so that the end of a session takes effect here at once. */
export const clearSessionCache = () => cache.clear()
/** Clears the caches of keys too, so that a change of keys or of the merchant's state takes effect here at once. */
export function clearCredentialCaches() {
  clearKeyCache()
  clearSessionCache()
}

/** Reads the session of a token's hash. A damaged key is reported, and its sessions are not found. */
export async function readSession(database: Database, hash: string): Promise<Session | undefined> {
  const [rows = []] = await database.run([withRawRows(findStatement()), { hash }])
  return readRows(database, rows, findStatement().read)[0]
}

let lookups = { second: 0, count: 0 }
/** Limits the lookups of sessions for addresses whose credentials are not accepted. */
export function requireLookup(c: Context<Env>, second: number) {
  if (!isLimited(c)) return
  if (lookups.second !== second) lookups = { second, count: 0 }
  if (++lookups.count > limitedLookups) throw createRateLimitError('MISSES')
}

/** Requires that a page of this origin sends the request: other sites must not act with the cookie, or sign a person in. */
export const requireSameOrigin: MiddlewareHandler<Env> = async (c, next) => {
  rejectOtherSites(c)
  await next()
}
function rejectOtherSites(c: Context<Env>) {
  if (c.req.header('sec-fetch-site') === 'same-origin') return
  throw new ApiError('forbidden', 'A session is accepted only from pages of the same origin.')
}

/** Content types that no form of another site can send. */
const acceptedTypes = /^(?:application\/jsonl?|text\/csv|image\/[\w.+-]+)\s*(?:;|$)/i
function rejectForms(c: Context<Env>) {
  const type = c.req.header('content-type') ?? ''
  if (/^(?:GET|HEAD|OPTIONS|DELETE)$/.test(c.req.method) || acceptedTypes.test(type)) return
  if (/^multipart\//i.test(type) && c.req.header('x-requested-with') === 'console') return
  throw new ApiError('forbidden', 'With a session, the Content-Type must be JSON, CSV, JSONL or an image.')
}

/** Rejects a request with a cookie that another site may have sent. */
export function rejectForeignRequests(c: Context<Env>): void {
  rejectOtherSites(c)
  rejectForms(c)
}

/** The token of a cookie. */
export const getCookieToken = (c: Context, name: string) =>
  new RegExp(`(?:^|; *)${name}=([0-9A-Z]{32})(?:;|$)`).exec(c.req.header('cookie') ?? '')?.[1]
/** The token of the session cookie. */
export const getSessionToken = (c: Context) => getCookieToken(c, cookieName)

/** The session of the request's cookie; undefined if there is none that is valid. Throws for a request that another site may have sent. */
export async function findSession(c: Context<Env>): Promise<Session | undefined> {
  const token = getSessionToken(c)
  if (token === undefined) return undefined
  rejectForeignRequests(c)
  const nowMs = Date.now()
  const now = Math.floor(nowMs / 1000)
  const cached = cache.get(token)
  let session = cached && cached.until > nowMs ? cached.session : undefined
  if (!session) {
    requireLookup(c, now)
    const [database, hash] = [directoryDatabase(c.env), await hashKey(token)]
    session = await readSession(database, hash)
    if (!session) {
      // A replica may not have a session that was created a moment ago.
      database.usePrimary()
      session = await readSession(database, hash)
    }
    if (!session || session.credential.expiresAt <= now) return undefined
    cache.set(token, { session, until: nowMs + sessionCacheMs })
    const before = now - lastUsedPrecisionSeconds
    if (session.lastUsedAt < before) {
      // A failure must not affect the request; the next use writes it instead.
      const touched = database.run([touchStatement(), { id: session.id, now, before }])
      c.executionCtx.waitUntil(touched.catch(() => undefined))
    }
  }
  return session.credential.expiresAt > now ? session : undefined
}
