import type { List } from '../collection.ts'
import type { BatchResult, BatchResults } from '../models.ts'
import { type CreateFields, type ListedObject, type ResourcePath, toBatches, type WithReferences } from './batch.ts'

/** Options of `syncCatalogue`. */
export interface SyncOptions<Row, Path extends ResourcePath> {
  /** Resource of the rows. */
  resource: Path
  /** The row's own id in the source system. Rows need different ids. */
  externalId: (row: Row) => string
  /** The fields of a row. Default: the row itself. */
  fields?: (row: Row) => WithReferences<CreateFields<Path>>
  /** Deletes objects whose external id is not in the rows. Objects without an external id stay. Default: false. */
  deleteMissing?: boolean
}

/** Numbers of objects by outcome. */
export interface SyncResult {
  created: number
  updated: number
  unchanged: number
  deleted: number
  /** Operations that the service rejected, with the external id of each. */
  failed: { externalId: string; problem: BatchResult['problem'] }[]
}

/** An object of a list with `include=externalId,version`. */
export type Identified<Item> = Item & { externalId?: string; version: number }

/** An operation in the form that is sent. */
interface SyncOperation {
  op: 'upsert' | 'delete'
  resource: string
  externalId: string
  body?: object
}

/** The version in an ETag: `"7-…"` is 7. */
const toVersion = (etag = '') => Number(/^"(\d+)-/.exec(etag)?.[1])

/** Whether a stored object has every field of a row. Numbers may be written as text; `null` is an absent field. */
function includes(stored: unknown, wanted: unknown): boolean {
  if (wanted === null || wanted === undefined) return stored === undefined
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(stored) && stored.length === wanted.length && wanted.every((item, at) => includes(stored[at], item))
    )
  }
  if (typeof wanted !== 'object') {
    return stored === wanted || (typeof stored === 'number' && typeof wanted === 'string' && stored === Number(wanted))
  }
  if (typeof stored !== 'object' || stored === null) return false
  return Object.entries(wanted).every(([key, value]) => includes(Reflect.get(stored, key), value))
}

/**
 * Makes a resource equal to the rows of a source system: upserts the rows that differ from the stored objects, in batches. A second call with the
 * same rows makes no changes. Throws `TypeError` if two rows have one external id.
 */
export async function sync<Row extends object, Path extends ResourcePath>(
  rows: Iterable<Row>,
  options: SyncOptions<Row, Path>,
  list: (resource: Path) => List<Identified<ListedObject<Path>>>,
  send: (operations: readonly SyncOperation[]) => Promise<BatchResults>,
): Promise<SyncResult> {
  const { resource, externalId, fields, deleteMissing = false } = options
  const wanted = new Map<string, object>()
  for (const row of rows) {
    const id = externalId(row)
    if (wanted.has(id)) throw new TypeError(`Two rows have the external id ${JSON.stringify(id)}.`)
    wanted.set(id, fields ? fields(row) : row)
  }
  const result: SyncResult = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: [] }
  const surplus: string[] = []
  const versions = new Map<string, number>()
  for await (const stored of list(resource)) {
    const { externalId: id } = stored
    if (id === undefined) continue
    const row = wanted.get(id)
    versions.set(id, stored.version)
    if (!row) surplus.push(id)
    else if (includes(stored, row)) {
      wanted.delete(id)
      result.unchanged++
    }
  }
  const deletions = deleteMissing ? surplus : []
  const operations: SyncOperation[] = [
    ...deletions.map((id) => ({ op: 'delete' as const, resource, externalId: id })),
    ...Array.from(wanted, ([id, body]) => ({ op: 'upsert' as const, resource, externalId: id, body })),
  ]
  for (const batch of toBatches(operations)) {
    const { results } = await send(batch)
    for (const { index, status, etag, problem } of results) {
      const { op, externalId: id = '' } = batch[index] ?? {}
      if (problem) result.failed.push({ externalId: id, problem })
      else if (op === 'delete') result.deleted++
      else if (status === 201) result.created++
      // A body that names objects by external id differs from the stored one even if nothing changes.
      else if (versions.get(id) === toVersion(etag)) result.unchanged++
      else result.updated++
    }
  }
  return result
}
