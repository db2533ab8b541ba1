import { and, count, eq, gt, inArray, ne, notExists, or, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../../../platform/db/database.ts'
import { columnParam, db, type RowOf, typed } from '../../../platform/db/query.ts'
import { passkeyTable, userTable as table } from '../../../platform/db/schema/directory/users.ts'
import { createPageStatements } from '../../../platform/http/keyset-list.ts'

const passkeys = db.select({ total: count() }).from(passkeyTable).where(eq(passkeyTable.person, table.person))
/** Columns that are read of a member. */
const memberFields = {
  id: table.id,
  merchantId: table.merchantId,
  name: table.name,
  role: table.role,
  passkeys: sql<number>`${passkeys}`,
  createdAt: table.createdAt,
  lastUsedAt: table.lastUsedAt,
}
export type StoredMember = RowOf<typeof memberFields>

const isOfMerchant = eq(table.merchantId, param('merchantId'))
const isMember = and(isOfMerchant, eq(table.id, param('id')))
const owners = db
  .select({ total: count() })
  .from(table)
  .where(and(isOfMerchant, eq(table.role, 'owner')))
/** A change that leaves the merchant with an owner. */
const keepsAnOwner = or(ne(table.role, 'owner'), gt(sql`(${owners})`, 1))
/** Whether the role is still the one that was read. */
const isAsRead = and(isMember, eq(table.role, columnParam(table.role, 'expected')))
const isRemovable = and(isAsRead, keepsAnOwner)
const returned = { id: table.id }

export const memberStatements = {
  list: createPageStatements(memberFields, isOfMerchant),
  find: lazy(() => typed(memberFields, (select) => db.select(select).from(table).where(isMember))),
  /** Changes a member whose role is still the one that was read. */
  update: lazy(() =>
    typed(returned, (select) =>
      db
        .update(table)
        .set({ role: columnParam(table.role, 'role'), name: columnParam(table.name, 'name') })
        .where(and(isAsRead, or(sql`${param('role')} = 'owner'`, keepsAnOwner)))
        .returning(select),
    ),
  ),
  /** Deletes the passkeys of a person without other memberships. The condition is that of `remove`. */
  removePasskeys: lazy(() => {
    const persons = db.select({ person: table.person }).from(table).where(isRemovable)
    const others = db
      .select({ one: sql`1` })
      .from(table)
      .where(and(eq(table.person, passkeyTable.person), ne(table.id, param('id'))))
    return compile(db.delete(passkeyTable).where(and(inArray(passkeyTable.person, persons), notExists(others))))
  }),
  /** Sessions of the member are deleted with the row. */
  remove: lazy(() => typed(returned, (select) => db.delete(table).where(isRemovable).returning(select))),
}
