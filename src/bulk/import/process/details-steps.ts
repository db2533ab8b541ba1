import type { Caller } from '../../../catalogue/resource/caller.ts'
import { changeReferences, type DetailReference } from '../../../catalogue/resource/details/detail-references.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { unknownReference } from '../../../platform/errors.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { recordChanges } from '../../../platform/outbox/change-sets.ts'
import type { BatchOperation } from '../../batch/operation.ts'
import { isTooLarge } from '../../batch/plan/plan-bodies.ts'
import { chunkLimits, detailsPerStep } from '../import-limits.ts'
import { findImportSet } from '../import-view.ts'
import type { RowIssue } from '../rows/file-row.ts'
import { type ImportedDetails, loadImportedDetails } from '../rows/imported-details.ts'
import { getSideMember, isResourcePath } from '../rows/imported-resource.ts'
import type { RowObject } from '../rows/row-object.ts'
import { createStoredRowReader } from '../rows/stored-rows.ts'
import { importStatements } from '../statements/import-statements.ts'
import {
  createStepValues,
  getNextPosition,
  getNextRows,
  keepFailures,
  type RowResult,
  recordIssues,
  type StepContext,
  type StoredChunk,
  toRowError,
} from './import-step.ts'
import { renameKeptOptions } from './kept-options.ts'
import { findKnown, type Known, readReference, resolveReference } from './map-references.ts'
import { toBody } from './to-body.ts'
import { locateIssue } from './to-issues.ts'

type Details = NonNullable<RowObject['details']>

/** Key of a row's object among the file's own ids: the control character makes it different from all of them. */
export const toRowKey = (row: number) => `\u001f${row}`

type KnownObjects = ReadonlyMap<DetailReference['target'], Known>

/** The objects that some details name. */
async function findNamed(
  caller: Caller,
  importId: string,
  { references }: ImportedDetails,
  all: readonly Details[],
): Promise<KnownObjects> {
  const keys = new Map<DetailReference['target'], Set<string>>()
  for (const details of all) {
    changeReferences(details, references, (reference, _, target) => {
      const ofTarget = keys.get(target) ?? new Set()
      for (const key of Object.values(readReference(reference))) ofTarget.add(key)
      keys.set(target, ofTarget)
      return reference
    })
  }
  const found = await Promise.all(
    Array.from(keys, async ([target, named]) => [target, await findKnown(caller, importId, target, named)] as const),
  )
  return new Map(found)
}

/** Names objects that an import will create, for checks of what is around a reference. No object has such an id. */
function createPlaceholders() {
  const names = new Map<string, string>()
  return (reference: unknown) => {
    const { externalId = '' } = readReference(reference)
    const name = names.get(externalId) ?? `row ${names.size}`
    names.set(externalId, name)
    return name
  }
}

/** Parses details, with references replaced by ids. During the check, rows of the file have placeholders. */
function parse(definition: ImportedDetails, details: Details, known: KnownObjects, isCheck: boolean): ParsedBody {
  const toPlaceholder = createPlaceholders()
  return definition.parse(
    changeReferences(details, definition.references, (reference, _, target) => {
      const ofTarget = known.get(target)
      return ofTarget ? (resolveReference(ofTarget, reference, isCheck) ?? toPlaceholder(reference)) : reference
    }),
  )
}

/** The issue of a row, below the member of its line. */
const toRowIssue = (
  resource: string,
  { pointer = '', code, message }: { pointer?: string; code: string; message: string },
): RowIssue => ({ pointer: `/${isResourcePath(resource) ? getSideMember(resource) : ''}${pointer}`, code, message })

/** Issues of references to objects that neither exist nor are in the file. */
function listUnknown(
  resource: ResourcePath,
  { references }: ImportedDetails,
  details: Details,
  known: KnownObjects,
): RowIssue[] {
  const issues: RowIssue[] = []
  changeReferences(details, references, (reference, pointer, target) => {
    const { id = '', externalId = '' } = readReference(reference)
    const { ofFile, ids, externalIds, pending } = known.get(target) ?? noObjects
    const isKnown = ofFile.has(id) || ids.has(id) || externalIds.has(externalId) || pending.has(externalId)
    // Null removes a field and names nothing.
    if (!isKnown && reference !== null)
      issues.push(toRowIssue(resource, { pointer, code: 'not_found', message: unknownReference }))
    return reference
  })
  return issues
}

const noObjects: Known = { ofFile: new Map(), ids: new Map(), externalIds: new Map(), pending: new Set() }

