import { and, desc, eq, lt, lte, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Context } from 'hono'
import { compile, databaseNow, lazy, param } from '../../db/database.ts'
import { directoryDatabase } from '../../db/home/d1-connection.ts'
import { columnParam, db, listed, typed } from '../../db/query.ts'
import { operatorTable } from '../../db/schema/directory/operators.ts'
import { operatorSessionTable as table } from '../../db/schema/directory/sessions.ts'
import type { Bindings } from '../../env.ts'
import type { Env } from '../../http/context.ts'
import { randomBase32 } from '../../lib/encoding/base32.ts'
import { hashKey } from '../../lib/encoding/sha256.ts'
import { createId } from '../../lib/ids.ts'
import { nowInSeconds } from '../../lib/time.ts'
import { createIdRetention } from '../../purge-statements.ts'
import { lastUsedPrecisionSeconds } from '../api-keys.ts'
import { tokenBits } from '../console-session.ts'
import { isCurrent } from '../current-sessions.ts'
import { getCookieToken, rejectForeignRequests, requireLookup } from '../sessions.ts'
import { activeAdmins, isCurrentOperator } from './active-operators.ts'
import type { OperatorRole } from './operator-identity.ts'
import { getOperatorTokens } from './operator-tokens.ts'

export const operatorCookieName = '__Host-operator'
/** Maximum number of sessions of each operator, and of the token. A further sign-in ends the oldest. */
export const maxOperatorSessions = 50

const utf8 = new TextEncoder()
const digest = (text: string) => crypto.subtle.digest('SHA-256', utf8.encode(text))

/** Whether a text is a token of the operator. Compares with each in constant time; hashes hide the length. */
export async function isOperatorToken(env: Bindings, candidate: string): Promise<boolean> {
  const [given, ...known] = await Promise.all([candidate, ...getOperatorTokens(env)].map(digest))
  return given !== undefined && known.filter((token) => crypto.subtle.timingSafeEqual(given, token)).length > 0
}

/** Maximum number of sessions that are listed. */
export const maxListedSessions = 500

/** A field of the person who signed in. Null if the token started the session, or if the person was removed. */
const ofPerson = <Value>(column: SQLiteColumn) => sql<Value | null>`(select ${column} from ${operatorTable}
  where ${operatorTable.id} = ${table.operatorId} and ${isCurrentOperator})`
const fields = {
  id: table.id,
  createdAt: table.createdAt,
  lastUsedAt: table.lastUsedAt,
  userAgent: table.userAgent,
  operatorId: table.operatorId,
  role: ofPerson<OperatorRole>(operatorTable.role),
  name: ofPerson<string>(operatorTable.name),
}
/** Sessions whose hash is in the JSON list `:hashes`: one for each token of the operator, and one for people. */
const hasHash = sql`${table.hash} in ${listed('hashes')}`
/** Sessions of the person `:operator`; null stands for the token and for Cloudflare Access before there is an admin. */
const isOfOperator = sql`${table.operatorId} is ${param('operator')}`
/** Sessions of the person `:only`, or all of them. */
const isVisible = sql`(${param('only')} is null or ${table.operatorId} = ${param('only')})`
const newest = () => db.select({ id: table.id }).from(table).where(isOfOperator).orderBy(desc(table.id)).limit(1)
/** A session that Cloudflare Access started without a person ends once there is an admin. */
const isOpen = sql`case when ${table.operatorId} is null then ${table.assertedAt} is not null or ${activeAdmins} = 0
  else ${fields.role} is not null end`

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
        operatorId: columnParam(table.operatorId, 'operator'),
      }),
    ),
  ),
  trim: lazy(() =>
    compile(db.delete(table).where(and(isOfOperator, lte(table.id, sql`(${newest().offset(maxOperatorSessions)})`)))),
  ),
  /** Deletes the session whose cookie is replaced by a new one. */
  endReplaced: lazy(() => compile(db.delete(table).where(hasHash))),
  find: lazy(() =>
    typed(fields, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(hasHash, isCurrent(table), isOpen)),
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
    typed(fields, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(isVisible, isCurrent(table), isOpen))
        .orderBy(desc(table.id))
        .limit(maxListedSessions),
    ),
  ),
  end: lazy(() =>
    typed(fields, (select) =>
      db
        .delete(table)
        .where(and(isVisible, eq(table.id, param('id'))))
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
/** Hashes that a session's token can have, as a JSON list. Those of people do not contain the operator's token. */
const toHashes = async (env: Bindings, token: string) =>
  JSON.stringify(await Promise.all(['', ...getOperatorTokens(env)].map((operatorToken) => hash(token, operatorToken))))

/** Who starts a session. */
export interface SessionStart {
  userAgent: string | undefined
  /** The operator's token that the request contains. The session ends with it, or with the newest token if it is absent. */
  sent?: string
  /** The person who signs in. The session then does not depend on the token. */
  operator?: string | undefined
  /** Whether the person has used a passkey. */
  isAsserted?: boolean
}

/** The session of one of the hashes. */
async function readOperatorSession(env: Bindings, hashes: string) {
  const [[session]] = await primary(env).run([statements.find(), { hashes }])
  return session
}

/**
 * Starts a session, which replaces the session of the request's cookie. Returns it with its token, which is not stored. The session is undefined if
 * its operator has been removed.
 */
export async function startOperatorSession(c: Context<Env>, { userAgent, sent, operator, isAsserted }: SessionStart) {
  const { env } = c
  const [id, token, now] = [createId('ses'), randomBase32(tokenBits), nowInSeconds()]
  const [newest = ''] = getOperatorTokens(env)
  const ownHash = await hash(token, operator === undefined ? (sent ?? newest) : '')
  const isConfirmed = sent !== undefined || isAsserted === true
  const row = { id, hash: ownHash, now, userAgent, isConfirmed, operator: operator ?? null }
  const hashes = await toHashes(env, getCookieToken(c, operatorCookieName) ?? '')
  await primary(env).run([statements.insert(), row], [statements.trim(), row], [statements.endReplaced(), { hashes }])
  return { token, session: await readOperatorSession(env, JSON.stringify([ownHash])) }
}

/** The session of the request's cookie; undefined if the request has no valid session. Throws for a request that another site may have sent. */
export async function findOperatorSession(c: Context<Env>) {
  const token = getCookieToken(c, operatorCookieName)
  if (token === undefined) return undefined
  rejectForeignRequests(c)
  const now = nowInSeconds()
  requireLookup(c, now)
  const session = await readOperatorSession(c.env, await toHashes(c.env, token))
  const before = now - lastUsedPrecisionSeconds
  if (session && session.lastUsedAt < before) {
    // A failure must not affect the request. The next use writes the time instead.
    const touched = primary(c.env).run([statements.touch(), { id: session.id, now, before }])
    c.executionCtx.waitUntil(touched.catch(() => undefined))
  }
  return session
}

/** Lists the sessions that have not ended, newest first: all of them, or those of one operator. */
export async function listOperatorSessions(env: Bindings, only: string | null) {
  const [rows] = await primary(env).run([statements.list(), { only }])
  return rows
}

/** Ends a session. Returns the ended session; undefined if it does not exist, or is not one of the given operator. */
export async function endOperatorSession(env: Bindings, id: string, only: string | null) {
  const [[row]] = await primary(env).run([statements.end(), { id, only }])
  return row
}
