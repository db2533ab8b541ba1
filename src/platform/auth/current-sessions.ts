import { and, gt, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { databaseNow } from '../db/database.ts'
import { sessionSeconds } from './console-session.ts'

const ago = (seconds: number) => sql`${databaseNow} - ${sql.raw(String(seconds))}`

/** Selects the sessions of a table that have not expired. */
export const isCurrent = (table: { createdAt: SQLiteColumn; lastUsedAt: SQLiteColumn }) =>
  and(gt(table.createdAt, ago(sessionSeconds.total)), gt(table.lastUsedAt, ago(sessionSeconds.idle)))