/** Checks the details of rows. Rows in `newRows` contain all fields to be stored. For other rows, the rules between fields are checked later. */
export async function checkDetails(
  { caller, stored }: StepContext,
  resource: ResourcePath,
  rows: readonly { row: number; object: RowObject }[],
  newRows: ReadonlySet<number>,
): Promise<RowResult[]> {
  const definition = await loadImportedDetails(resource)
  const found = rows.flatMap(({ row, object: { details } }) => (details ? [{ row, details }] : []))
  if (!definition || found.length === 0) return []
  const all = found.map(({ details }) => details)
  const known = await findNamed(caller, stored.id, definition, all)
  return found.flatMap(({ row, details }) => {
    const body = parse(definition, details, known, true)
    const isNew = newRows.has(row) && body.issues.length === 0
    const issues = [
      ...(isNew ? definition.checkNew(body) : body.issues).map((issue) => toRowIssue(resource, issue)),
      ...listUnknown(resource, definition, details, known),
    ]
    return issues.length > 0 ? [{ row, issues: issues.map((issue) => locateIssue(stored.format, issue)) }] : []
  })
}

/** Details that are written one by one after all objects: larger ones than those of an operation. */
const isJoinable = (details: Details) => !isTooLarge(details)

/**
 * Operations with the details of their rows, so that both are written in one transaction: those of products of a mapped file, whose sizes are details.
 * Details stay out if they name an object that does not exist yet, or are written last.
 */
export async function joinDetails<Row extends { object: RowObject; operation: BatchOperation }>(
  { caller, stored }: StepContext,
  resource: string,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const isMapped = stored.mapping === 'auto' && resource === 'products'
  const definition = isMapped ? await loadImportedDetails(resource) : undefined
  const given = rows.flatMap(({ object: { details } }) => (details && isJoinable(details) ? [details] : []))
  if (!definition || given.length === 0) return rows
  const renamed = await renameKeptOptions(caller, stored.id, definition, given)
  const known = await findNamed(caller, stored.id, definition, renamed)
  const all = new Map(given.map((details, index) => [details, renamed[index] ?? details]))
  return rows.map((row) => {
    const details = row.object.details && all.get(row.object.details)
    if (!details || definition.isLast(details)) return row
    let isKnown = true
    const resolved = changeReferences(details, definition.references, (reference, _, target) => {
      const id = resolveReference(known.get(target) ?? noObjects, reference, true)
      isKnown &&= id !== undefined
      return id
    })
    return isKnown ? { ...row, operation: { ...row.operation, details: resolved } } : row
  })
}

/**
 * Writes the details of the next rows. A repeated step makes no further changes. A step that another message made, or whose import was cancelled,
 * changes nothing. Returns the number of rows with details that it wrote.
 */
export async function writeDetails(context: StepContext, chunk: StoredChunk): Promise<number> {
  const { caller, stored } = context
  const definition = isResourcePath(chunk.resource) ? await loadImportedDetails(chunk.resource) : undefined
  const rows = getNextRows({ stored, maxRows: chunkLimits.rows }, chunk)
  const read = createStoredRowReader(stored)
  const ids: Readonly<Record<string, unknown>> = isObject(chunk.objectIds) ? chunk.objectIds : {}
  const found = (definition ? rows : []).flatMap(({ row, raw }, index) => {
    const id = ids[toRowKey(row)]
    const line = typeof id === 'string' ? read(raw) : undefined
    return typeof id === 'string' && line?.kind === 'object' && line.object.details
      ? [{ index, row, id, object: line.object, details: line.object.details }]
      : []
  })
  const isDue = ({ details }: (typeof found)[number]) => definition?.isLast(details) === (stored.detailsPass === 'last')
  const due = found.filter(isDue)
  const next = due.slice(0, Math.min(detailsPerStep, context.maxRows))
  const faulty: RowResult[] = []
  const changeSet = findImportSet(stored)
  const guard: Write = [
    [importStatements.requireStep(), createStepValues(context)],
    ...(changeSet ? recordChanges(caller, changeSet, {}, nowInSeconds()) : []),
  ]
  let failures = 0
  const changed: string[] = []
  if (definition) {
    const sent = next.map(({ details }) => details)
    const all = await renameKeptOptions(caller, stored.id, definition, sent)
    const known = await findNamed(caller, stored.id, definition, all)
    for (const [index, { row, id, object, details }] of next.entries()) {
      const body = parse(definition, all[index] ?? details, known, false)
      try {
        const sent = object.body
        await definition.update(caller, { id, body, sent, applied: toBody(object, sent), guard })
        changed.push(id)
      } catch (error) {
        const rowError = toRowError(stored, error)
        if (!rowError) throw error
        failures = keepFailures(stored, error, failures)
        const { code, message, issues: found } = rowError
        const issues = found.length > 0 ? found : [{ code, message }]
        faulty.push({
          row,
          issues: issues.map((issue) => locateIssue(stored.format, toRowIssue(chunk.resource, issue))),
        })
      }
    }
  }
  if (chunk.resource === 'tags' && changed.length > 0) await context.onTagDetails(changed)
  const values = createStepValues(context, failures)
  const count = due[next.length]?.index ?? rows.length
  const isLeft = stored.detailsPass === 'first' && found.some((row) => row.index < count && !isDue(row))
  const detailsPass = isLeft ? 'again' : stored.detailsPass
  await caller.database.run(
    [importStatements.advanceDetails(), { ...values, detailsPass, ...getNextPosition(stored, chunk, count) }],
    ...recordIssues(context, values, chunk.position, faulty),
  )
  return next.length
}
