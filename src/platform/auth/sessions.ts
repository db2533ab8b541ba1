import { and, eq, lt, type SQL } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Context, MiddlewareHandler } from 'hono'
import { readRows } from '../db/damaged-rows.ts'
import { compile, type Database, lazy, param } from '../db/database.ts'
import { directoryDatabase } from '../db/home/d1-connection.ts'
import { columnParam, db, type RowOf, type Selection, typed, withRawRows, withRows } from '../db/query.ts'
import { homeTable } from '../db/schema/directory/homes.ts'
import { sessionTable as table } from '../db/schema/directory/sessions.ts'
import { userTable } from '../db/schema/directory/users.ts'
import { keyTable } from '../db/schema/keys.ts'
import { merchantTable } from '../db/schema/merchants.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { createRateLimitError, isLimited } from '../http/rate-limit.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { hashKey } from '../lib/encoding/sha256.ts'
import { nowInSeconds, toSeconds } from '../lib/time.ts'
import { clearKeyCache, lastUsedPrecisionSeconds, requireAllowedAddress } from './api-keys.ts'
import { type ConsoleSession, sessionFields, supportMark, toSession } from './console-session.ts'
import { roleScopes, testKeyRoles } from './roles.ts'
import { readKeyLists } from './stored-key.ts'

export const cookieName = '__Host-session'

/** How long an isolate caches a session, in milliseconds: its end reaches every isolate within this time. */
const sessionCacheMs = 30_000
/** Maximum number of lookups per second and isolate for rate-limited addresses. */
const limitedLookups = 20

const keyFields = {
  ...sessionFields,
  id: keyTable.id,
  testMode: keyTable.testMode,
  scopes: keyTable.scopes,
  allowedIps: keyTable.allowedIps,
  expiresAt: keyTable.expiresAt,
}
const memberFields = { ...sessionFields, id: userTable.id, memberName: userTable.name, role: userTable.role }

const toSessionOfKey = (row: RowOf<typeof keyFields>) =>
  toSession(row, row.expiresAt, { id: row.id, testMode: row.testMode, ...readKeyLists(row) })

const toSessionOfMember = (row: RowOf<typeof memberFields>): ConsoleSession => ({
  ...toSession(row, null, {
    id: row.id,
    testMode: false,
    scopes: roleScopes[row.role],
    grantsLive: !testKeyRoles.has(row.role),
  }),
  member: { id: row.id, name: row.memberName, role: row.role },
})

/** Finds a session by the hash of its token, joined with its key or its member. */
const selectSession = <Fields extends Selection>(fields: Fields, owner: SQLiteTable, isOwner: SQL) =>
  typed(fields, (select) =>
    db
      .select(select)
      .from(table)
      .innerJoin(owner, isOwner)
      .innerJoin(merchantTable, eq(merchantTable.id, table.merchantId))
      .leftJoin(homeTable, eq(homeTable.merchantId, table.merchantId))
      .where(eq(table.hash, param('hash'))),
  )
const statements = {
  ofKey: lazy(() => withRows(selectSession(keyFields, keyTable, eq(keyTable.id, table.keyId)), toSessionOfKey)),
  ofMember: lazy(() =>
    withRows(selectSession(memberFields, userTable, eq(userTable.id, table.userId)), toSessionOfMember),
  ),
}
const touchStatement = lazy(() =>
  compile(
    db
      .update(table)
      .set({ lastUsedAt: columnParam(table.lastUsedAt, 'now') })
      .where(and(eq(table.id, param('id')), lt(table.lastUsedAt, param('before')))),
  ),
)

/** Budget of the cache of an isolate, in bytes. */
const sessionMemoryBytes = 1024 * 1024
const cache = new ByteCache<{ session: ConsoleSession; until: number }>(sessionMemoryBytes)
/** Clears the cache of this isolate, so that the end of a session takes effect here immediately. */
export const clearSessionCache = () => cache.clear()
/** Clears the caches of keys too, so that a change of keys or of the merchant's state takes effect here immediately. */
export function clearCredentialCaches() {
  clearKeyCache()
  clearSessionCache()
}

