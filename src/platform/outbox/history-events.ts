import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { historyEventNames } from '../names.ts'

/** SQL for "not a type of event that only the history of objects shows". The types are literals, which do not count as parameters. */
export const isPublic = (type: SQLiteColumn): SQL =>
  sql`${type} not in (${sql.raw(historyEventNames.map((name) => `'${name}'`).join())})`
