import { sql } from 'drizzle-orm'
import type { ObjectSource } from '../../../catalogue/resource/statements/row-writes.ts'
import { param, type Statement, type Values } from '../../../platform/db/database.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { toJsonLists } from '../../../platform/lib/encoding/json-lists.ts'

/** SQL for the elements of the JSON list `:rows`. */
export const rows = sql`json_each(${param('rows')}) as named`

/** SQL for a member of an element of `:rows`. */
export const member = (key: string) => sql`(named.value ->> ${sql.raw(`'$.${key}'`)})`

/** One statement for each JSON list of the rows. Empty without rows. */
export const forRows = (statement: () => Statement, values: Values, elements: readonly unknown[]): Write =>
  elements.length === 0 ? [] : toJsonLists(elements).map((list) => [statement(), { ...values, rows: list }])

/** The objects of the JSON list `:rows`. */
export const listedObjects: ObjectSource = {
  from: (table) => sql`${rows} cross join ${table}`,
  member,
  targets: sql`named.value -> '$.targets'`,
  bind: forRows,
}
