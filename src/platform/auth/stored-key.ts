import { getTableName } from 'drizzle-orm'
import * as z from 'zod/mini'
import { DamagedError } from '../db/damaged-rows.ts'
import { keyTable } from '../db/schema/keys.ts'

const list = z.optional(z.array(z.string()))
type Stored = typeof keyTable.$inferSelect

function readList(
  { id, merchantId }: Pick<Stored, 'id' | 'merchantId'>,
  field: 'scopes' | 'allowedIps',
  value: unknown,
) {
  const { success, data } = list.safeParse(value ?? undefined)
  if (success) return data
  throw new DamagedError({ table: getTableName(keyTable), id, merchantId, fields: [field] })
}

/** The scopes of a stored key; undefined means `defaultScopes`. Throws `DamagedError` if the value is not a list of strings. */
export const getStoredScopes = (key: Pick<Stored, 'id' | 'merchantId' | 'scopes'>) =>
  readList(key, 'scopes', key.scopes)

/** The scopes of a stored key, and the addresses to which it is limited; undefined means all. Throws `DamagedError`. */
export const readKeyLists = (key: Pick<Stored, 'id' | 'merchantId' | 'scopes' | 'allowedIps'>) => ({
  scopes: getStoredScopes(key),
  allowedIps: readList(key, 'allowedIps', key.allowedIps),
})
