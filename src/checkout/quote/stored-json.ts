import type * as z from 'zod/mini'
import { DamagedError } from '../../platform/db/damaged-rows.ts'

/** A JSON value that fits a schema. Throws `DamagedError` if it does not. */
export function parseStored<Value>(
  schema: z.ZodMiniType<Value>,
  value: unknown,
  row: { id: string; merchantId: string },
  field: { table: string; name: string },
): Value {
  const { success, data } = schema.safeParse(value)
  if (success) return data
  throw new DamagedError({ table: field.table, id: row.id, merchantId: row.merchantId, fields: [field.name] })
}
