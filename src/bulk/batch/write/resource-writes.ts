import { getTableColumns } from 'drizzle-orm'
import type { Draft } from '../../../catalogue/resource/definition.ts'
import type { PlannedUpdate } from '../../../catalogue/resource/plan.ts'
import { maxPrunedTogether } from '../../../catalogue/resource/statements/prune-statements.ts'
import type { WrittenObject } from '../../../catalogue/resource/statements/row-writes.ts'
import { getColumn, type Statement, type Values } from '../../../platform/db/database.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import type { BatchResource } from '../batch-resource.ts'
import type { RestoredObject } from '../operation.ts'
import type { NamedObject } from '../plan/find-objects.ts'
import type { Step } from '../plan/operation-step.ts'
import { forRows } from '../statements/row-parameters.ts'

/** A row that a batch inserts. */
interface CreatedRow {
  id: string
  row: Draft
  externalId?: string | undefined
  /** The deleted object that the row brings back. */
  restored?: RestoredObject | undefined
}

/** Writes of a batch to one resource. */
export interface ResourceWrites {
  batch: BatchResource
  creates: readonly CreatedRow[]
  /** `externalId` is one that an object without an external id gets. */
  changes: readonly { object: NamedObject; change: PlannedUpdate<object>; externalId?: string | undefined }[]
  deletions: readonly NamedObject[]
  /** Those of the deletions that too many objects name to change them in the transaction: they are hidden. */
  hidden: readonly NamedObject[]
}

/** The parameters of all statements of a batch. */
export type BatchValues = Values & Scope & { now: number }

/** Collects the writes of successful operations to one resource. */
export function toResourceWrites(batch: BatchResource, steps: readonly Step[]): ResourceWrites {
  const own = steps.filter((step) => step.batch === batch && !step.problem)
  const deletions = own.flatMap(({ kind, object }) => (kind === 'delete' && object ? [object] : []))
  let references = 0
  const hidden = deletions.filter((object) => {
    const isHidden = references + (object.references ?? 0) > maxPrunedTogether
    if (!isHidden) references += object.references ?? 0
    return isHidden
  })
  return {
    batch,
    creates: own.flatMap(({ id, created, externalId, operation: { restored } }) =>
      created ? [{ id, row: created.row, externalId, restored }] : [],
    ),
    changes: own.flatMap(({ object, change, operation: { newExternalId: externalId } }) =>
      object && change ? [{ object, change, externalId }] : [],
    ),
    deletions,
    hidden,
  }
}

/** Columns as D1 stores them. Absent values are null. */
const encodeColumns = ({ resource: { table } }: BatchResource, row: Draft, keys: readonly string[]): Draft =>
  Object.fromEntries(
    keys.map((key) => {
      const value = row[key] ?? null
      return [key, value === null ? null : getColumn(table, key).mapToDriverValue(value)]
    }),
  )

const toSeqs = (objects: readonly NamedObject[]) => JSON.stringify(objects.map(({ seq }) => seq))

/** Removes references to the deleted objects from other objects. Skips objects that the batch changes or deletes itself. */
export function pruneOwners(
  { batch, deletions: deleted, hidden }: ResourceWrites,
  all: readonly ResourceWrites[],
  values: BatchValues,
): Write {
  const deletions = deleted.filter((object) => !hidden.includes(object))
  if (deletions.length === 0) return []
  const ids = JSON.stringify(deletions.map(({ id }) => id))
  return batch
    .write(values)
    .prune()
    .flatMap(({ owner, statements }): Write => {
      const own = all.find((writes) => writes.batch.resource === owner)
      const spared = toSeqs([...(own?.changes.map(({ object }) => object) ?? []), ...(own?.deletions ?? [])])
      return statements.map((statement) => [statement, { ...values, ids, seqs: toSeqs(deletions), spared }])
    })
}

/** Inserts the events of deleted objects, while their rows exist. */
export const insertDeletedEvents = ({ batch, deletions }: ResourceWrites, values: BatchValues): Write =>
  deletions.length === 0 ? [] : [[batch.write(values).insertDeletedEvents(), { ...values, seqs: toSeqs(deletions) }]]

/** Deletes objects, after the additional statements of the resource. */
export function deleteObjects({ batch, deletions, hidden }: ResourceWrites, values: BatchValues): Write {
  const { hide, remove } = batch.write(values)
  const own = batch.resource.hooks.extraStatements(undefined, undefined)
  const toWrites = (statements: readonly Statement[], objects: readonly NamedObject[]): Write => {
    if (objects.length === 0) return []
    const ids = JSON.stringify(objects.map(({ id }) => id))
    return statements.map((statement) => [statement, { ...values, ids, seqs: toSeqs(objects) }])
  }
  return [
    ...toWrites(own, deletions),
    ...toWrites(hide(), hidden),
    ...toWrites(
      [remove()],
      deletions.filter((object) => !hidden.includes(object)),
    ),
  ]
}

/** Inserts and changes rows. Unique values that move between objects are released first. */
export function writeRows(writes: ResourceWrites, values: BatchValues): Write {
  const { batch, creates, changes } = writes
  const { resource } = batch
  const { release, insert, update } = batch.write(values)
  const columns = Object.keys(getTableColumns(resource.table)).filter(
    (key) => key !== 'seq' && key !== 'merchantId' && key !== 'version',
  )
  const uniqueColumns = Object.keys(resource.uniqueFields)
  const releasing = changes.filter(({ change }) => uniqueColumns.some((column) => change.changed.includes(column)))
  const changed = new Set(changes.flatMap(({ change }) => change.changed))
  const keys = columns.filter((key) => changed.has(key))
  const released = toSeqs(releasing.map(({ object }) => object))
  return [
    ...(releasing.length > 0 ? release().map((statement) => [statement, { ...values, seqs: released }] as const) : []),
    ...forRows(
      insert,
      values,
      creates.map(({ row, restored }) => ({
        ...encodeColumns(batch, row, columns),
        ...(restored && { version: restored.version }),
      })),
    ),
    ...forRows(
      () => update(keys),
      values,
      changes.map(({ object, change: { row, changed } }) => ({
        seq: object.seq,
        ...encodeColumns(batch, row, changed),
      })),
    ),
    ...(creates.length > 0 ? batch.writes.limit(values) : []),
  ]
}

const toWrittenObjects = ({ creates, changes }: ResourceWrites): WrittenObject[] => [
  ...creates.map(({ id, row, externalId }) => ({ id, after: row, externalId })),
  ...changes.map(({ object: { id }, change: { before, row, repairs }, externalId }) => ({
    ...{ id, before, after: row, repairs, externalId },
  })),
]

/** Writes external ids, links and search terms. */
export const writeDependents = (writes: ResourceWrites, values: BatchValues): Write =>
  writes.batch.writes.dependents(values, toWrittenObjects(writes))

/** Inserts the events of new and of changed objects. */
export function insertEvents({ batch, creates, changes }: ResourceWrites, values: BatchValues): Write {
  const rows = [
    ...creates.flatMap(({ id, restored }) => (restored ? [] : [{ id, verb: 'created' }])),
    ...changes.map(({ object: { id }, change: { previous } }) => ({
      id,
      verb: 'updated',
      previous: JSON.stringify(previous),
    })),
  ]
  return forRows(batch.write(values).insertEvents, values, rows)
}

/** Additional statements of the resource for creates and updates. */
export const writeExtras = (writes: ResourceWrites, values: BatchValues): Write =>
  writes.batch.writes.extras(
    values,
    toWrittenObjects({ ...writes, creates: writes.creates.filter(({ restored }) => !restored) }),
  )
