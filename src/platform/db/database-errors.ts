import { getTableName } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { ApiError, MissingMigrationError, UnavailableError } from '../errors.ts'
import { sqlName } from './sql-name.ts'

/** A constraint that a write violated. */
export class ConstraintError extends Error {
  readonly kind: 'unique' | 'not_null' | 'foreign_key' | 'check'
  /** For unique and not null: `table.column`, several separated by commas. For a check: the name of the constraint. */
  readonly subject: string

  constructor(kind: ConstraintError['kind'], subject: string) {
    super(`${kind} constraint on ${subject}`)
    this.kind = kind
    this.subject = subject
  }
}

/** The data is at another home, or about to move there. The caller looks up the home again. */
export class MovedError extends Error {}

/** The subject of a `ConstraintError` of a column's unique or not null constraint. */
export const getConstraintSubject = (column: SQLiteColumn) => `${getTableName(column.table)}.${sqlName(column.name)}`

const constraintKinds = {
  UNIQUE: 'unique',
  'NOT NULL': 'not_null',
  'FOREIGN KEY': 'foreign_key',
  CHECK: 'check',
} as const

/** D1's messages for statements that always fail. All other errors may be temporary. */
const statementError = /SQLITE_(?:ERROR|MISMATCH|TOOBIG|RANGE|MISUSE|AUTH|CONSTRAINT)|D1_TYPE_ERROR/

/** D1's messages for a table or column that a missing migration adds. */
const schemaGap = /no such (?:table|column): |has no column named /

/** Messages of D1 and of Durable Objects in an outage, a deployment or an overload. */
const outage =
  /SQLITE_(?:BUSY|LOCKED|NOMEM|IOERR|FULL)|network connection lost|is overloaded|too many requests queued|was reset|object to be reset|reset because|exceeded timeout|no response within|transient issue|internal error|client disconnected|failed to parse body/i

/** Whether an error is temporary: the statement and its values did not cause it. */
export const isOutage = (error: unknown): boolean =>
  error instanceof MovedError || error instanceof MissingMigrationError || outage.test(String(error))

/** Whether a transaction that failed with this error may have been committed, because its response was lost. */
export const isUncertain = (error: unknown) => error instanceof UnavailableError

/** Converts an error of D1: constraints, missing migrations, temporary failures. Returns other errors unchanged. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  const message = error instanceof Error ? error.message : String(error)
  for (const [text, kind] of Object.entries(constraintKinds)) {
    const found = message.match(new RegExp(`${text} constraint failed:? ?([\\w., ]*)`))
    if (found) return new ConstraintError(kind, found[1] ?? '')
  }
  if (schemaGap.test(message)) return new MissingMigrationError(message, { cause: error })
  return statementError.test(message) ? error : new UnavailableError(message, { cause: error })
}
