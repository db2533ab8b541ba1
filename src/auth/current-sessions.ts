import { and, gt } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { param } from '../db/database.ts'
import { sessionSeconds } from './sessions.ts'

/** Selects the sessions of a table that have not expired. */
export const isCurrent = (table: { createdAt: SQLiteColumn; lastUsedAt: SQLiteColumn }) =>
  and(gt(table.createdAt, param('startedAfter')), gt(table.lastUsedAt, param('usedAfter')))

/** Parameters for `isCurrent`. */
export const currentSince = (now: number) => ({
  startedAfter: now - sessionSeconds.total,
  usedAfter: now - sessionSeconds.idle,
})
