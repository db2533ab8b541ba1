import { eq, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Context, MiddlewareHandler } from 'hono'
import { databaseNow, lazy, param } from '../db/database.ts'
import { directoryDatabase } from '../db/home/d1-connection.ts'
import { db, typed } from '../db/query.ts'
import { operatorSessionTable, sessionTable } from '../db/schema/directory/sessions.ts'
import { ApiError } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { checkRights, createUnauthenticatedError } from './authenticate.ts'
import { clearCredentialCaches } from './sessions.ts'

/** How long a session can create credentials after an assertion of a passkey, or after a sign-in of an operator with a passkey or the token, in seconds. */
export const assertionSeconds = 300

const isRecent = (assertedAt: SQLiteColumn) =>
  sql`coalesce(${assertedAt} >= ${databaseNow} - ${sql.raw(String(assertionSeconds))}, 0)`

const statements = {
  /** The session of a key needs no confirmation: it has no rights beyond those of the key. */
  ofMerchant: lazy(() => {
    const isConfirmed = sql<number>`${sessionTable.userId} is null or ${isRecent(sessionTable.assertedAt)}`
    return typed({ isConfirmed }, (select) =>
      db
        .select(select)
        .from(sessionTable)
        .where(eq(sessionTable.id, param('session'))),
    )
  }),
  ofOperator: lazy(() =>
    typed({ isConfirmed: sql<number>`${isRecent(operatorSessionTable.assertedAt)}` }, (select) =>
      db
        .select(select)
        .from(operatorSessionTable)
        .where(eq(operatorSessionTable.id, param('session'))),
    ),
  ),
}

const messages = {
  ofMerchant: 'Confirm with a passkey first: POST /console/passkeys/assertion.',
  ofOperator: 'Sign in with a passkey or the token of the operator first: POST /console/operator.',
}

async function check(c: Context<Env>, kind: keyof typeof statements, session: string): Promise<void> {
  const database = directoryDatabase(c.env)
  database.usePrimary()
  const [[found]] = await database.run([statements[kind](), { session }])
  if (!found) {
    // Another isolate has ended the session.
    clearCredentialCaches()
    throw await createUnauthenticatedError(c)
  }
  if (found.isConfirmed !== 1) throw new ApiError('assertion_required', messages[kind])
}

/** Requires that the person has recently confirmed a session. */
export const requireConfirmed = (c: Context<Env>, session: string) => check(c, 'ofMerchant', session)

/**
 * Requires that the person has recently confirmed the session of the request. A request with a key or the operator's token has no session. A sign-in
 * through Cloudflare Access may be old.
 */
export async function confirmSession(c: Context<Env>): Promise<void> {
  const { scope, sessionId } = c.var
  if (scope) return sessionId === undefined ? undefined : requireConfirmed(c, sessionId)
  if (c.req.header('authorization') !== undefined) return
  if (sessionId === undefined) throw new ApiError('assertion_required', messages.ofOperator)
  await check(c, 'ofOperator', sessionId)
}

/** Mount it before `idempotent`: a stored response can contain credentials. */
export const requireAssertion: MiddlewareHandler<Env> = async (c, next) => {
  await checkRights(c, confirmSession)
  await next()
}
