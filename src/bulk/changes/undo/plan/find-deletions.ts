import { sql } from 'drizzle-orm'
import type { Caller } from '../../../../catalogue/resource/caller.ts'
import type { Draft } from '../../../../catalogue/resource/definition.ts'
import { getDeletedStatements } from '../../../../catalogue/resource/deleted/deleted-statements.ts'
import { readEventRow } from '../../../../catalogue/resource/deleted/list-deleted.ts'
import { keptRows } from '../../../../catalogue/resource/deleted/restore.ts'
import { getRestoreStatements } from '../../../../catalogue/resource/deleted/restore-statements.ts'
import { spansBothModes } from '../../../../catalogue/resource/plan.ts'
import { lazy, param } from '../../../../platform/db/database.ts'
import { listed, parseJson, selectList, typed, withRawRows } from '../../../../platform/db/query.ts'
import type { Row } from '../../../../platform/db/row.ts'
import { eventTable as table } from '../../../../platform/db/schema/events.ts'
import { isInScope } from '../../../../platform/db/scope.ts'
import { getBatchResource } from '../../../batch/batch-resource.ts'
import type { RestoredObject } from '../../../batch/operation.ts'
import type { ChangedObject } from '../read-objects.ts'
import type { FieldChanges } from './net-changes.ts'
import type { Conflict } from './plan-undo.ts'

/** A deletion that an undo takes back, or why it cannot. */
export type Restoring =
  | { restored: RestoredObject; externalId: string | undefined; conflict?: Conflict }
  | { restored?: undefined; conflict: Conflict }

const whole = (reason: Conflict['reason']) => ({ conflict: { reason, fields: [] } }) as const

/** The fields of an object as they were before a set that changed them, and then deleted it. */
function setBack(item: Draft, changes: FieldChanges): Draft {
  const before: Record<string, unknown> = { ...item }
  for (const [field, { before: value }] of changes) {
    if (value === null || value === undefined) delete before[field]
    else before[field] = value
  }
  return before
}

/** The object as it returns. Changes of its details by the same set stay. */
function toRestoring(
  { resource, id, change }: ChangedObject,
  row: Row | undefined,
  changeSet: string,
  hidden: ReadonlySet<string>,
  merchantId: string,
): Restoring {
  if (!row || row['kept'] === null || row['erasedAt'] !== null) return whole('unknown')
  if (row['changeSet'] !== changeSet) return whole('deleted')
  const { mapping } = getBatchResource(resource)
  const before = mapping.readAsFarAsPossible({ ...readEventRow(row), merchant_id: merchantId })
  if (before.damaged) return whole('unknown')
  const fields = [...change.details.keys()].map((field) => `details.${field}`)
  return {
    externalId: before.externalId,
    restored: {
      item: setBack(mapping.toRow(before.item), change.fields),
      version: Number(row['version']) + 1,
      kept: keptRows.parse(parseJson(String(row['kept']))),
      isHidden: hidden.has(id),
    },
    ...(fields.length > 0 && { conflict: { reason: 'unknown', fields } }),
  }
}

const ofSet = { object: table.object }
/** The objects of `:ids` that the set deleted. */
const listDeletedIds = lazy(() =>
  typed(
    ofSet,
    () => sql`select ${selectList(ofSet)} from ${table} where ${isInScope(table)} and ${table.object} in ${listed('ids')}
      and ${table.object} is not null and ${table.changeSet} = ${param('changeSet')} and ${table.type} like '%.deleted'`,
  ),
)

/**
 * Reads the deletions of objects that an undo brings back, and which of the ids `removed`, that the set removed from other objects, it deleted. One round
 * trip, or none.
 */
export async function findDeletions(
  { database, scope }: Caller,
  changeSet: string,
  objects: readonly ChangedObject[],
  removed: readonly string[],
) {
  const byPath = Map.groupBy(objects, ({ resource }) => resource)
  const reads = [...byPath].map(([path, own]) => {
    const { resource } = getBatchResource(path)
    const deleted = getDeletedStatements(resource, spansBothModes(resource, scope)).findAll()
    const values = { ...scope, mode: scope.testMode ? 1 : 0, ids: JSON.stringify(own.map(({ id }) => id)) }
    return { path, values, deleted, hidden: getRestoreStatements(resource).hidden() }
  })
  const statements = [
    ...reads.flatMap(({ values, deleted, hidden }) => [
      [withRawRows(deleted), values] as const,
      [withRawRows(hidden), values] as const,
    ]),
    ...(removed.length === 0
      ? []
      : [[withRawRows(listDeletedIds()), { ...scope, changeSet, ids: JSON.stringify(removed) }] as const]),
  ]
  const results = statements.length === 0 ? [] : await database.run<Row[]>(...statements)
  const found = new Map(
    reads.map(({ path }, index) => {
      const [rows = [], hidden = []] = results.slice(2 * index)
      const byId = new Map(rows.map((row) => [String(row['object']), row]))
      return [path, { byId, hidden: new Set(hidden.map((row) => String(row['id']))) }] as const
    }),
  )
  const deletedIds = new Set((results[2 * reads.length] ?? []).map((row) => String(row['object'])))
  return {
    find(object: ChangedObject): Restoring {
      const own = found.get(object.resource)
      return toRestoring(object, own?.byId.get(object.id), changeSet, own?.hidden ?? new Set(), scope.merchantId)
    },
    /** Whether the set deleted the object of `removed`. */
    isDeleted: (id: string) => deletedIds.has(id),
  }
}
