import type { Caller } from '../../../catalogue/resource/caller.ts'
import { toIfMatch } from '../../../platform/http/etag.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import type { BatchOperation } from '../../batch/operation.ts'
import { readStoredReading } from '../auto/stored-reading.ts'
import { isOwnFile, type StoredImport } from '../import-view.ts'
import type { RowIssue } from '../rows/file-row.ts'
import { getResource } from '../rows/imported-resource.ts'
import type { RowObject } from '../rows/row-object.ts'
import {
  type AutoTargets,
  findAutoTargets,
  findLostZeros,
  keepOtherParts,
  listSimilar,
  selectAutoTarget,
  type TargetFacts,
} from './auto-targets.ts'
import { type Difference, takeCounters } from './counters.ts'
import {
  findRepeated,
  findTargets,
  type MatchKey,
  type ReadRow,
  type Selected,
  selectTarget,
  type Target,
} from './find-targets.ts'
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
        /** Key that selected the object that the row updates. Undefined: it creates one. */
        how: MatchKey | undefined
        notices: readonly RowIssue[]
        issue?: undefined
      }
    | { issue: RowIssue }
  )

/**
 * Whether the body of an update depends on the object as it was read: parts that it keeps, or a counter that is still inactive. The version of a
 * product changes with each sale, so that other updates name none.
 */
const dependsOnTarget = (
  resource: ResourcePath,
  { metadata }: RowObject,
  { sent, whole, body }: Readonly<Record<'sent' | 'whole' | 'body', RowObject['body']>>,
): boolean =>
  metadata !== undefined || whole !== sent || Object.keys(getResource(resource).counters).some((field) => field in body)

/** The operation of a row: an update of the object that it selects, or a create. */
function toOperation(
  resource: ResourcePath,
  { externalId }: RowObject,
  target: Target | undefined,
  body: RowObject['body'],
  isConditional: boolean,
): BatchOperation {
  if (target) {
    const newExternalId = externalId === target.externalId ? undefined : externalId
    const ifMatch = isConditional ? toIfMatch(target.version) : undefined
    return { op: 'update', resource, id: target.id, ifMatch, body, newExternalId }
  }
  return { op: 'create', resource, externalId, body }
}

/** With `match=auto`, an object keeps the external id that it has. */
const withOwnExternalId = ({ match }: StoredImport, object: RowObject, target: Target | undefined): RowObject =>
  match === 'auto' && target?.externalId !== undefined ? { ...object, externalId: target.externalId } : object

/** How rows select objects, and what updates depend on. */
async function createSelector(
  caller: Caller,
  stored: StoredImport,
  resource: ResourcePath,
  rows: readonly ReadRow[],
): Promise<{
  select: (read: ReadRow) => Selected
  getFacts: (id: string) => TargetFacts | undefined
  /** Notices of a row that creates an object. */
  listSimilar: (read: ReadRow) => readonly RowIssue[]
}> {
  const { testMode } = caller.scope
  const auto = stored.mapping === 'auto' ? await findAutoTargets(caller, resource, rows, isOwnFile(stored)) : undefined
  const getFacts = (id: string) => auto?.facts.get(id)
  const findDamage = (read: ReadRow): Selected | undefined => {
    const issue = auto && findLostZeros(auto, read)
    return issue && { issue }
  }
  const selectAuto = (targets: AutoTargets) => (read: ReadRow) =>
    findDamage(read) ?? selectAutoTarget(targets, read, testMode)
  if (auto && stored.match === 'auto') return { select: selectAuto(auto), getFacts, listSimilar: () => [] }
  const match = stored.match === 'auto' ? 'externalId' : stored.match
  const targets = await findTargets(caller, resource, match, rows)
  const select = (read: ReadRow) => findDamage(read) ?? selectTarget(targets, match, read, testMode)
  const lastRow = readStoredReading(stored.reading)?.lastRow ?? Number.POSITIVE_INFINITY
  return {
    // Rows that a mapping adds, such as the menu, find their objects whatever selects those of the file.
    select: (read) => (auto && read.row > lastRow ? selectAuto(auto)(read) : select(read)),
    getFacts,
    listSimilar: (read) => (auto && read.row <= lastRow ? listSimilar(auto, read, testMode) : []),
  }
}

const unselected = { target: undefined, how: undefined, issue: undefined }

/** Turns rows of one resource into operations. At most one row of an import names the same object. */
export async function prepareRows(
  caller: Caller,
  stored: StoredImport,
  resource: ResourcePath,
  rows: readonly ReadRow[],
  isCheck: boolean,
): Promise<PreparedRow[]> {
  const objects = rows.map(({ object }) => object)
  const { select, getFacts, listSimilar: listNotices } = await createSelector(caller, stored, resource, rows)
  const found = rows.map((read) => ({ ...unselected, ...select(read), row: read.row }))
  const [bodies, repeated] = await Promise.all([
    mapReferences(caller, stored, resource, objects, isCheck),
    findRepeated(
      caller,
      stored,
      resource,
      found.flatMap(({ row, target, how }) => (target ? [{ row, target, how }] : [])),
    ),
  ])
  const named = new Set<string>()
  return rows.map((read, index): PreparedRow => {
    const { row, object } = read
    const { target, issue, how } = found[index] ?? unselected
    if (issue) return { row, object, issue: locateIssue(stored.format, issue) }
    if (target && (named.has(target.id) || repeated.has(row))) {
      return { row, object, issue: { code: 'duplicate', message: `names ${target.id}, like an earlier row` } }
    }
    if (target) named.add(target.id)
    const facts = target && getFacts(target.id)
    const sent = toBody(object, bodies[index] ?? object.body, target)
    const whole = stored.mapping === 'auto' && !isOwnFile(stored) ? keepOtherParts(resource, sent, facts) : sent
    const { body, differences } = takeCounters(stored, resource, target, whole)
    const kept = stored.keepExisting ? target?.id : undefined
    const isConditional = dependsOnTarget(resource, object, { sent, whole, body })
    const operation = toOperation(resource, withOwnExternalId(stored, object, target), target, body, isConditional)
    const price = { before: facts?.price, after: body['price'] }
    const similar = isCheck && !target ? listNotices(read) : []
    const notices = similar.map((notice) => locateIssue(stored.format, notice))
    return { row, object, body, differences, kept, operation, price, how, notices }
  })
}
