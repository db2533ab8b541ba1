import { getTableName } from 'drizzle-orm'
import * as z from 'zod/mini'
import { DamagedError } from '../db/damaged-rows.ts'
import { keyTable } from '../db/schema/keys.ts'

const scopeList = z.optional(z.array(z.string()))

/** The scopes of a stored key; undefined means `defaultScopes`. Throws `DamagedError` if the value is not a list of strings. */
export function getStoredScopes({
  id,
  merchantId,
  scopes,
}: Pick<typeof keyTable.$inferSelect, 'id' | 'merchantId' | 'scopes'>) {
  const { success, data } = scopeList.safeParse(scopes ?? undefined)
  if (success) return data
  throw new DamagedError({ table: getTableName(keyTable), id, merchantId, fields: ['scopes'] })
}
