import { eq, type SQL } from 'drizzle-orm'
import { readRows } from '../db/damaged-rows.ts'
import { lazy, param } from '../db/database.ts'
import { cachePlatformList, directoryDatabase, findPlatformList } from '../db/home/d1-connection.ts'
import { homeFields, toCacheableHome } from '../db/home/home.ts'
import { db, type RowOf, typed, withRawRows, withRows } from '../db/query.ts'
import { homeTable } from '../db/schema/directory/homes.ts'
import { keyTable } from '../db/schema/keys.ts'
import { merchantTable, suspendedField } from '../db/schema/merchants.ts'
import type { Bindings } from '../env.ts'
import { readKeyLists } from './stored-key.ts'

const fields = {
  id: keyTable.id,
  merchantId: keyTable.merchantId,
  hash: keyTable.hash,
  testMode: keyTable.testMode,
  scopes: keyTable.scopes,
  allowedIps: keyTable.allowedIps,
  expiresAt: keyTable.expiresAt,
  lastUsedAt: keyTable.lastUsedAt,
  suspended: suspendedField,
  ...homeFields,
}
const toFoundKey = (row: RowOf<typeof fields>) => ({
  ...row,
  ...readKeyLists(row),
  suspended: row.suspended === 1,
  home: toCacheableHome(row),
})
/** Columns of a key that authentication reads. */
export type FoundKey = ReturnType<typeof toFoundKey>

const isMerchantOfKey = eq(merchantTable.id, keyTable.merchantId)
/** Selects keys with their merchants. */
export const selectKeys = (condition: SQL) =>
  withRows(
    typed(fields, (select) =>
      db
        .select(select)
        .from(keyTable)
        .innerJoin(merchantTable, isMerchantOfKey)
        .leftJoin(homeTable, eq(homeTable.merchantId, keyTable.merchantId))
        .where(condition),
    ),
    toFoundKey,
  )
const findStatement = lazy(() => selectKeys(eq(keyTable.hash, param('hash'))))

/** Finds a key by its hash, at the primary if it must be current. A damaged row is logged and treated as missing: its scopes cannot be read. */
export async function findKey(env: Bindings, hash: string, isCurrent: boolean): Promise<FoundKey | undefined> {
  const database = directoryDatabase(env)
  if (isCurrent) database.usePrimary()
  const statement = findStatement()
  const findRows = async () => {
    const [found, list] = await database.run([withRawRows(statement), { hash }], [findPlatformList(), {}])
    cachePlatformList(list)
    return found
  }
  let rows = await findRows()
  if (rows.length === 0) {
    // A replica may not have a recently created key.
    database.usePrimary()
    rows = await findRows()
  }
  return readRows(database, rows, statement.read)[0]
}
