import { and, eq, gt, isNull, notExists, or, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { allOf, compile, databaseNow, lazy, param } from '../db/database.ts'
import { ConstraintError, getConstraintSubject } from '../db/database-errors.ts'
import { db, listed } from '../db/query.ts'
import { invitationTable, userTable } from '../db/schema/directory/users.ts'
import { keyTable } from '../db/schema/keys.ts'
import { merchantTable } from '../db/schema/merchants.ts'
import type { Write } from '../db/transaction.ts'
import type { Env } from '../http/context.ts'
import { createUnauthenticatedError, hasScope } from './authenticate.ts'
import { roleScopes } from './roles.ts'
import { clearCredentialCaches } from './sessions.ts'

/** Undoes the transaction if the key or member `:actor` was deleted, or no longer has one of `:roles`. */
const guard = lazy(() => {
  const key = and(
    eq(keyTable.id, param('actor')),
    eq(keyTable.merchantId, merchantTable.id),
    or(isNull(keyTable.expiresAt), gt(keyTable.expiresAt, databaseNow)),
  )
  const member = and(
    eq(userTable.id, param('actor')),
    eq(userTable.merchantId, merchantTable.id),
    sql`${userTable.role} in ${listed('roles')}`,
  )
  return compile(
    db
      .update(merchantTable)
      .set({ name: sql`null` })
      .where(
        allOf(
          eq(merchantTable.id, param('merchantId')),
          notExists(db.select().from(keyTable).where(key)),
          notExists(db.select().from(userTable).where(member)),
        ),
      ),
  )
})

/**
 * Statements of a transaction that grants rights, or changes those of a member. They undo it if the key or member of the request was revoked, removed
 * or demoted while this isolate had it in its cache. The operator needs no such statements.
 */
export function requireCurrentActor(c: Context<Env>): Write {
  const { scope, actor, grantedScopes = [] } = c.var
  if (!scope) return []
  const roles = Object.entries(roleScopes).filter(([, granted]) =>
    grantedScopes.every((needed) => hasScope(granted, needed)),
  )
  const values = {
    merchantId: scope.merchantId,
    actor,
    roles: JSON.stringify(roles.map(([role]) => role)),
  }
  return [[guard(), values]]
}

/** Converts the error of `requireCurrentActor` to that of a credential that is not accepted. Throws other errors. */
export async function rejectFormerActor(c: Context<Env>, error: unknown): Promise<never> {
  if (!(error instanceof ConstraintError && error.subject === getConstraintSubject(merchantTable.name))) throw error
  clearCredentialCaches()
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
