import { sql } from 'drizzle-orm'
import { lazy } from '../database.ts'
import { db, type RowOf, typed } from '../query.ts'
import { furtherNotice } from '../schema/availability.ts'
import { serviceStateTable as table } from '../schema/checkout/service-states.ts'
import { isInScope } from '../scope.ts'

const fields = { pausedUntil: table.pausedUntil, message: table.message, prepMinutes: table.prepMinutes }
export type ServiceStateRow = RowOf<typeof fields>

/** Reads whether the venue `:merchantId` takes orders in the mode `:testMode`. A venue that was never paused has no row. */
export const findServiceState = lazy(() =>
  typed(fields, (select) => db.select(select).from(table).where(isInScope(table))),
)

/** SQL for the state as JSON: an object with the fields of a row. */
export const serviceStateJson = sql`(select json_object('pausedUntil', ${table.pausedUntil}, 'message', ${table.message},
  'prepMinutes', ${table.prepMinutes}) from ${table} where ${isInScope(table)})`

/** A pause: its first second without effect, which is absent for a pause without an end, and what guests read. */
interface Pause {
  until?: number
  message?: string
}

/** The pause at a time in seconds. Undefined if the venue is not paused then. */
export function getPause(
  row: Pick<ServiceStateRow, 'pausedUntil' | 'message'> | undefined,
  at: number,
): Pause | undefined {
  if (!row || row.pausedUntil === null || row.pausedUntil <= at) return undefined
  return {
    ...(row.pausedUntil !== furtherNotice && { until: row.pausedUntil }),
    ...(row.message !== null && { message: row.message }),
  }
}
