import type { Caller } from '../../../catalogue/resource/caller.ts'
import { toIfMatch } from '../../../platform/http/etag.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import type { BatchOperation } from '../../batch/operation.ts'
import type { StoredImport } from '../import-view.ts'
import type { RowIssue } from '../rows/file-row.ts'
import type { RowObject } from '../rows/row-object.ts'
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

/** Turns rows of one resource into operations. At most one row of a step names the same object. */
export async function prepareRows(
  caller: Caller,
  stored: StoredImport,
  resource: ResourcePath,
  rows: readonly ReadRow[],
  isCheck: boolean,
): Promise<PreparedRow[]> {
  const objects = rows.map(({ object }) => object)
  const targets = await findTargets(caller, resource, stored.match, rows)
  const bodies = await mapReferences(caller, stored.id, resource, objects, isCheck)
  const named = new Set<string>()
  return rows.map((read, index): PreparedRow => {
    const { row, object } = read
    const selected = selectTarget(targets, stored.match, read, caller.scope.testMode)
    const { target, issue } = { target: undefined, ...selected }
    if (issue) return { row, object, issue: locateIssue(stored.format, issue) }
    if (target && named.has(target.id)) {
      return { row, object, issue: { code: 'duplicate', message: `names ${target.id}, like an earlier row` } }
    }
    if (target) named.add(target.id)
    const whole = toBody(object, bodies[index] ?? object.body, target)
    const { body, differences } = takeCounters(stored, resource, target, whole)
    const kept = stored.keepExisting ? target?.id : undefined
    return { row, object, body, differences, kept, operation: toOperation(resource, object, target, body) }
  })
}
