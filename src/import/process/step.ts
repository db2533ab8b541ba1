import type { BatchOperation, BatchOptions, OperationResult } from '../../batch/operation.ts'
import { toJsonLists } from '../../batch/write/json-lists.ts'
import type { Values } from '../../db/database.ts'
import type { RowOf } from '../../db/query.ts'
import type { Write } from '../../db/transaction.ts'
import { ApiError } from '../../errors.ts'
import { nowInSeconds } from '../../lib/now.ts'
import type { Caller } from '../../resource/caller.ts'
import type { StoredImport } from '../import-view.ts'
import type { RowIssue } from '../rows/file-row.ts'
import { toStoredIssues } from '../rows/issue-rows.ts'
import { type ChunkRow, chunkRows } from '../rows/stored-rows.ts'
import { type chunkFields, chunkStatements } from '../statements/chunk-statements.ts'

/** What a step works with. */
export interface StepContext {
  caller: Caller
  stored: StoredImport
  /** Runs operations, each of which succeeds or fails alone. */
  runBatch(
    caller: Caller,
    operations: readonly BatchOperation[],
    options: Pick<BatchOptions, 'dryRun' | 'finish'>,
  ): Promise<readonly OperationResult[]>
}

export type StoredChunk = RowOf<typeof chunkFields>

/** A row with its issues; none if it is sound. */
export interface RowResult {
  row: number
  issues: readonly RowIssue[]
}

/** Parameters that all statements of a step have in common. */
export const createStepValues = ({ caller: { scope }, stored }: StepContext): Values => ({
  ...scope,
  import: stored.id,
  step: stored.step,
  now: nowInSeconds(),
})

/** The rows of a chunk at which the next step begins. */
export const getNextRows = (stored: StoredImport, chunk: StoredChunk): readonly ChunkRow[] =>
  chunkRows.parse(chunk.rows).slice(chunk.position === stored.nextChunk ? stored.nextRow : 0)

/** Where the step behind some rows of a chunk begins. */
export function getNextPosition(stored: StoredImport, chunk: StoredChunk, count: number) {
  const start = chunk.position === stored.nextChunk ? stored.nextRow : 0
  const isAtEnd = start + count >= chunkRows.parse(chunk.rows).length
  return isAtEnd ? { nextChunk: chunk.position + 1, nextRow: 0 } : { nextChunk: chunk.position, nextRow: start + count }
}

/** Statements that record the issues of rows. */
export function recordIssues(values: Values, position: number, results: readonly RowResult[]): Write {
  const issues = results.flatMap(({ row, issues }) => toStoredIssues(row, issues))
  if (issues.length === 0) return []
  return [
    ...toJsonLists(issues).map((list) => [chunkStatements.insertIssues(), { ...values, issues: list }] as const),
    [chunkStatements.markFaulty(), { ...values, position }],
  ]
}

/** Errors that depend on the rows of a step, and not on the state of the service. */
export const isOfRows = (error: unknown): error is ApiError =>
  error instanceof ApiError && !['busy', 'unavailable', 'internal', 'misconfigured'].includes(error.code)

/**
 * Runs work on rows. If a batch rejects all of them together, tries the first half, until one row is left: that one has the issue.
 * The next step continues behind the rows that the work covered.
 */
export async function runHalving<Row>(
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<void>,
  reject: (row: Row, error: ApiError) => Promise<void>,
): Promise<void> {
  try {
    await work(rows)
  } catch (error) {
    const [first] = rows
    if (!isOfRows(error) || first === undefined) throw error
    if (rows.length === 1) await reject(first, error)
    else await runHalving(rows.slice(0, Math.ceil(rows.length / 2)), work, reject)
  }
}
