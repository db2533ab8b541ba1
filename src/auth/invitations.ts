import { and, eq, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../db/database.ts'
import { db } from '../db/query.ts'
import { invitationTable as table } from '../db/schema/directory/users.ts'

const isOfCreator = and(eq(table.merchantId, param('merchantId')), eq(table.createdBy, param('creator')))

/** Revokes the invitations of a key or a member, if the previous statement of the transaction wrote a row. */
export const revokeInvitations = lazy(() => compile(db.delete(table).where(and(isOfCreator, sql`changes() > 0`))))
