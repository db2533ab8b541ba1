import type { Caller } from '../../../catalogue/resource/caller.ts'
import type { ReadObject } from '../../../catalogue/resource/row-mapping.ts'
import type { Statement, Values } from '../../../platform/db/database.ts'
import { withRawRows } from '../../../platform/db/query.ts'
import type { Row } from '../../../platform/db/row.ts'
import { ApiError } from '../../../platform/errors.ts'
import { limits } from '../../../platform/http/fields.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import type { BatchOperation } from '../operation.ts'
import { listWanted, type Wanted } from './wanted-objects.ts'

/** An object that a batch names. */
export interface NamedObject {
  id: string
  seq: number
  version: number
  updatedAt: number
  externalId?: string | undefined
  /** Number of references to it, up to one more than a transaction removes, if the batch deletes it. */
  references?: number
}

/** Data of one resource that a batch depends on. */
export interface FoundObjects {
  byId: Map<string, NamedObject>
  /** Undefined for an object that the key cannot access. */
  byExternalId: Map<string, NamedObject | undefined>
  /** Objects with all columns, by id. */
  whole: Map<string, ReadObject<object>>
  /** Ids of objects with the requested values of unique columns, by column and value. */
  holders: Map<string, Map<string, string>>
  /** Number of objects, if the resource limits it. */
  count: number
}
export type Found = ReadonlyMap<ResourcePath, FoundObjects>

const toNamedObject = (row: {
  id: string | null
  seq: number | null
  version: number | null
  updatedAt: number | null
  externalId: string | null
}) =>
  row.id === null || row.seq === null || row.version === null || row.updatedAt === null
    ? undefined
    : {
        id: row.id,
        seq: row.seq,
        version: row.version,
        updatedAt: row.updatedAt,
        externalId: row.externalId ?? undefined,
      }

/** A statement, and a function for its rows. */
export type Read = readonly [Statement<unknown>, Values, (rows: readonly Row[]) => void]

function* listReads(
  { scope }: Pick<Caller, 'scope'>,
  wanted: Wanted,
  found: FoundObjects,
  addBytes: (bytes: number) => void,
): Iterable<Read> {
  const { batch, values } = wanted
  const { resource, mapping } = batch
  const statements = batch.read(scope)
  const toParameters = (ids: ReadonlySet<string>, externalIds: ReadonlySet<string>) => ({
    ...scope,
    ids: JSON.stringify([...ids]),
    externalIds: JSON.stringify([...externalIds]),
  })
  if (wanted.ids.size + wanted.externalIds.size > 0) {
    const statement = statements.find()
    yield [
      statement,
      toParameters(wanted.ids, wanted.externalIds),
      (rows) => {
        for (const row of rows.map(statement.read)) {
          const object = toNamedObject(row)
          if (object) found.byId.set(object.id, object)
          if (row.externalId !== null) found.byExternalId.set(row.externalId, object)
        }
      },
    ]
  }
  const countReferences = statements.countReferences()
  if (countReferences && wanted.deletedIds.size + wanted.deletedExternalIds.size > 0) {
    yield [
      countReferences,
      toParameters(wanted.deletedIds, wanted.deletedExternalIds),
      (rows) => {
        for (const { id, count } of rows.map(countReferences.read)) {
          const object = found.byId.get(id)
          if (object) object.references = count
        }
      },
    ]
  }
  if (wanted.wholeIds.size + wanted.wholeExternalIds.size > 0) {
    yield [
      statements.findWhole(),
      { ...toParameters(wanted.wholeIds, wanted.wholeExternalIds), maxBytes: limits.batchObjectBytes },
      (rows) => {
        addBytes(Number(rows[0]?.['total_bytes'] ?? 0))
        for (const row of rows) {
          if (row['id'] === null) continue
          const object = mapping.readAsFarAsPossible(row)
          found.whole.set(object.id, object)
        }
      },
    ]
  }
  for (const { key, statement } of statements.findHolders()) {
    const asked = values.get(key) ?? new Set()
    if (asked.size === 0) continue
    yield [
      statement,
      { ...scope, [key]: JSON.stringify([...asked]) },
      (rows) => {
        found.holders.set(key, new Map(rows.map(statement.read).map(({ value, id }) => [value, id])))
      },
    ]
  }
  const { maxPerMode } = resource
  if (maxPerMode !== undefined && wanted.countsObjects) {
    const statement = statements.count()
    yield [
      statement,
      { ...scope, limit: maxPerMode },
      ([row]) => {
        if (row) found.count = statement.read(row).count
      },
    ]
  }
}

/** Data that details or limits of operations depend on. */
export interface SideReads {
  /** External ids of the objects that details name, by resource. */
  externalIds?: ReadonlyMap<ResourcePath, ReadonlySet<string>>
  /** The statements that read it. `addBytes` takes the size of stored details. */
  listReads(addBytes: (bytes: number) => void): Iterable<Read>
}

/** Reads all data that the operations of a batch depend on, in one round trip. Throws `batch_too_large`. */
export async function findObjects(
  caller: Pick<Caller, 'database' | 'scope'>,
  operations: readonly BatchOperation[],
  returnObjects: boolean,
  sides: readonly SideReads[] = [],
): Promise<Found> {
  const all = new Map<ResourcePath, FoundObjects>()
  let bytes = 0
  const addBytes = (more: number) => {
    bytes += more
  }
  const wanted = listWanted(operations, returnObjects)
  for (const [path, externalIds] of sides.flatMap((side) => [...(side.externalIds ?? [])])) {
    for (const externalId of externalIds) wanted.get(path)?.externalIds.add(externalId)
  }
  const reads = wanted
    .values()
    .flatMap((wanted) => {
      const found: FoundObjects = {
        byId: new Map(),
        byExternalId: new Map(),
        whole: new Map(),
        holders: new Map(),
        count: 0,
      }
      all.set(wanted.batch.resource.path, found)
      return listReads(caller, wanted, found, addBytes)
    })
    .toArray()
  reads.push(...sides.flatMap((side) => [...side.listReads(addBytes)]))
  if (reads.length === 0) return all
  const results = await caller.database.run(
    ...reads.map(([statement, values]): [Statement, Values] => [withRawRows(statement), values]),
  )
  for (const [index, rows] of results.entries()) reads[index]?.[2](rows)
  if (bytes > limits.batchObjectBytes) {
    throw new ApiError(
      'batch_too_large',
      `The objects that the batch changes have ${bytes} bytes. The limit is ${limits.batchObjectBytes}.`,
    )
  }
  return all
}
