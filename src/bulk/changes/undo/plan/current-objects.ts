import type { Caller } from '../../../../catalogue/resource/caller.ts'
import type { Draft } from '../../../../catalogue/resource/definition.ts'
import { listPartIds, readAllDetails } from '../../../../catalogue/resource/details/details-definition.ts'
import { DamagedError } from '../../../../platform/db/damaged-rows.ts'
import type { Statement, Values } from '../../../../platform/db/database.ts'
import { withRawRows } from '../../../../platform/db/query.ts'
import { detailsColumn } from '../../../../platform/db/schema/objects/details.ts'
import { limits } from '../../../../platform/http/fields.ts'
import type { ResourcePath } from '../../../../platform/names.ts'
import { getBatchResource } from '../../../batch/batch-resource.ts'
import { loadDetailed } from '../../../batch/details/detailed-batch.ts'
import type { BatchOperation } from '../../../batch/operation.ts'
import { findObjects } from '../../../batch/plan/find-objects.ts'
import { type ChangedObject, toFields } from '../read-objects.ts'
import { readCurrentSides } from './current-sides.ts'
import type { CurrentObject, SparedFields } from './plan-undo.ts'

/** An object as it is now, with its versions. */
export interface FoundObject extends CurrentObject {
  version: number
  detailsVersion: number
  limitsVersion: number
}

const withoutSides = { limits: {}, limitsVersion: 0, availability: {} }
const key = (resource: ResourcePath, id: string) => `${resource} ${id}`
/** Fields of every object that no undo compares. */
const alwaysSpared = ['externalId', 'version', 'details']

/** Reads objects as they are now, in up to three round trips, and the fields that an undo spares. Throws `batch_too_large`. */
export async function readCurrent(caller: Caller, objects: readonly ChangedObject[]) {
  const { database, scope } = caller
  const operations = objects.map(
    ({ resource, id, change }): BatchOperation => ({
      ...{ op: 'update', resource, id, details: {} },
      // The objects that these fields named before: whether they exist is read, too.
      body: Object.fromEntries(
        getBatchResource(resource).resource.references.flatMap(({ field }) => {
          const before = change.fields.get(field)?.before
          return before === undefined || before === null ? [] : [[field, before]]
        }),
      ),
    }),
  )
  const found = await findObjects(caller, operations, false)
  const detailed = await loadDetailed(operations, scope)
  const reads = detailed.map(({ batch, statements }): [Statement, Values] => [
    withRawRows(statements.find()),
    {
      ...scope,
      ids: JSON.stringify(objects.filter(({ resource }) => resource === batch.resource.path).map(({ id }) => id)),
      externalIds: '[]',
      maxBytes: limits.batchObjectBytes,
    },
  ])
  const rows = reads.length === 0 ? [] : await database.run(...reads)
  const sides = await readCurrentSides(caller, objects)
  const current = new Map<string, FoundObject>()
  for (const { resource, id } of objects) {
    const read = found.get(resource)?.whole.get(id)
    if (read)
      current.set(key(resource, id), {
        fields: toFields(resource, read),
        details: {},
        version: read.version,
        detailsVersion: 0,
        ...(sides.get(id) ?? withoutSides),
      })
  }
  for (const [index, { batch, definition }] of detailed.entries()) {
    const { path } = batch.resource
    for (const { id, version, [detailsColumn]: text } of rows[index] ?? []) {
      const object = current.get(key(path, String(id)))
      if (!object || typeof text !== 'string') continue
      const parts = definition.parts && object.fields[definition.parts.field]
      const source = { id: String(id), merchantId: scope.merchantId }
      object.detailsVersion = Number(version)
      object.details = readDetails(() => ({ ...readAllDetails(definition, text, listPartIds(parts), source).details }))
    }
  }
  const readOnly = new Map(detailed.map(({ batch, definition }) => [batch.resource.path, definition.body.readOnly]))
  return {
    find: ({ resource, id }: ChangedObject) => current.get(key(resource, id)),
    /** Whether an object exists that a field named before the set. */
    exists: (path: ResourcePath, id: string) => found.get(path)?.byId.has(id) === true,
    /** `setsCounters`: the set is one that sets counters, except the stock, which adjustments take back. */
    listSpared(path: ResourcePath, setsCounters: boolean): SparedFields {
      const { resource, updateRules } = getBatchResource(path)
      const fields = new Set([...Object.keys(resource.counters), ...updateRules.readOnly, ...alwaysSpared])
      const counters = Object.entries(resource.counters).flatMap(([field, { isStock }]) =>
        setsCounters && !isStock ? [field] : [],
      )
      return { fields, details: readOnly.get(path) ?? new Set(), counters: new Set(counters) }
    },
  }
}

/** Details that cannot be read differ from all others. */
function readDetails(read: () => Draft): Draft {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    return { damaged: true }
  }
}
