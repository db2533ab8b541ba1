import { and, count, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { activeAdmins, isCurrentOperator } from '../../../platform/auth/operator/active-operators.ts'
import { allOf, compile, databaseNow, lazy, param } from '../../../platform/db/database.ts'
import { columnParam, db, insertSelect, type RowOf, typed } from '../../../platform/db/query.ts'
import { operatorTable as table } from '../../../platform/db/schema/directory/operators.ts'
import { operatorSessionTable, sessionTable } from '../../../platform/db/schema/directory/sessions.ts'
import { passkeyTable } from '../../../platform/db/schema/directory/users.ts'
import { createPageStatements } from '../../../platform/http/keyset-list.ts'

/** Maximum number of operators. */
export const maxOperators = 100
/** Maximum number of platform keys. */
export const maxPlatformKeys = 100

const passkeys = db.select({ total: count() }).from(passkeyTable).where(eq(passkeyTable.person, table.person))
/** Columns that are read of an operator. */
const operatorFields = {
  id: table.id,
  role: table.role,
  name: table.name,
  email: table.email,
  passkeys: sql<number>`${passkeys}`,
  invitedUntil: table.invitedUntil,
  createdBy: table.createdBy,
  createdAt: table.createdAt,
  lastUsedAt: table.lastUsedAt,
}
export type StoredOperator = RowOf<typeof operatorFields>

const returned = { id: table.id }
const isOperator = and(isCurrentOperator, eq(table.id, param('id')))
/** A change that leaves the service with an admin who can sign in, if it had one. */
const keepsAnAdmin = or(
  sql`${table.role} <> 'admin'`,
  and(isNull(table.email), isNull(table.person)),
  gt(activeAdmins, 1),
)
/** Whether the role is still the one that was read. */
const isAsRead = and(isOperator, eq(table.role, columnParam(table.role, 'expected')))
const isRemovable = and(isAsRead, keepsAnAdmin)
const isUsable = and(
  isCurrentOperator,
  eq(table.invitationHash, param('invitation')),
  gt(table.invitedUntil, databaseNow),
)
const total = db.select({ total: count() }).from(table).where(isCurrentOperator)
const personOf = (condition: typeof isOperator) => db.select({ person: table.person }).from(table).where(condition)

export const operatorStatements = {
  list: createPageStatements(operatorFields, allOf(isCurrentOperator)),
  find: lazy(() => typed(operatorFields, (select) => db.select(select).from(table).where(isOperator))),
  insert: lazy(() =>
    typed(returned, () =>
      insertSelect(
        table,
        {
          id: param('id'),
          role: columnParam(table.role, 'role'),
          name: param('name'),
          email: columnParam(table.email, 'email'),
          invitationHash: param('invitation'),
          invitedUntil: columnParam(table.invitedUntil, 'invitedUntil'),
          createdBy: param('createdBy'),
          createdAt: columnParam(table.createdAt, 'now'),
        },
        sql`where (${total}) < ${maxOperators} returning id`,
      ),
    ),
  ),
  /** Changes an operator whose role is still the one that was read. */
  update: lazy(() =>
    typed(returned, (select) =>
      db
        .update(table)
        .set({
          role: columnParam(table.role, 'role'),
          name: columnParam(table.name, 'name'),
          email: columnParam(table.email, 'email'),
        })
        .where(
          and(
            isAsRead,
            or(
              sql`${param('role')} = 'admin' and (${param('email')} is not null or ${table.person} is not null)`,
              keepsAnAdmin,
            ),
          ),
        )
        .returning(select),
    ),
  ),
  /** Replaces the invitation of an operator. */
  invite: lazy(() =>
    typed(returned, (select) =>
      db
        .update(table)
        .set({
          invitationHash: columnParam(table.invitationHash, 'invitation'),
          invitedUntil: columnParam(table.invitedUntil, 'invitedUntil'),
        })
        .where(isOperator)
        .returning(select),
    ),
  ),
  /** Deletes the passkeys of an operator. The condition is that of `remove`. */
  removePasskeys: lazy(() =>
    compile(db.delete(passkeyTable).where(sql`${passkeyTable.person} in ${personOf(isRemovable)}`)),
  ),
  /** The row stays, because audit logs name the operator. */
  remove: lazy(() =>
    typed(returned, (select) =>
      db
        .update(table)
        .set({
          removedAt: databaseNow,
          email: sql`null`,
          person: sql`null`,
          invitationHash: sql`null`,
          invitedUntil: sql`null`,
        })
        .where(isRemovable)
        .returning(select),
    ),
  ),
  /** Revokes all open invitations unless `:id` is an admin: one who was removed or demoted may know their links. */
  revokeInvitations: lazy(() => {
    const role = db.select({ role: table.role }).from(table).where(isOperator)
    return compile(
      db
        .update(table)
        .set({ invitationHash: sql`null`, invitedUntil: sql`null` })
        .where(and(isNotNull(table.invitationHash), sql`(${role}) is not 'admin'`)),
    )
  }),
  /** Ends the sessions of an operator, if the previous statement of the transaction wrote a row. */
  endSessions: lazy(() =>
    compile(
      db.delete(operatorSessionTable).where(and(sql`changes() > 0`, eq(operatorSessionTable.operatorId, param('id')))),
    ),
  ),
  /** Ends the hours of support of an operator who was removed, or whose passkeys are now those of `:person`. */
  endSupport: lazy(() => {
    const isEnded = and(eq(table.id, param('id')), or(isNotNull(table.removedAt), eq(table.person, param('person'))))
    return compile(
      db.delete(sessionTable).where(inArray(sessionTable.operatorId, db.select(returned).from(table).where(isEnded))),
    )
  }),
  /** The operator of an unused invitation. */
  findInvited: lazy(() => typed(operatorFields, (select) => db.select(select).from(table).where(isUsable))),
  /** Deletes the passkeys that an accepted invitation replaces. */
  replacePasskeys: lazy(() =>
    compile(db.delete(passkeyTable).where(sql`${passkeyTable.person} in ${personOf(isUsable)}`)),
  ),
  /** Uses an invitation, which can be used once: the passkeys of `:person` are those of the operator. */
  accept: lazy(() =>
    typed(returned, (select) =>
      db
        .update(table)
        .set({
          person: columnParam(table.person, 'person'),
          invitationHash: sql`null`,
          invitedUntil: sql`null`,
          lastUsedAt: columnParam(table.lastUsedAt, 'now'),
        })
        .where(isUsable)
        .returning(select),
    ),
  ),
  /** The operator of a passkey, and the data that verifies it. */
  findByPasskey: lazy(() =>
    typed({ id: table.id, publicKey: passkeyTable.publicKey, algorithm: passkeyTable.algorithm }, (select) =>
      db
        .select(select)
        .from(passkeyTable)
        .innerJoin(table, and(eq(table.person, passkeyTable.person), isCurrentOperator))
        .where(eq(passkeyTable.id, param('passkey'))),
    ),
  ),
  touch: lazy(() =>
    compile(
      db
        .update(table)
        .set({ lastUsedAt: columnParam(table.lastUsedAt, 'now') })
        .where(isOperator),
    ),
  ),
}
