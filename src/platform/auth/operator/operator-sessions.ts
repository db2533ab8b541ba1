import { and, desc, eq, lt, lte, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { compile, databaseNow, lazy, param } from '../../db/database.ts'
import { directoryDatabase } from '../../db/home/d1-connection.ts'
import { columnParam, db, listed, typed } from '../../db/query.ts'
import { operatorSessionTable as table } from '../../db/schema/directory/sessions.ts'
import type { Bindings } from '../../env.ts'
import type { Env } from '../../http/context.ts'
import { randomBase32 } from '../../lib/encoding/base32.ts'
import { hashKey } from '../../lib/encoding/sha256.ts'
import { createId } from '../../lib/ids.ts'
import { nowInSeconds } from '../../lib/time.ts'
import { createIdRetention } from '../../purge-statements.ts'
import { lastUsedPrecisionSeconds } from '../api-keys.ts'
import { isCurrent } from '../current-sessions.ts'
import { getCookieToken, rejectForeignRequests, requireLookup, tokenBits } from '../sessions.ts'
import { getOperatorTokens } from './operator-tokens.ts'

export const operatorCookieName = '__Host-operator'
/** Maximum number of sessions of the operator. A further sign-in ends the oldest. */
export const maxOperatorSessions = 50

const utf8 = new TextEncoder()
const digest = (text: string) => crypto.subtle.digest('SHA-256', utf8.encode(text))

/** Whether a text is a token of the operator. Compares with each in constant time; hashes hide the length. */
export async function isOperatorToken(env: Bindings, candidate: string): Promise<boolean> {
  const [given, ...known] = await Promise.all([candidate, ...getOperatorTokens(env)].map(digest))
  return given !== undefined && known.filter((token) => crypto.subtle.timingSafeEqual(given, token)).length > 0
}

const fields = {
  id: table.id,
  createdAt: table.createdAt,
  lastUsedAt: table.lastUsedAt,
  userAgent: table.userAgent,
}
/** Sessions whose hash is in the JSON list `:hashes`: one for each token of the operator. */
const hasHash = sql`${table.hash} in ${listed('hashes')}`
const newest = () => db.select({ id: table.id }).from(table).orderBy(desc(table.id)).limit(1)

const statements = {
  insert: lazy(() =>
    compile(
      db.insert(table).values({
        id: param('id'),
        hash: param('hash'),
        createdAt: columnParam(table.createdAt, 'now'),
        lastUsedAt: columnParam(table.lastUsedAt, 'now'),
        userAgent: columnParam(table.userAgent, 'userAgent'),
        assertedAt: sql`case when ${param('isConfirmed')} then ${databaseNow} end`,
      }),
    ),
  ),
  trim: lazy(() => compile(db.delete(table).where(lte(table.id, sql`(${newest().offset(maxOperatorSessions)})`)))),
  /** Deletes the session whose cookie is replaced by a new one. */
  endReplaced: lazy(() => compile(db.delete(table).where(hasHash))),
  find: lazy(() =>
    typed(fields, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(hasHash, isCurrent(table))),
    ),
  ),
  touch: lazy(() =>
    compile(
      db
        .update(table)
        .set({ lastUsedAt: columnParam(table.lastUsedAt, 'now') })
        .where(and(eq(table.id, param('id')), lt(table.lastUsedAt, param('before')))),
    ),
  ),
  list: lazy(() =>
    typed(fields, (select) => db.select(select).from(table).where(isCurrent(table)).orderBy(desc(table.id))),
  ),
  end: lazy(() =>
    typed(fields, (select) =>
      db
        .delete(table)
        .where(eq(table.id, param('id')))
        .returning(select),
    ),
  ),
}

export const operatorSessionRetention = createIdRetention(table)

const primary = (env: Bindings) => {
  const database = directoryDatabase(env)
  database.usePrimary()
  return database
}
const hash = (token: string, operatorToken: string) => hashKey(`${token}.${operatorToken}`)
/** Hashes that a session's token can have, as a JSON list. */
const toHashes = async (env: Bindings, token: string) =>
  JSON.stringify(await Promise.all(getOperatorTokens(env).map((operatorToken) => hash(token, operatorToken))))

/**
 * Starts a session, which replaces the session of the request's cookie. Returns it with its token, which is not stored. `sent`: the operator's token
 * that the request contains. The session ends with it, or with the newest token if the request contains none.
 */
export async function startOperatorSession(c: Context<Env>, userAgent: string | undefined, sent: string | undefined) {
  const { env } = c
  const [id, token, now] = [createId('ses'), randomBase32(tokenBits), nowInSeconds()]
  const [newest = ''] = getOperatorTokens(env)
  const row = { id, hash: await hash(token, sent ?? newest), now, userAgent, isConfirmed: sent !== undefined }
  const hashes = await toHashes(env, getCookieToken(c, operatorCookieName) ?? '')
  await primary(env).run([statements.insert(), row], [statements.trim(), {}], [statements.endReplaced(), { hashes }])
  return { token, session: { id, createdAt: now, lastUsedAt: now, userAgent: userAgent ?? null } }
}

/** Id of the session of the request's cookie; undefined if the request has no valid session. Throws for a request that another site may have sent. */
export async function findOperatorSession(c: Context<Env>): Promise<string | undefined> {
  const token = getCookieToken(c, operatorCookieName)
  if (token === undefined) return undefined
  rejectForeignRequests(c)
  const now = nowInSeconds()
  requireLookup(c, now)
  const database = primary(c.env)
  const [[session]] = await database.run([statements.find(), { hashes: await toHashes(c.env, token) }])
  const before = now - lastUsedPrecisionSeconds
  if (session && session.lastUsedAt < before) {
    // A failure must not affect the request. The next use writes the time instead.
    const touched = database.run([statements.touch(), { id: session.id, now, before }])
    c.executionCtx.waitUntil(touched.catch(() => undefined))
  }
  return session?.id
}

/** Lists the sessions that have not ended, newest first. */
export async function listOperatorSessions(env: Bindings) {
  const [rows] = await primary(env).run([statements.list(), {}])
  return rows
}

/** Ends a session. Returns the ended session; undefined if it does not exist. */
export async function endOperatorSession(env: Bindings, id: string) {
  const [[row]] = await primary(env).run([statements.end(), { id }])
  return row
}
