import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { type Credential, findCredential, requireAllowedAddress } from '../../platform/auth/api-keys.ts'
import { createUnauthenticatedError, hasScope } from '../../platform/auth/authenticate.ts'
import { type ConsoleSession, getExpiry, sessionSeconds, tokenBits } from '../../platform/auth/console-session.ts'
import {
  clearSessionCache,
  cookieName,
  findSession,
  getSessionToken,
  readSession,
  requireSameOrigin,
} from '../../platform/auth/sessions.ts'
import { ConstraintError } from '../../platform/db/database-errors.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { homeStatements } from '../../platform/db/home/home.ts'
import { renewObject } from '../../platform/db/home/object-connection.ts'
import { commit } from '../../platform/db/transaction.ts'
import { invalid, merchantSuspended, notFound } from '../../platform/errors.ts'
import { type Env, getActor } from '../../platform/http/context.ts'
import { readPage } from '../../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../../platform/http/pagination.ts'
import { createRateLimitError, isLimited, isOverLimit } from '../../platform/http/rate-limit.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { query } from '../../platform/http/validation.ts'
import { randomBase32 } from '../../platform/lib/encoding/base32.ts'
import { hashKey } from '../../platform/lib/encoding/sha256.ts'
import { createId } from '../../platform/lib/ids.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { noticeStatements } from './passkeys/notices.ts'
import { type StoredSession, sessionStatements as statements } from './session-statements.ts'
import {
  maxUserAgent,
  type StoredNotices,
  type sessionView,
  signInFields,
  signInRules,
  toOwnView,
} from './session-views.ts'

/** `User-Agent` of a request, as far as it is stored. */
export const readUserAgent = (c: Context) => c.req.header('user-agent')?.slice(0, maxUserAgent)
/** Sets the cookie of a session. `SameSite=Strict`: requests from other sites do not include it. */
export const setCookie = (c: Context, name: string, token: string, seconds: number) =>
  c.header('Set-Cookie', `${name}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`)

/** The actor that changes a session: a key or a member, with the merchant and the mode of its request. */
type Identity = Pick<Credential, 'id' | 'merchantId' | 'testMode'>
/** The actor of a change to sessions and people, which are in the directory. */
export const getDirectoryActor = (c: Context<Env>, { id, merchantId, testMode }: Identity) => ({
  ...getActor(c),
  database: directoryDatabase(c.env),
  scope: { merchantId, testMode },
  actor: id,
})

/** A new session, and its token, which is not stored. */
export async function createSessionRow(c: Context, merchantId: string, token = randomBase32(tokenBits)) {
  const [id, now] = [createId('ses'), nowInSeconds()]
  const earlier = getSessionToken(c)
  const replaced = earlier === undefined ? null : await hashKey(earlier)
  const hash = await hashKey(token)
  const row = { id, merchantId, hash, replaced, now, userAgent: readUserAgent(c) }
  return { token, row }
}

/** Responds to a sign-in with the stored session of a hash. */
export async function respondWithSession(c: Context<Env>, token: string, hash: string, notices: StoredNotices = []) {
  const database = directoryDatabase(c.env)
  database.usePrimary()
  const session = await readSession(database, hash)
  if (!session) throw await createUnauthenticatedError(c)
  if (getSessionToken(c) !== undefined) clearSessionCache()
  setCookie(c, cookieName, token, sessionSeconds.total)
  return c.json(toOwnView(session, notices), 201)
}

/** Notices for a member. A key has no passkeys. */
async function findNotices(c: Context<Env>, { member }: ConsoleSession): Promise<StoredNotices> {
  if (!member) return []
  const database = directoryDatabase(c.env)
  database.usePrimary()
  const [notices] = await database.run([noticeStatements.list(), { hash: await hashKey(getSessionToken(c) ?? '') }])
  return notices
}

