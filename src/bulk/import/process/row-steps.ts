import { setStock } from '../../../checkout/stock/set-stock.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { recordChanges } from '../../../platform/outbox/change-sets.ts'
import type { OperationResult } from '../../batch/operation.ts'
import { findImportSet } from '../import-view.ts'
import { isNotice } from '../rows/file-row.ts'
import { isResourcePath } from '../rows/imported-resource.ts'
import { type ChunkRow, createStoredRowReader } from '../rows/stored-rows.ts'
import { chunkStatements } from '../statements/chunk-statements.ts'
import { importStatements } from '../statements/import-statements.ts'
import { listCounts } from './counters.ts'
import { joinDetails } from './details-steps.ts'
import type { ReadRow } from './find-targets.ts'
import {
  createStepValues,
  getNextPosition,
  getNextRows,
  type RowResult,
  recordIssues,
  runHalving,
  type StepContext,
  type StoredChunk,
} from './import-step.ts'
import { mapKeptOptions } from './kept-options.ts'
import { prepareRows } from './prepare-rows.ts'
import {
  addOutcomes,
  countOutcomes,
  mapDetailedRows,
  mapObjects,
  mapOwnIds,
  mapSelected,
  type RowOperation,
} from './row-outcomes.ts'
import { locateIssue, toIssues } from './to-issues.ts'

/** Reads rows as they are stored, and the issues and notices that need no database. */
export function readStoredLines({ stored }: StepContext, rows: readonly ChunkRow[]) {
  const read = createStoredRowReader(stored)
  const sound: ReadRow[] = []
  const faulty: RowResult[] = []
  const noticed: RowResult[] = []
  const unusable: ReadRow[] = []
  for (const { row, raw, issue, copy } of rows) {
    const line = read(raw)
    if (line.kind !== 'object') continue
    const issues = [...(issue ? [issue] : []), ...line.object.issues, ...(line.object.valueIssues ?? [])]
    const result = { row, issues: issues.map((each) => locateIssue(stored.format, each)) }
    const isSound = issues.every(isNotice)
    const target = isSound ? sound : unusable
    target.push({ row, object: line.object, copy })
    if (!isSound) faulty.push(result)
    else if (issues.length > 0) noticed.push(result)
  }
  return { sound, faulty, noticed, unusable }
}

/** Prepares rows and runs them as a batch. Returns the rows in the order of the batch, and the rows outside it. */
export async function prepare(context: StepContext, chunk: StoredChunk, rows: readonly ReadRow[], isCheck: boolean) {
  const { caller, stored } = context
  const prepared = isResourcePath(chunk.resource)
    ? await prepareRows(caller, stored, chunk.resource, rows, isCheck)
    : []
  const operations = prepared.filter((row) => row.issue === undefined)
  const rejected: RowResult[] = prepared.flatMap(({ row, issue }) => (issue ? [{ row, issues: [issue] }] : []))
  return { operations, rejected }
}

/** The rows that the batch rejected, with the issues of their cells. */
export const toRowResults = (
  { stored }: StepContext,
  operations: readonly RowOperation[],
  results: readonly OperationResult[],
): RowResult[] =>
  results.flatMap(({ index, problem }) => {
    const operation = operations[index]
    return operation && problem
      ? [{ row: operation.row, issues: toIssues(stored.format, problem, operation.body) }]
      : []
  })

/** Adds rows whose only change is the stock to the change set, which the batch does not know as changes. */
function recordCounted(
  { caller, stored }: StepContext,
  results: readonly OperationResult[],
  counted: ReadonlySet<number>,
) {
  const changeSet = findImportSet(stored)
  const only = results.filter(({ index, outcome }) => outcome === 'unchanged' && counted.has(index)).length
  return changeSet && only > 0 ? recordChanges(caller, changeSet, { updated: only }, nowInSeconds()) : []
}

/** Applies the next rows without issues. Rows and progress are written in one transaction. Returns their number. */
export function applyRows(context: StepContext, chunk: StoredChunk): Promise<number> {
  const { caller, stored, runBatch } = context
  const { database, scope } = caller
  const record = (
    failures: number,
    count: number,
    faulty: readonly RowResult[],
    counts: ReturnType<typeof countOutcomes>,
    hasDetails = false,
  ) => {
    const values = createStepValues(context, failures)
    return [
      [
        importStatements.advanceApply(),
        {
          ...values,
          ...getNextPosition(stored, chunk, count),
          ...counts,
          outcomes: addOutcomes(stored, chunk.resource, counts),
          deleted: 0,
          failed: faulty.length,
          deleting: false,
          hasDetails,
        },
      ],
      ...recordIssues(context, values, chunk.position, faulty),
    ] as const
  }
  const apply = async (rows: readonly ChunkRow[], failures: number) => {
    const numbers = rows.map(({ row }) => row)
    const range = { firstRow: Math.min(...numbers), lastRow: Math.max(...numbers) }
    const [known] = await database.run([chunkStatements.findFaultyRows(), { ...scope, import: stored.id, ...range }])
    const knownRows = new Set(known.map(({ row }) => row))
    // A release may be unable to read rows that an earlier release checked without issues.
    const { sound, faulty: unreadable } = readStoredLines(
      context,
      rows.filter(({ row }) => !knownRows.has(row)),
    )
    const { operations: selected, rejected } = await prepare(context, chunk, sound, false)
    const kept = selected.filter((operation) => operation.kept !== undefined)
    const changing = selected.filter((operation) => operation.kept === undefined)
    const operations = await joinDetails(context, chunk.resource, changing)
    const keptIds = kept.flatMap(({ object, kept: id }) =>
      object.id && id && id !== object.id ? [[object.id, id]] : [],
    )
    const keptOptions = await mapKeptOptions(
      caller,
      chunk.resource,
      kept.flatMap(({ kept: id, body }) => (id ? [{ id, body }] : [])),
    )
    const batch = operations.map(({ operation }) => operation)
    const hasDetails = operations.some(({ object, operation }) => object.details !== undefined && !operation.details)
    const finish = (results: readonly OperationResult[]) => {
      const faulty = [...unreadable, ...rejected, ...toRowResults(context, operations, results)]
      const counts = listCounts(stored, operations, results)
      const counted = new Set(counts.map(({ index }) => index))
      const objectIds = {
        ...Object.fromEntries(keptIds),
        ...keptOptions,
        ...mapOwnIds(operations, results),
        ...mapSelected(stored, operations, results),
        ...mapDetailedRows(operations, results),
      }
      return [
        ...setStock(caller, counts),
        ...recordCounted(context, results, counted),
        ...record(
          failures,
          rows.length,
          faulty,
          countOutcomes(results, kept.length, (index) => counted.has(index)),
          hasDetails,
        ),
        ...mapObjects(context, chunk, objectIds),
      ]
    }
    if (batch.length === 0) await database.run(...finish([]))
    else await runBatch(caller, batch, { finish })
  }
  return runHalving(
    stored,
    getNextRows(context, chunk),
    apply,
    async ({ row }, { code, message, issues }, failures) => {
      const found = issues.length > 0 ? issues : [{ code, message }]
      await database.run(...record(failures, 1, [{ row, issues: found }], countOutcomes([])))
    },
  )
}
