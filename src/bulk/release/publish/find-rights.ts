import { and, eq, sql } from 'drizzle-orm'
import { roleScopes } from '../../../platform/auth/roles.ts'
import { getStoredScopes } from '../../../platform/auth/stored-key.ts'
import { databaseNow, lazy, param } from '../../../platform/db/database.ts'
import { directoryDatabase } from '../../../platform/db/home/d1-connection.ts'
import { db, typed } from '../../../platform/db/query.ts'
import { userTable } from '../../../platform/db/schema/directory/users.ts'
import { keyTable } from '../../../platform/db/schema/keys.ts'
import { merchantTable, suspendedField } from '../../../platform/db/schema/merchants.ts'
import type { Bindings } from '../../../platform/env.ts'

const keyFields = { id: keyTable.id, merchantId: keyTable.merchantId, scopes: keyTable.scopes }
const statements = {
  key: lazy(() =>
    typed(keyFields, (select) =>
      db
        .select(select)
        .from(keyTable)
        .where(
          and(
            eq(keyTable.id, param('actor')),
            eq(keyTable.merchantId, param('merchantId')),
            sql`coalesce(${keyTable.expiresAt}, ${databaseNow} + 1) > ${databaseNow}`,
          ),
        ),
    ),
  ),
  member: lazy(() =>
    typed({ role: userTable.role }, (select) =>
      db
        .select(select)
        .from(userTable)
        .where(and(eq(userTable.id, param('actor')), eq(userTable.merchantId, param('merchantId')))),
    ),
  ),
  merchant: lazy(() =>
    typed({ suspended: suspendedField }, (select) =>
      db
        .select(select)
        .from(merchantTable)
        .where(eq(merchantTable.id, param('merchantId'))),
    ),
  ),
}

/** Rights of a key or a member at present. */
interface PresentRights {
  /** The merchant is suspended or closed. */
  isSuspended: boolean
  /** Whether the key or the member still exists. */
  exists: boolean
  /** Undefined means `defaultScopes`. */
  scopes: readonly string[] | undefined
}

/** Reads what a key or a member may do now, in the directory. */
export async function findRights(env: Bindings, merchantId: string, actor: string): Promise<PresentRights> {
  const database = directoryDatabase(env)
  database.usePrimary()
  const values = { merchantId, actor }
  const [[key], [member], [merchant]] = await database.run(
    [statements.key(), values],
    [statements.member(), values],
    [statements.merchant(), values],
  )
  return {
    isSuspended: merchant?.suspended !== 0,
    exists: key !== undefined || member !== undefined,
    scopes: key ? getStoredScopes(key) : member && roleScopes[member.role],
  }
}