/** Reads the session of a token's hash. A damaged key or member is reported, and its sessions are not found. */
export async function readSession(database: Database, hash: string): Promise<ConsoleSession | undefined> {
  const [ofKey, ofMember] = [statements.ofKey(), statements.ofMember()]
  const values = { hash }
  const [keyRows, memberRows] = await database.run([withRawRows(ofKey), values], [withRawRows(ofMember), values])
  return [...readRows(database, keyRows, ofKey.read), ...readRows(database, memberRows, ofMember.read)][0]
}

let lookups = { second: 0, count: 0 }
/** Limits the lookups of sessions for addresses whose credentials are not accepted. */
export function requireLookup(c: Context<Env>, second: number) {
  if (!isLimited(c)) return
  if (lookups.second !== second) lookups = { second, count: 0 }
  if (++lookups.count > limitedLookups) throw createRateLimitError('MISSES')
}

/** Requires that a page of this origin sends the request: other sites must not use the cookie, or sign a person in. */
export const requireSameOrigin: MiddlewareHandler<Env> = async (c, next) => {
  rejectOtherSites(c)
  await next()
}
function rejectOtherSites(c: Context<Env>) {
  if (c.req.header('sec-fetch-site') === 'same-origin') return
  throw new ApiError('forbidden', 'A session is accepted only from pages of the same origin.')
}

/** Content types that a form of another site cannot send. */
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

/** A member or an operator chooses the mode of each request. The session of a key has the mode of the key. */
function chooseMode(c: Context<Env>, session: ConsoleSession): ConsoleSession {
  const mode = c.req.header('mode')
  if (mode === undefined) return session
  if (mode !== 'live' && mode !== 'test')
    throw invalid([{ parameter: 'Mode', code: 'invalid_value', message: 'must be live or test' }])
  const testMode = mode === 'test'
  if (session.credential.testMode === testMode) return session
  if (!session.member && !session.support) throw new ApiError('forbidden', 'The session has the mode of its key.')
  return { ...session, credential: { ...session.credential, testMode } }
}

/** Requests that the console sends without the person, which do not extend the session. */
const pollPath = /^\/merchants\/[^/]+\/pulse$/

/** Stores that a session is used. */
function extendSession(c: Context<Env>, session: ConsoleSession, now: number): void {
  const before = now - lastUsedPrecisionSeconds
  if (session.lastUsedAt >= before) return
  session.lastUsedAt = now
  // A failure must not affect the request.
  const touched = directoryDatabase(c.env).run([touchStatement(), { id: session.id, now, before }])
  c.executionCtx.waitUntil(touched.catch(() => undefined))
}

/**
 * The session of the request's cookie, in the mode of the request; undefined if the request has no valid session. Reads it from the primary if it must
 * be current. Throws for a request that another site may have sent.
 */
export async function findSession(c: Context<Env>, mustBeCurrent = false): Promise<ConsoleSession | undefined> {
  const token = getSessionToken(c)
  if (token === undefined) return undefined
  rejectForeignRequests(c)
  const nowMs = Date.now()
  const now = toSeconds(nowMs)
  if (mustBeCurrent) cache.delete(token)
  const cached = cache.get(token)
  let session = cached && cached.until > nowMs ? cached.session : undefined
  if (!session) {
    requireLookup(c, now)
    const { clears } = cache
    const read = token.startsWith(supportMark)
      ? (await import('./operator/support-sessions.ts')).readSupportSession
      : readSession
    const [database, hash] = [directoryDatabase(c.env), await hashKey(token)]
    if (mustBeCurrent) database.usePrimary()
    session = await read(database, hash, c)
    if (!session) {
      // A replica may not have a recently created session.
      database.usePrimary()
      session = await read(database, hash, c)
    }
    // The lookup may have taken seconds.
    if (!session || session.credential.expiresAt <= nowInSeconds()) return undefined
    // The update below extends the session, which may have ended during the lookup.
    const until = Math.min(nowMs + sessionCacheMs, session.credential.expiresAt * 1000)
    // The rights of support depend on the request.
    if (cache.clears === clears && !session.support) cache.set(token, { session, until })
  }
  await requireAllowedAddress(c, session.credential)
  // Also for a cached session: a poll may have read it.
  if (!pollPath.test(c.req.path)) extendSession(c, session, now)
  return session.credential.expiresAt > nowInSeconds() ? chooseMode(c, session) : undefined
}
