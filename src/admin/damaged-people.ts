import { asc, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { allOf, lazy, param } from '../platform/db/database.ts'
import { db, typed, withRawRows } from '../platform/db/query.ts'
import { invitationTable, passkeyTable, userTable } from '../platform/db/schema/directory/users.ts'
import { createTypedPart, type DataPart, keyPattern } from './damaged-parts.ts'

/** Members whose passkeys a statement reads: a person has at most 10. */
const membersAtATime = 10

const passkeyFields = getTableColumns(passkeyTable)
const findPasskeys = lazy(() => {
  const members = db
    .select({ id: userTable.id, person: userTable.person })
    .from(userTable)
    .where(allOf(eq(userTable.merchantId, param('merchantId')), gt(userTable.id, param('after'))))
    .orderBy(asc(userTable.id))
    .limit(membersAtATime)
    .as('member')
  return typed(passkeyFields, (select) =>
    db
      .select({ ...select, member: sql`${members.id}`.as('member') })
      .from(members)
      .leftJoin(passkeyTable, eq(passkeyTable.person, members.person))
      .orderBy(asc(members.id)),
  )
})
/** Passkeys, member by member: their ids are too long for a cursor. A key is the id of a member. */
const passkeyPart: DataPart = {
  page: () => withRawRows(findPasskeys()),
  values: (after) => ({ after }),
  read({ member: _, ...row }, merchantId) {
    if (row['id'] !== null) findPasskeys().read({ ...row, merchantId })
  },
  next(rows) {
    const members = new Set(rows.map((row) => String(row['member'])))
    return members.size < membersAtATime ? undefined : [...members].findLast((key) => keyPattern.test(key))
  },
}

/** Members of a merchant, their passkeys, and invitations. All are in the directory. */
export const peopleParts: readonly DataPart[] = [
  createTypedPart(getTableColumns(userTable), eq(userTable.merchantId, param('merchantId'))),
  passkeyPart,
  createTypedPart(getTableColumns(invitationTable), eq(invitationTable.merchantId, param('merchantId'))),
]
