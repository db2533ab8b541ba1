import { setStock } from '../../../checkout/stock/set-stock.ts'
import type { OperationResult } from '../../batch/operation.ts'
import { readPlanned } from '../import-view.ts'
import { isResourcePath } from '../rows/imported-resource.ts'
import { type ChunkRow, createStoredRowReader } from '../rows/stored-rows.ts'
import { chunkStatements } from '../statements/chunk-statements.ts'
import { importStatements } from '../statements/import-statements.ts'
import { addDifferences, type Difference, listCounts } from './counters.ts'
import { checkDetails } from './details-steps.ts'
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
  addPlanned,
  countOutcomes,
  listChanging,
  mapDetailedRows,
  mapObjects,
  mapOwnIds,
  type RowOperation,
} from './row-outcomes.ts'
import { locateIssue, toIssues } from './to-issues.ts'

/** Reads rows as they are stored, and the issues that need no database. */
function readRows({ stored }: StepContext, rows: readonly ChunkRow[]) {
  const read = createStoredRowReader(stored)
  const sound: ReadRow[] = []
  const faulty: RowResult[] = []
  for (const { row, raw, issue, copy } of rows) {
    const line = read(raw)
    if (line.kind !== 'object') continue
    const issues = [...(issue ? [issue] : []), ...line.object.issues, ...(line.object.valueIssues ?? [])]
    if (issues.length === 0) sound.push({ row, object: line.object, copy })
    else faulty.push({ row, issues: issues.map((each) => locateIssue(stored.format, each)) })
  }
  return { sound, faulty }
}

/** Prepares rows and runs them as a batch. Returns the rows in the order of the batch, and the rows outside it. */
async function prepare(context: StepContext, chunk: StoredChunk, rows: readonly ReadRow[], isCheck: boolean) {
  const { caller, stored } = context
  const prepared = isResourcePath(chunk.resource)
    ? await prepareRows(caller, stored, chunk.resource, rows, isCheck)
    : []
  const operations = prepared.filter((row) => row.issue === undefined)
  const rejected: RowResult[] = prepared.flatMap(({ row, issue }) => (issue ? [{ row, issues: [issue] }] : []))
  return { operations, rejected }
}

const toRowResults = (
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

/** Results with each row once. */
const mergeByRow = (results: readonly RowResult[]): RowResult[] =>
  Array.from(
    Map.groupBy(results, ({ row }) => row),
    ([row, found]) => ({ row, issues: found.flatMap(({ issues }) => issues) }),
  )

/** Checks the next rows with a dry run, and records their issues. */
export async function checkRows(context: StepContext, chunk: StoredChunk): Promise<void> {
  const { caller, stored, runBatch } = context
  const record = async (
    failures: number,
    count: number,
    faulty: readonly RowResult[],
    differences: readonly Pick<Difference, 'name'>[] = [],
    objectIds: Readonly<Record<string, string>> = {},
    planned = readPlanned(stored),
  ) => {
    const values = createStepValues(context, failures)
    const differing = addDifferences(stored, differences)
    const next = { ...getNextPosition(stored, chunk, count), count, failed: faulty.length, differing, planned }
    await caller.database.run(
      [importStatements.advanceCheck(), { ...values, ...next }],
      ...recordIssues(values, chunk.position, faulty),
      ...mapObjects(context, chunk, objectIds),
    )
  }
  const check = async (rows: readonly ChunkRow[], failures: number) => {
    const { sound, faulty } = readRows(context, rows)
    const { operations, rejected } = await prepare(context, chunk, sound, true)
    const batch = operations.map(({ operation }) => operation)
    const results = batch.length === 0 ? [] : await runBatch(caller, batch, { dryRun: true })
    const created = operations.filter(({ operation }) => operation.op === 'create')
    const newRows = new Set(created.map(({ row }) => row))
    const ofDetails = isResourcePath(chunk.resource) ? await checkDetails(context, chunk.resource, sound, newRows) : []
    const found = mergeByRow([...faulty, ...rejected, ...toRowResults(context, operations, results), ...ofDetails])
    const faultyRows = new Set(found.map(({ row }) => row))
    const usable = operations.filter(({ row }) => !faultyRows.has(row))
    const differences = stored.keepExisting
      ? listChanging(operations, results).map(({ operation }) => ({ name: operation.resource }))
      : usable.flatMap((operation) => operation.differences)
    // Later rows can refer to objects that exist by the file's own ids.
    const planned = addPlanned(stored, operations, results, faultyRows)
    await record(failures, rows.length, found, differences, mapOwnIds(operations, results), planned)
  }
  await runHalving(stored, getNextRows(stored, chunk), check, async ({ row }, { code, message, issues }, failures) => {
    const found = issues.length > 0 ? issues : [{ code, message }]
    await record(failures, 1, [{ row, issues: found }])
  })
}

/** Applies the next rows without issues. Rows and progress are written in one transaction. */
export async function applyRows(context: StepContext, chunk: StoredChunk): Promise<void> {
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
      ...recordIssues(values, chunk.position, faulty),
    ] as const
  }
  const apply = async (rows: readonly ChunkRow[], failures: number) => {
    const numbers = rows.map(({ row }) => row)
    const range = { firstRow: Math.min(...numbers), lastRow: Math.max(...numbers) }
    const [known] = await database.run([chunkStatements.findFaultyRows(), { ...scope, import: stored.id, ...range }])
    const knownRows = new Set(known.map(({ row }) => row))
    // A release may be unable to read rows that an earlier release checked without issues.
    const { sound, faulty: unreadable } = readRows(
      context,
      rows.filter(({ row }) => !knownRows.has(row)),
    )
    const { operations: selected, rejected } = await prepare(context, chunk, sound, false)
    const kept = selected.filter((operation) => operation.kept !== undefined)
    const operations = selected.filter((operation) => operation.kept === undefined)
    const keptIds = kept.flatMap(({ object, kept: id }) =>
      object.id && id && id !== object.id ? [[object.id, id]] : [],
    )
    const keptOptions = await mapKeptOptions(
      caller,
      chunk.resource,
      kept.flatMap(({ kept: id, body }) => (id ? [{ id, body }] : [])),
    )
    const batch = operations.map(({ operation }) => operation)
    const hasDetails = operations.some(({ object }) => object.details !== undefined)
    const finish = (results: readonly OperationResult[]) => {
      const faulty = [...unreadable, ...rejected, ...toRowResults(context, operations, results)]
      const counts = listCounts(stored, operations, results)
      const counted = new Set(counts.map(({ index }) => index))
      const objectIds = {
        ...Object.fromEntries(keptIds),
        ...keptOptions,
        ...mapOwnIds(operations, results),
        ...mapDetailedRows(operations, results),
      }
      return [
        ...setStock(caller, counts),
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
  await runHalving(stored, getNextRows(stored, chunk), apply, async ({ row }, { code, message, issues }, failures) => {
    const found = issues.length > 0 ? issues : [{ code, message }]
    await database.run(...record(failures, 1, [{ row, issues: found }], countOutcomes([])))
  })
}
