import { nameRenamed, nameSimilar, readPlanned } from '../import-view.ts'
import { isNotice } from '../rows/file-row.ts'
import { isResourcePath } from '../rows/imported-resource.ts'
import { listRenamed } from '../rows/renamed-objects.ts'
import type { ChunkRow } from '../rows/stored-rows.ts'
import { importStatements } from '../statements/import-statements.ts'
import { listSpared } from './auto-targets.ts'
import { addDifferences } from './counters.ts'
import { checkDetails, joinDetails } from './details-steps.ts'
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
import {
  addPlanned,
  listChanging,
  listMatches,
  mapObjects,
  mapOwnIds,
  mapSelected,
  recordMatches,
} from './row-outcomes.ts'
import { prepare, readStoredLines, toRowResults } from './row-steps.ts'
import { locateIssue } from './to-issues.ts'

/** Results with each row once. */
const mergeByRow = (results: readonly RowResult[]): RowResult[] =>
  Array.from(
    Map.groupBy(results, ({ row }) => row),
    ([row, found]) => ({ row, issues: found.flatMap(({ issues }) => issues) }),
  )

/** Findings of the check about some rows. */
interface Findings {
  results?: readonly RowResult[]
  differences?: readonly { name: string }[]
  objectIds?: Readonly<Record<string, string>>
  planned?: ReturnType<typeof readPlanned>
  matches?: ReturnType<typeof listMatches>
}

/** Checks the next rows with a dry run, and records their issues. Returns their number. */
export function checkRows(context: StepContext, chunk: StoredChunk): Promise<number> {
  const { caller, stored, runBatch } = context
  const record = async (failures: number, count: number, findings: Findings) => {
    const { results = [], differences = [], objectIds = {}, planned = readPlanned(stored), matches = {} } = findings
    const values = createStepValues(context, failures)
    const differing = addDifferences(stored, differences)
    const failed = results.filter(({ issues }) => !issues.every(isNotice)).length
    const next = { ...getNextPosition(stored, chunk, count), count, failed, differing, planned }
    await caller.database.run(
      [importStatements.advanceCheck(), { ...values, ...next }],
      ...recordIssues(context, values, chunk.position, results),
      ...mapObjects(context, chunk, objectIds),
      ...recordMatches(context, chunk, matches),
    )
  }
  const check = async (rows: readonly ChunkRow[], failures: number) => {
    const { sound, faulty, noticed, unusable } = readStoredLines(context, rows)
    const { operations: prepared, rejected } = await prepare(context, chunk, sound, true)
    const operations = await joinDetails(context, chunk.resource, prepared)
    const batch = operations.map(({ operation }) => operation)
    const results = batch.length === 0 ? [] : await runBatch(caller, batch, { dryRun: true })
    const created = operations.filter(({ operation }) => operation.op === 'create')
    const newRows = new Set(created.map(({ row }) => row))
    const joined = new Set(operations.flatMap(({ row, operation }) => (operation.details ? [row] : [])))
    const alone = sound.filter(({ row }) => !joined.has(row))
    const ofDetails = isResourcePath(chunk.resource) ? await checkDetails(context, chunk.resource, alone, newRows) : []
    const found = mergeByRow([...faulty, ...rejected, ...toRowResults(context, operations, results), ...ofDetails])
    const faultyRows = new Set(found.map(({ row }) => row))
    const usable = operations.filter(({ row }) => !faultyRows.has(row))
    const similar = usable.flatMap(({ row, notices }) => (notices.length > 0 ? [{ row, issues: notices }] : []))
    const renamed = (await listRenamed(caller, usable)).map(({ row, issues }) => ({
      row,
      issues: issues.map((issue) => locateIssue(stored.format, issue)),
    }))
    const differences = stored.keepExisting
      ? listChanging(operations, results).map(({ operation }) => ({ name: operation.resource }))
      : usable.flatMap((operation) => operation.differences)
    const isSparing = stored.deleteMissing && stored.mapping === 'auto' && isResourcePath(chunk.resource)
    const mayBeNamed = isSparing ? [...sound, ...unusable].filter(({ row }) => faultyRows.has(row)) : []
    const spared = isResourcePath(chunk.resource) ? await listSpared(caller, chunk.resource, mayBeNamed) : {}
    await record(failures, rows.length, {
      results: mergeByRow([...found, ...noticed, ...similar, ...renamed]),
      differences: [
        ...differences,
        ...similar.map(() => ({ name: nameSimilar(chunk.resource) })),
        ...renamed.map(() => ({ name: nameRenamed(chunk.resource) })),
      ],
      // Later rows can refer to objects that exist by the file's own ids.
      objectIds: { ...spared, ...mapOwnIds(operations, results), ...mapSelected(stored, operations, results) },
      planned: addPlanned(stored, operations, results, faultyRows),
      matches: stored.mapping === 'auto' ? listMatches(operations, results, faultyRows) : {},
    })
  }
  return runHalving(
    stored,
    getNextRows(context, chunk),
    check,
    async ({ row }, { code, message, issues }, failures) => {
      const found = issues.length > 0 ? issues : [{ code, message }]
      await record(failures, 1, { results: [{ row, issues: found }] })
    },
  )
}
