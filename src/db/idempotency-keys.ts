/** For how long a request that comes again is answered as the first time, in seconds. */

import { sql } from 'drizzle-orm'
import { ApiError } from '../errors.ts'
import { ConstraintError, compile, lazy, param, type Statement, type Values } from './database.ts'

export const replaySeconds = 86400

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
