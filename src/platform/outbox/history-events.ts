import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { historyEventNames } from '../names.ts'

/**
 * SQL for "not a type of event that only the history of objects shows". The types are literals, which do not count as parameters, and compared one
 * by one: D1 counts each search in a list as another row read.
 */
export const isPublic = (type: SQLiteColumn): SQL =>
  sql.join(
    historyEventNames.map((name) => sql`${type} <> ${sql.raw(`'${name}'`)}`),
    sql` and `,
  )
