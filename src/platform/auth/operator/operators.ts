import { and, eq, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { lazy, param } from '../../db/database.ts'
import { directoryDatabase } from '../../db/home/d1-connection.ts'
import { db, typed } from '../../db/query.ts'
import { operatorTable as table } from '../../db/schema/directory/operators.ts'
import { ApiError } from '../../errors.ts'
import type { Env } from '../../http/context.ts'
import { getBearerToken } from '../authenticate.ts'
import { readAccess } from './access.ts'
import { activeAdmins, isCurrentOperator } from './active-operators.ts'
import type { OperatorIdentity } from './operator-identity.ts'
import { findOperatorSession, isOperatorToken } from './operator-sessions.ts'
import { findPlatformKey } from './platform-keys.ts'

/** The holder of the token, who may do everything. */
export const tokenHolder: OperatorIdentity = { id: 'operator', role: 'admin' }

const statements = {
  findByEmail: lazy(() =>
    typed({ id: table.id, role: table.role, name: table.name }, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(eq(table.email, param('email')), isCurrentOperator)),
    ),
  ),
  countAdmins: lazy(() => typed({ admins: activeAdmins }, (select) => db.select(select).from(sql`(select 1)`))),
}

/**
 * The operator whom Cloudflare Access has signed in. Undefined if it has signed nobody in. A person without a record is `admin` until the first admin
 * exists.
 */
export async function findAccessOperator(c: Context<Env>): Promise<OperatorIdentity | undefined> {
  const access = await readAccess(c)
  if (!access) return undefined
  const { email } = access
  if (email === undefined) throw new ApiError('forbidden', 'A service token of Cloudflare Access is not an operator.')
  const database = directoryDatabase(c.env)
  database.usePrimary()
  const values = { email: email.toLowerCase() }
  const [[found], [counted]] = await database.run([statements.findByEmail(), values], [statements.countAdmins(), {}])
  if (found) return found
  if (counted?.admins === 0) return tokenHolder
  throw new ApiError('forbidden', 'The person is not an operator. An admin must add the e-mail address.')
}

/** The operator who sends a request. The cookie of a session and Cloudflare Access count only without an `Authorization` header. */
export async function identifyOperator(c: Context<Env>): Promise<OperatorIdentity | undefined> {
  if (c.req.header('authorization') !== undefined) {
    const token = getBearerToken(c)
    if (await isOperatorToken(c.env, token)) return tokenHolder
    const key = await findPlatformKey(c, token)
    return key && { ...key, role: 'key' }
  }
  const session = await findOperatorSession(c)
  if (!session) return findAccessOperator(c)
  const { id: sessionId, operatorId, role, name } = session
  return operatorId && role && name ? { id: operatorId, role, name, sessionId } : { ...tokenHolder, sessionId }
}
