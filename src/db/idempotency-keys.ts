/** For how long a request that comes again is answered as the first time, in seconds. */

import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ApiError } from '../errors.ts'
import { ConstraintError, compile, lazy, param, type Statement, type Values } from './database.ts'

export const replaySeconds = 86400

/**
 * Requests that were answered, so that they have their effect once. `seq` counts up with time. The key is kept as a hash over its
 * scope, the answer sealed with the key and the body: whoever reads the table learns neither.
 */
export const idempotencyKeyTable = sqliteTable(
  'idempotency_keys',
  {
    seq: integer().primaryKey(),
    id: text().notNull(),
    /** In seconds. */
    at: integer().notNull(),
    answer: text().notNull(),
    /** Rows that the change wrote, which the answer may tell. */
    count: integer().notNull(),
  },
  (table) => [uniqueIndex('idempotency_keys_id').on(table.id)],
)

export const idempotencyStatements = {
  deleteExpired: lazy(() =>
    compile(sql`delete from idempotency_keys where id = ${param('id')} and at <= ${param('before')}`),
  ),
  store: lazy(() =>
    compile(sql`
      insert into idempotency_keys (id, at, answer, count)
      select ${param('id')}, ${param('now')}, ${param('answer')}, changes() where ${param('always')} or changes() > 0
      returning 1 as kept`),
  ),
  find: lazy(() =>
    compile(sql`select answer, count from idempotency_keys where id = ${param('id')} and at > ${param('before')}`),
  ),
}

/** Stands in an answer, in no place where JSON could have it, for the number of rows that the change has written. */
export const rowCountMark = '\0'

/** What a request with an `Idempotency-Key` writes in the transaction of its change. */
export interface IdempotencyRecord {
  /** Goes first: a key of more than a day ago is a new one. */
  deleteExpired: readonly [Statement, Values]
  /** Goes behind the change, and keeps the answer if that has written anything, or `always`. Returns a row if it has. */
  store(answer: Response, always?: boolean): Promise<readonly [Statement, Values]>
  /** Whether the answer was kept. */
  isStored: boolean
}
export const isKeyInUseError = (error: unknown) =>
  error instanceof ConstraintError && error.subject === 'idempotency_keys.id'
export const keyInUseError = () =>
  new ApiError('idempotency_key_in_use', 'A request with this Idempotency-Key has just been made. Ask again.')
