import { and, eq, gt, sql } from 'drizzle-orm'
import { allOf, compile, databaseNow, lazy, param } from '../../../platform/db/database.ts'
import { columnParam, db, insertSelect, selectList, typed } from '../../../platform/db/query.ts'
import { invitationTable as table, userTable } from '../../../platform/db/schema/directory/users.ts'
import { merchantTable, suspendedField } from '../../../platform/db/schema/merchants.ts'
import { createPageStatements } from '../../../platform/http/keyset-list.ts'
import { createIdRetention } from '../../../platform/purge-statements.ts'

/** Lifetime of an invitation, in seconds: 14 days. */
export const invitationSeconds = 1_209_600
/** Maximum numbers of members and of open invitations of a merchant. */
export const maxMembers = 200
export const maxInvitations = 50

/** Columns that are read of an invitation. */
const invitationFields = {
  id: table.id,
  role: table.role,
  name: table.name,
  createdBy: table.createdBy,
  createdAt: table.createdAt,
  expiresAt: table.expiresAt,
}

const isOpen = gt(table.expiresAt, databaseNow)
const isOfMerchant = eq(table.merchantId, param('merchantId'))
const isUsable = and(eq(table.hash, param('invitation')), isOpen)
const count = { total: sql<number>`count(*)` }
const members = sql`(select count(*) from ${userTable} where ${userTable.merchantId} = ${table.merchantId})`
const returned = { id: userTable.id }

export const invitationStatements = {
  insert: lazy(() =>
    typed(returned, () =>
      insertSelect(
        table,
        {
          id: param('id'),
          merchantId: param('merchantId'),
          hash: param('hash'),
          role: columnParam(table.role, 'role'),
          name: param('name'),
          createdBy: param('createdBy'),
          createdAt: columnParam(table.createdAt, 'now'),
          expiresAt: columnParam(table.expiresAt, 'expiresAt'),
        },
        sql`where (${db.select(count).from(table).where(and(isOfMerchant, isOpen))}) < ${maxInvitations} returning id`,
      ),
    ),
  ),
  remove: lazy(() =>
    typed(invitationFields, (select) =>
      db
        .delete(table)
        .where(and(isOfMerchant, eq(table.id, param('id')), isOpen))
        .returning(select),
    ),
  ),
  list: createPageStatements(invitationFields, allOf(isOfMerchant, isOpen)),
  /** The invitation of an unused token. */
  find: lazy(() =>
    typed(
      {
        merchantId: table.merchantId,
        role: table.role,
        expiresAt: table.expiresAt,
        venue: merchantTable.name,
        name: table.name,
        suspended: suspendedField,
        members: sql<number>`${members}`,
      },
      (select) =>
        db.select(select).from(table).innerJoin(merchantTable, eq(merchantTable.id, table.merchantId)).where(isUsable),
    ),
  ),
  /** Inserts the member of an unused invitation, if the previous statement of the transaction wrote a row. */
  accept: lazy(() =>
    typed(returned, () =>
      insertSelect(
        userTable,
        {
          id: param('userId'),
          merchantId: table.merchantId,
          person: param('person'),
          role: table.role,
          name: param('name'),
          createdAt: columnParam(userTable.createdAt, 'now'),
          lastUsedAt: columnParam(userTable.lastUsedAt, 'now'),
        },
        sql`from ${table} where changes() > 0 and ${isUsable} and ${members} < ${maxMembers} returning ${selectList(returned)}`,
      ),
    ),
  ),
  /** Deletes an invitation, which can be used once, if the previous statement of the transaction wrote a row. */
  use: lazy(() => compile(db.delete(table).where(and(eq(table.hash, param('invitation')), sql`changes() > 0`)))),
}

/** The fields of an invitation in responses. */
export const toInvitation = <Invitation extends { name: string | null }>({ name, ...invitation }: Invitation) => ({
  ...invitation,
  ...(name !== null && { name }),
})

export const invitationRetention = createIdRetention(table)
