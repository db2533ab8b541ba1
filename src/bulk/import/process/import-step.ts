import type { Caller } from '../../../catalogue/resource/caller.ts'
import type { Values } from '../../../platform/db/database.ts'
import { ConstraintError, isOutage } from '../../../platform/db/database-errors.ts'
import { WaitingError } from '../../../platform/db/home/merchant-connection.ts'
import type { RowOf } from '../../../platform/db/query.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { ApiError } from '../../../platform/errors.ts'
import { toJsonLists } from '../../../platform/lib/encoding/json-lists.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import type { BatchOperation, BatchOptions, OperationResult } from '../../batch/operation.ts'
import { readStoredReading } from '../auto/stored-reading.ts'
import { failureLimits } from '../import-limits.ts'
import type { StoredImport } from '../import-view.ts'
import { isNotice, type RowIssue } from '../rows/file-row.ts'
import { toStoredIssues } from '../rows/issue-rows.ts'
import { chunkRows } from '../rows/stored-rows.ts'
import { type chunkFields, chunkStatements } from '../statements/chunk-statements.ts'
import { stepConstraint } from '../statements/import-statements.ts'

/** Context of a step. */
export interface StepContext {
  caller: Caller
  stored: StoredImport
  /** Maximum number of rows of the step. It is small while other requests change the same objects. */
  maxRows: number
  /** Runs operations, each of which succeeds or fails alone. Throws `precondition_failed` if an object changed since it was read. */
  runBatch(
    caller: Caller,
    operations: readonly BatchOperation[],
    options: Pick<BatchOptions, 'dryRun' | 'finish'>,
  ): Promise<readonly OperationResult[]>
  /** Called with the ids of tags whose details changed. */
  onTagDetails(ids: readonly string[]): Promise<void>
}

export type StoredChunk = RowOf<typeof chunkFields>

/** A row with its issues and notices. It is valid if it has no issues. */
export interface RowResult {
  row: number
  issues: readonly RowIssue[]
}

/** Parameters that all statements of a step have in common. A step that gave up a row keeps the number of failures. */
export const createStepValues = ({ caller: { scope }, stored }: StepContext, failures = 0): Values => ({
  ...scope,
  import: stored.id,
  step: stored.step,
  failures,
  now: nowInSeconds(),
})

/** The rows of a chunk for the next step. */
export function getNextRows({ stored, maxRows }: Pick<StepContext, 'stored' | 'maxRows'>, chunk: StoredChunk) {
  const start = chunk.position === stored.nextChunk ? stored.nextRow : 0
  return chunkRows.parse(chunk.rows).slice(start, start + maxRows)
}

/** Start of the step after some rows of a chunk. */
export function getNextPosition(stored: StoredImport, chunk: StoredChunk, count: number) {
  const start = chunk.position === stored.nextChunk ? stored.nextRow : 0
  const isAtEnd = start + count >= chunkRows.parse(chunk.rows).length
  return isAtEnd ? { nextChunk: chunk.position + 1, nextRow: 0 } : { nextChunk: chunk.position, nextRow: start + count }
}

/** Names columns of a mapped table as the file does: an issue of a field is in the column that became the field. */
function createColumnNames({ format, reading }: StoredImport): (issue: RowIssue) => RowIssue {
  const columns = format === 'csv' ? (readStoredReading(reading)?.columns ?? []) : []
  const headings = new Set(columns.map(({ name }) => name))
  const byField = new Map(columns.toReversed().flatMap(({ to, name }) => (to === null ? [] : [[to, name] as const])))
  return (issue) => {
    const { column } = issue
    if (column === undefined || headings.has(column)) return issue
    return { ...issue, column: byField.get(column) ?? column }
  }
}

/** Statements that record the issues and notices of rows. */
export function recordIssues(
  { stored }: Pick<StepContext, 'stored'>,
  values: Values,
  position: number,
  results: readonly RowResult[],
): Write {
  const named = createColumnNames(stored)
  const issues = results.flatMap(({ row, issues }) => toStoredIssues(row, issues.map(named)))
  if (issues.length === 0) return []
  const lists = toJsonLists(issues).map(
    (list) => [chunkStatements.insertIssues(), { ...values, issues: list }] as const,
  )
  const isFaulty = results.some(({ issues }) => !issues.every(isNotice))
  return isFaulty ? [...lists, [chunkStatements.markFaulty(), { ...values, position }]] : lists
}

/** Whether an object changed between the reads of a step. The step is repeated. */
export const isChangedMeanwhile = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'precondition_failed'

/** Whether other requests change the objects of a step again and again. It is repeated with fewer rows. A move or a restore does not depend on them. */
export const isContended = (error: unknown): boolean =>
  isChangedMeanwhile(error) || (error instanceof ApiError && error.code === 'busy' && !(error instanceof WaitingError))

const temporaryCodes: readonly string[] = ['busy', 'unavailable', 'misconfigured', 'precondition_failed']

/** Errors that depend on the rows of a step, and not on the state of the service. */
const isOfRows = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code !== 'internal' && !isTemporary(error)

/** Whether a step was undone because another message made it, or because the import was cancelled or waits for another import. */
export const isOutdated = (error: unknown) => error instanceof ConstraintError && error.subject === stepConstraint

/** Errors that do not count as failures of a step: an outage never rejects a row and never ends an import. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ApiError ? temporaryCodes.includes(error.code) : isOutdated(error) || isOutage(error)

/** Whether the next step has failed long enough to give up rows. */
export const isGivingUp = ({ failures }: StoredImport): boolean => failures >= failureLimits.count

const givenUp = () =>
  new ApiError('internal', 'could not be imported because of an error of the service; upload it again later')
const changedAgain = () =>
  new ApiError('conflict', 'was changed by others for as long as the import tried; upload it again later')

/** The error for which a row gets an issue. Undefined if the step is repeated instead. */
export function toRowError(stored: StoredImport, error: unknown): ApiError | undefined {
  if (isOfRows(error)) return error
  if (!isGivingUp(stored)) return undefined
  if (isChangedMeanwhile(error)) return changedAgain()
  return isTemporary(error) ? undefined : givenUp()
}

/** The number of failures to store with a step that continues after an error. An error of the rows themselves does not change it. */
export const keepFailures = (stored: StoredImport, error: unknown, failures: number): number =>
  isOfRows(error) ? failures : stored.failures

/**
 * Runs work on rows. If a batch rejects all of them, tries the first half, until one row is left, which gets the issue. An import that gives up rows
 * also does this for every error that is not temporary. The next step continues after the rows that the work covered. Returns their number.
 */
export async function runHalving<Row>(
  stored: StoredImport,
  rows: readonly Row[],
  work: (rows: readonly Row[], failures: number) => Promise<void>,
  reject: (row: Row, error: ApiError, failures: number) => Promise<void>,
  failures = 0,
): Promise<number> {
  try {
    await work(rows, failures)
    return rows.length
  } catch (error) {
    const [first] = rows
    const rowError = toRowError(stored, error)
    if (!rowError || first === undefined) throw error
    const kept = keepFailures(stored, error, failures)
    if (rows.length > 1) return runHalving(stored, rows.slice(0, Math.ceil(rows.length / 2)), work, reject, kept)
    await reject(first, rowError, kept)
    return 1
  }
}