/** Sign-in and sign-out of the console. */
export const signInRoutes = new Hono<Env>()
  .get('/', requireSameOrigin, async (c) => {
    const session = await findSession(c)
    if (!session) throw await createUnauthenticatedError(c)
    return c.json(toOwnView(session, await findNotices(c, session)), 200)
  })
  .post('/', requireSameOrigin, jsonBody(signInRules), async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const { key } = signInFields.parse(patch)
    const credential = await findCredential(c.env, key, (work) => c.executionCtx.waitUntil(work), isLimited(c))
    if (!credential) throw await createUnauthenticatedError(c)
    await requireAllowedAddress(c, credential)
    if (credential.suspended) throw merchantSuspended()
    if (await isOverLimit(c.env, 'REQUESTS', credential.id)) throw createRateLimitError('REQUESTS')
    const actor = getDirectoryActor(c, credential)
    const { token, row } = await createSessionRow(c, credential.merchantId)
    const ofKey = { ...row, keyId: credential.id }
    await commit(
      actor,
      { operation: 'sessions.create', object: row.id },
      [[statements.insert(), ofKey]],
      [
        [statements.trim(), ofKey],
        [statements.endReplaced(), ofKey],
      ],
    ).catch(async (error: unknown) => {
      // The key was revoked since it was read. Another isolate may have cached it.
      throw error instanceof ConstraintError && error.kind === 'foreign_key'
        ? await createUnauthenticatedError(c)
        : error
    })
    return respondWithSession(c, token, row.hash)
  })
  .delete('/', requireSameOrigin, async (c) => {
    if (getSessionToken(c) !== undefined) {
      const session = await findSession(c)
      if (session) await endSession(c, session.credential, session.id, null)
      setCookie(c, cookieName, '', 0)
    }
    return c.body(null, 204)
  })

async function endSession(c: Context<Env>, credential: Identity, id: string, subject: string | null) {
  const operation = { operation: 'sessions.delete', object: id }
  const { merchantId } = credential
  const find = homeStatements.find()
  const [[ended], [home]] = await commit(
    getDirectoryActor(c, credential),
    operation,
    [[statements.end(), { merchantId, id, subject }]],
    [[find, { merchantId }]],
  )
  clearSessionCache()
  // The venue sees the end of support in its audit log, as it sees the start.
  if (ended?.operatorId && home && home !== 'd1') await renewObject(c.env, merchantId, home)
  return ended
}

const toView = (
  c: Context<Env>,
  { keyId, userId, operatorId, operatorName, reason, userAgent, endsAt, ...session }: StoredSession,
): z.output<typeof sessionView> => ({
  ...session,
  key: keyId ?? undefined,
  user: userId ?? undefined,
  support: operatorId ? { operator: operatorId, name: operatorName ?? '', reason: reason ?? '' } : undefined,
  userAgent: userAgent ?? undefined,
  expiresAt: getExpiry(session.createdAt, session.lastUsedAt, endsAt),
  current: session.id === c.var.sessionId,
})

/** The key, member or operator whose sessions the request can access; null if its scope covers all sessions, which belong to live mode. */
const reachedSubject = (c: Context<Env>, scope: string) =>
  c.var.grantsLive && hasScope(c.var.grantedScopes, scope) ? null : (c.var.actor ?? '')

/** Sessions of the console at a merchant. */
export const sessionRoutes = new Hono<Env>()
  .get('/', query(pageQuery), async (c) => {
    const { merchantId } = c.var.scope
    const values = { merchantId, subject: reachedSubject(c, 'keys:read') }
    const database = directoryDatabase(c.env)
    database.usePrimary()
    const { items, next } = await readPage(database, statements.list, 'sessions', values, c.req.valid('query'))
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(
      items.map((item) => toView(c, item)),
      200,
    )
  })
  .delete('/:sessionId', async (c) => {
    const { scope, actor = '' } = c.var
    const id = c.req.param('sessionId')
    const ended = await endSession(c, { id: actor, ...scope }, id, reachedSubject(c, 'keys:write'))
    if (!ended) throw notFound()
    return c.json({ id, object: toView(c, ended), message: 'Session deleted', deleted: true as const }, 200)
  })
