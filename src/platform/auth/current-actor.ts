import { and, eq, exists, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Context } from 'hono'
import { compile, databaseNow, lazy, param } from '../db/database.ts'
import { db, listed } from '../db/query.ts'
import { operatorTable } from '../db/schema/directory/operators.ts'
import { platformKeyTable } from '../db/schema/directory/platform-keys.ts'
import { operatorSessionTable, sessionTable } from '../db/schema/directory/sessions.ts'
import { invitationTable, userTable } from '../db/schema/directory/users.ts'
import { keyTable } from '../db/schema/keys.ts'
import { isServed, merchantTable } from '../db/schema/merchants.ts'
import { isUndoneIf, undoIf, type Write } from '../db/transaction.ts'
import type { Env } from '../http/context.ts'
import { createUnauthenticatedError, hasScope, repeatChecks } from './authenticate.ts'
import { isCurrentOperator } from './operator/active-operators.ts'
import { tokenHolder } from './operator/operators.ts'
import { roleScopes } from './roles.ts'
import { clearCredentialCaches } from './sessions.ts'

const has = (table: SQLiteTable, condition: SQL | undefined) =>
  exists(db.select({ one: sql`1` }).from(table).where(condition))
const isActor = (table: typeof keyTable | typeof userTable) =>
  and(eq(table.id, param('actor')), eq(table.merchantId, param('merchantId')))
const hasSession = (table: typeof sessionTable | typeof operatorSessionTable) =>
  or(sql`${param('session')} is null`, has(table, eq(table.id, param('session'))))

/** Undoes the transaction if the key or member `:actor`, its session or the merchant has ended, or if it no longer has one of `:roles`. */
const guard = lazy(() => {
  const key = and(isActor(keyTable), or(isNull(keyTable.expiresAt), gt(keyTable.expiresAt, databaseNow)))
  const member = and(isActor(userTable), sql`${userTable.role} in ${listed('roles')}`)
  const merchant = and(eq(merchantTable.id, param('merchantId')), isServed)
  const isAllowed = and(
    or(has(keyTable, key), has(userTable, member)),
    has(merchantTable, merchant),
    hasSession(sessionTable),
  )
  return compile(undoIf(sql`not (${isAllowed})`))
})

/** Undoes the transaction if the operator or platform key `:actor`, or its session, has ended, or if the operator no longer has `:role`. */
const operatorGuard = lazy(() => {
  const key = and(
    eq(platformKeyTable.id, param('actor')),
    or(isNull(platformKeyTable.expiresAt), gt(platformKeyTable.expiresAt, databaseNow)),
  )
  const person = and(
    eq(operatorTable.id, param('actor')),
    isCurrentOperator,
    sql`${operatorTable.role} = ${param('role')}`,
  )
  const isAllowed = and(
    sql`case ${param('role')} when 'token' then true when 'key' then ${has(platformKeyTable, key)} else ${has(operatorTable, person)} end`,
    hasSession(operatorSessionTable),
  )
  return compile(undoIf(sql`not (${isAllowed})`))
})

/**
 * Statements of a transaction that grants rights, or changes those of a person. They undo it if the rights of the request have ended since they were
 * checked: this isolate may have cached them, and another request may be faster.
 */
export function requireCurrentActor(c: Context<Env>): Write {
  const { scope, actor, operator, sessionId, grantedScopes = [] } = c.var
  const values = { merchantId: scope?.merchantId ?? '', testMode: false, actor, session: sessionId ?? null }
  if (!scope) {
    const role = operator?.id === tokenHolder.id ? 'token' : operator?.role
    return [[operatorGuard(), { ...values, role }]]
  }
  const roles = Object.entries(roleScopes).filter(([, granted]) =>
    grantedScopes.every((needed) => hasScope(granted, needed)),
  )
  return [[guard(), { ...values, roles: JSON.stringify(roles.map(([role]) => role)) }]]
}

/** Converts the error of `requireCurrentActor` to that of a new request with the same credential. Throws other errors. */
export async function rejectFormerActor(c: Context<Env>, error: unknown): Promise<never> {
  if (!isUndoneIf(error)) throw error
  clearCredentialCaches()
  await repeatChecks(c)
  throw await createUnauthenticatedError(c)
}

const isOfCreator = and(
  eq(invitationTable.merchantId, param('merchantId')),
  eq(invitationTable.createdBy, param('creator')),
)
/** Revokes the invitations of a key or a member, if the previous statement of the transaction wrote a row. */
export const revokeInvitations = lazy(() =>
  compile(db.delete(invitationTable).where(and(isOfCreator, sql`changes() > 0`))),
)
