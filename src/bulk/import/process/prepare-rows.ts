import type { Caller } from '../../../catalogue/resource/caller.ts'
import { toIfMatch } from '../../../platform/http/etag.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import type { BatchOperation } from '../../batch/operation.ts'
import type { StoredImport } from '../import-view.ts'
import type { RowIssue } from '../rows/file-row.ts'
import type { RowObject } from '../rows/row-object.ts'
import { findAutoTargets, keepOtherParts, selectAutoTarget, type TargetFacts } from './auto-targets.ts'
import { type Difference, takeCounters } from './counters.ts'
import { findTargets, type ReadRow, selectTarget, type Target } from './find-targets.ts'
import { mapReferences } from './map-references.ts'
import { toBody } from './to-body.ts'
import { locateIssue } from './to-issues.ts'

/** A row and its operation, or the issue that prevents it. */
export type PreparedRow = ReadRow &
  (
    | {
        operation: BatchOperation
        body: RowObject['body']
        differences: readonly Difference[]
        /** Id of the object that the row selects and leaves as it is. The operation is only tried. */
        kept?: string | undefined
        /** Price of the object, and of the row. */
        price: { before: number | undefined; after: unknown }
        issue?: undefined
      }
    | { issue: RowIssue }
  )

/** The operation of a row: an update of the object that it selects, on the condition that its version is unchanged since it was read, or a create. */
function toOperation(
  resource: ResourcePath,
  { externalId }: RowObject,
  target: Target | undefined,
  body: RowObject['body'],
): BatchOperation {
  if (target) {
    const newExternalId = externalId === target.externalId ? undefined : externalId
    return { op: 'update', resource, id: target.id, ifMatch: toIfMatch(target.version), body, newExternalId }
  }
  return { op: 'create', resource, externalId, body }
}

/** With `match=auto`, an object keeps the external id that it has. */
const withOwnExternalId = ({ match }: StoredImport, object: RowObject, target: Target | undefined): RowObject =>
  match === 'auto' && target?.externalId !== undefined ? { ...object, externalId: target.externalId } : object

/** How rows select objects, and what updates depend on. */
async function createSelector(
  caller: Caller,
  { match }: StoredImport,
  resource: ResourcePath,
  rows: readonly ReadRow[],
): Promise<{
  select: (read: ReadRow) => ReturnType<typeof selectTarget>
  getFacts: (id: string) => TargetFacts | undefined
}> {
  const { testMode } = caller.scope
  if (match === 'auto') {
    const targets = await findAutoTargets(caller, resource, rows)
    return { select: (read) => selectAutoTarget(targets, read, testMode), getFacts: (id) => targets.facts.get(id) }
  }
  const targets = await findTargets(caller, resource, match, rows)
  return { select: (read) => selectTarget(targets, match, read, testMode), getFacts: () => undefined }
}

/** Turns rows of one resource into operations. At most one row of a step names the same object. */
export async function prepareRows(
  caller: Caller,
  stored: StoredImport,
  resource: ResourcePath,
  rows: readonly ReadRow[],
  isCheck: boolean,
): Promise<PreparedRow[]> {
  const objects = rows.map(({ object }) => object)
  const { select, getFacts } = await createSelector(caller, stored, resource, rows)
  const bodies = await mapReferences(caller, stored.id, resource, objects, isCheck)
  const named = new Set<string>()
  return rows.map((read, index): PreparedRow => {
    const { row, object } = read
    const selected = select(read)
    const { target, issue } = { target: undefined, ...selected }
    if (issue) return { row, object, issue: locateIssue(stored.format, issue) }
    if (target && named.has(target.id)) {
      return { row, object, issue: { code: 'duplicate', message: `names ${target.id}, like an earlier row` } }
    }
    if (target) named.add(target.id)
    const facts = target && getFacts(target.id)
    const sent = toBody(object, bodies[index] ?? object.body, target)
    const whole = stored.mapping === 'auto' ? keepOtherParts(resource, sent, facts) : sent
    const { body, differences } = takeCounters(stored, resource, target, whole)
    const kept = stored.keepExisting ? target?.id : undefined
    const operation = toOperation(resource, withOwnExternalId(stored, object, target), target, body)
    return { row, object, body, differences, kept, operation, price: { before: facts?.price, after: body['price'] } }
  })
}
