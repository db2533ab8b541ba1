import { sql } from 'drizzle-orm'
import { param } from '../../../platform/db/database.ts'

/** SQL for the elements of the JSON list `:rows`. */
export const rows = sql`json_each(${param('rows')}) as named`

/** SQL for a member of an element of `:rows`. */
export const member = (key: string) => sql`(named.value ->> ${sql.raw(`'$.${key}'`)})`
