import { and, eq, gt, lte, sql } from 'drizzle-orm'
import { ApiError } from '../errors.ts'
import { compile, lazy, param, type Statement, type Values } from './database.ts'
import { ConstraintError, getConstraintSubject } from './database-errors.ts'
import { db, insertSelect, selectList, typed } from './query.ts'
import { idempotencyKeyTable as table } from './schema/idempotency-keys.ts'

/** How long the service returns the stored response to a repeated request, in seconds. */
export const replaySeconds = 86_400

const stored = { kept: sql<number>`1` }

export const idempotencyStatements = {
  deleteExpired: lazy(() =>
    compile(db.delete(table).where(and(eq(table.id, param('id')), lte(table.at, param('before'))))),
  ),
  store: lazy(() => {
    const insert = insertSelect(
      table,
      { id: param('id'), at: param('now'), answer: param('answer'), count: sql`changes()` },
      sql`where ${param('always')} or changes() > 0`,
    )
    return typed(stored, () => sql`${insert} returning ${selectList(stored)}`)
  }),
  find: lazy(() =>
    typed({ answer: table.answer, count: table.count }, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(eq(table.id, param('id')), gt(table.at, param('before')))),
    ),
  ),
}

/** Placeholder in a stored response for the number of rows that the change wrote. JSON never contains it. */
export const rowCountMark = '\0'

/** What a request with an `Idempotency-Key` writes in the transaction of its change. */
export interface IdempotencyRecord {
  /** First statement of the transaction: an expired key counts as a new one. */
  deleteExpired: readonly [Statement, Values]
  /**
   * Statement behind the change. Stores the response if the change wrote a row, or `always`, and then returns a row.
   */
  store(answer: Response, always?: boolean): Promise<readonly [Statement, Values]>
  isStored: boolean
}

/** Another request stored a response under the same key meanwhile. */
export const isKeyInUseError = (error: unknown) =>
  error instanceof ConstraintError && error.subject === getConstraintSubject(table.id)
export const keyInUseError = () =>
  new ApiError('idempotency_key_in_use', 'Another request with this Idempotency-Key was made at the same time. Retry.')
