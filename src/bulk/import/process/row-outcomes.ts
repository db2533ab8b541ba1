import type { Write } from '../../../platform/db/transaction.ts'
import type { OperationResult } from '../../batch/operation.ts'
import { readStoredReading } from '../auto/stored-reading.ts'
import { readOutcomes, readPlanned, type StoredImport } from '../import-view.ts'
import { chunkStatements, selectedKey } from '../statements/chunk-statements.ts'
import { changesStock } from './counters.ts'
import { toRowKey } from './details-steps.ts'
import { hasSeveralKeys } from './find-targets.ts'
import type { StepContext, StoredChunk } from './import-step.ts'
import type { PreparedRow } from './prepare-rows.ts'

/** A row and its operation. */
export type RowOperation = Extract<PreparedRow, { issue?: undefined }>

/** Ids of objects by the file's own ids. Objects that a dry run creates have none. */
export const mapOwnIds = (operations: readonly RowOperation[], results: readonly OperationResult[]) =>
  Object.fromEntries(
    results.flatMap(({ index, id, problem }) => {
      const ownId = operations[index]?.object.id
      return id === undefined || problem || ownId === undefined || id === ownId ? [] : [[ownId, id] as const]
    }),
  )

/** Ids of objects whose details are still to be written, by row. */
export const mapDetailedRows = (operations: readonly RowOperation[], results: readonly OperationResult[]) =>
  Object.fromEntries(
    results.flatMap(({ index, id, problem }) => {
      const { row = 0, object, operation } = operations[index] ?? {}
      return id === undefined || problem || object?.details === undefined || operation?.details
        ? []
        : [[toRowKey(row), id] as const]
    }),
  )

/** The objects that rows select, or create, without naming an external id, by the rows. Rows of later steps must not select them again. */
export const mapSelected = (
  stored: StoredImport,
  operations: readonly RowOperation[],
  results: readonly OperationResult[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    results.flatMap(({ index, id, problem }) => {
      const { row = 0, how, object } = operations[index] ?? {}
      const isNamed = how === 'externalId' || (how === undefined && object?.externalId !== undefined)
      if (!hasSeveralKeys(stored) || id === undefined || problem || isNamed) return []
      return [[`${selectedKey}${row}`, id] as const]
    }),
  )

/** Statements that record the ids of objects of a chunk. */
export function mapObjects(
  { caller: { scope }, stored }: StepContext,
  chunk: StoredChunk,
  ids: Readonly<Record<string, string>>,
) {
  if (Object.keys(ids).length === 0) return []
  const objectIds = { ...Object(chunk.objectIds), ...ids }
  return [
    [chunkStatements.mapObjectIds(), { ...scope, import: stored.id, position: chunk.position, objectIds }] as const,
  ]
}

/** Outcome of applying a row. A row that only sets the stock changes its object; one whose object is kept does not. */
function getExpected(operation: RowOperation, outcome: OperationResult['outcome']): OperationResult['outcome'] {
  if (operation.kept !== undefined) return 'unchanged'
  return outcome === 'unchanged' && changesStock(operation) ? 'updated' : outcome
}

/** By row, the key that selected its object, empty if none did, and what the row will do. */
export const listMatches = (
  operations: readonly RowOperation[],
  results: readonly OperationResult[],
  faulty: ReadonlySet<number>,
): Readonly<Record<string, readonly [how: string, outcome: string]>> =>
  Object.fromEntries(
    results.flatMap(({ index, outcome }) => {
      const operation = operations[index]
      if (!operation || faulty.has(operation.row)) return []
      const { row, how = '' } = operation
      return [[row, [how, getExpected(operation, outcome)]] as const]
    }),
  )

/** Statements that add to what is known about rows of a chunk. */
export function recordMatches(
  { caller: { scope }, stored }: StepContext,
  { position }: StoredChunk,
  found: ReturnType<typeof listMatches>,
): Write {
  if (Object.keys(found).length === 0) return []
  return [[chunkStatements.addMatches(), { ...scope, import: stored.id, position, matches: JSON.stringify(found) }]]
}

/** The rows whose object is kept although the file would change it. */
export const listChanging = (operations: readonly RowOperation[], results: readonly OperationResult[]) =>
  results.flatMap(({ index, outcome }) => {
    const operation = operations[index]
    return operation?.kept !== undefined && outcome === 'updated' ? [operation] : []
  })

/** Counts rows by outcome. A row whose stock is set changes its object; one whose object is kept does not. */
export const countOutcomes = (
  results: readonly OperationResult[],
  kept = 0,
  setsStock: (index: number) => boolean = () => false,
) => {
  const outcomes = results.map(({ outcome, index }) =>
    outcome === 'unchanged' && setsStock(index) ? 'updated' : outcome,
  )
  const count = (wanted: OperationResult['outcome']) => outcomes.filter((outcome) => outcome === wanted).length
  const [created, updated, unchanged] = [count('created'), count('updated'), count('unchanged') + kept]
  return { created, updated, unchanged, applied: created + updated + unchanged }
}

/** Numbers of checked rows by what they will do, with further ones. Rows with issues are left out. */
export function addPlanned(
  stored: StoredImport,
  operations: readonly RowOperation[],
  results: readonly OperationResult[],
  faulty: ReadonlySet<number>,
) {
  const planned = { ...readPlanned(stored) }
  const lastRow = readStoredReading(stored.reading)?.lastRow ?? Number.POSITIVE_INFINITY
  for (const { index, outcome } of results) {
    const operation = operations[index]
    // Rows that a mapping adds, such as a menu, are not in the file.
    if (!operation || faulty.has(operation.row) || operation.row > lastRow) continue
    const { before, after } = operation.price
    const expected = getExpected(operation, outcome)
    if (expected === 'created') planned.creates++
    if (expected === 'updated') planned.updates++
    if (expected === 'unchanged') planned.unchanged++
    if (before === undefined || typeof after !== 'number' || operation.kept !== undefined) continue
    if (after > before) planned.pricesUp++
    if (after < before) planned.pricesDown++
  }
  return planned
}

/** Numbers of applied rows by resource, with further ones. */
export function addOutcomes(stored: StoredImport, resource: string, counts: ReturnType<typeof countOutcomes>) {
  const outcomes = readOutcomes(stored)
  const { created = 0, updated = 0, unchanged = 0 } = outcomes[resource] ?? {}
  if (counts.applied === 0) return outcomes
  return {
    ...outcomes,
    [resource]: {
      created: created + counts.created,
      updated: updated + counts.updated,
      unchanged: unchanged + counts.unchanged,
    },
  }
}
