import * as z from 'zod/mini'
import type { Values } from '../../../platform/db/database.ts'
import { ConstraintError } from '../../../platform/db/database-errors.ts'
import { parseJson } from '../../../platform/db/query.ts'
import type { Row } from '../../../platform/db/row.ts'
import { sqlName } from '../../../platform/db/sql-name.ts'
import { isUndoneIf, type Write } from '../../../platform/db/transaction.ts'
import { ApiError, notFound } from '../../../platform/errors.ts'
import { toJsonLists } from '../../../platform/lib/encoding/json-lists.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { toSeconds } from '../../../platform/lib/time.ts'
import { type ChangeSet, changeSetPrefix, recordChanges } from '../../../platform/outbox/change-sets.ts'
import { idPrefixLength } from '../../../platform/outbox/insert-event.ts'
import type { Caller } from '../caller.ts'
import type { Draft, ResourceDefinition } from '../definition.ts'
import { busy, maxWriteAttempts, pauseAfter } from '../object-lock.ts'
import { spansBothModes } from '../plan.ts'
import type { StoredObject } from '../row-mapping.ts'
import { listUnrecorded } from '../statements/kept-columns.ts'
import { throwClientError, tooMany, violatesVersion } from '../store/client-errors.ts'
import { createChangeValues, createOperation, findDangling, findRow, type Store, write } from '../store/store.ts'
import { getDeletedStatements } from './deleted-statements.ts'
import { listReturnedRows } from './kept-rows.ts'
import { readEventRow } from './list-deleted.ts'
import { differs, insertAt, removeAt } from './places.ts'
import { getRestoreStatements } from './restore-statements.ts'
import { createReturnedDetails } from './returned-details.ts'

/** Result of a restore: the parts that could not return, and the places where the object stands again. */
export interface Restored<Item> extends StoredObject<Item> {
  /** References to objects that are gone, and an external id that another object has. */
  omitted: readonly { field: string; id: string }[]
  placed: readonly { resource: string; id: string }[]
}

/** Data that a deletion kept: rows by the names of their tables, and other members. */
export const keptRows = z.record(z.string(), z.unknown())
const placeList = z.catch(z.array(z.tuple([z.string(), z.string()])), [])

/** Throws the problem of an object without a deletion that can be taken back. */
async function throwGone(
  { resource }: Store,
  { database, scope }: Caller,
  id: string,
  isErased: boolean,
): Promise<never> {
  if (isErased) throw notFound()
  const { audited } = getDeletedStatements(resource, spansBothModes(resource, scope))
  const [entries] = await database.run([audited(), { ...scope, id }])
  const operations = entries.map(({ operation }) => operation)
  if (operations.length === 0 || operations.some((operation) => operation.endsWith('.erase'))) throw notFound()
  throw new ApiError('gone', `The ${resource.name} was deleted, and can no longer be restored.`)
}

/** The object without references to objects that are gone, and these references. */
async function withoutDangling(store: Store, caller: Caller, item: Draft) {
  const dangling = await findDangling(store, caller, item)
  const missing = new Set(dangling.map(({ pointer }) => pointer))
  let left: unknown = item
  const omitted = store.resource.references.flatMap(({ path, field, listIds }) => {
    const gone = new Set(listIds(item).flatMap(({ pointer, id }) => (missing.has(pointer) ? [id] : [])))
    if (gone.size > 0) left = removeAt(left, path, gone)
    return [...gone].map((id) => ({ field, id }))
  })
  return { left, omitted }
}

/** Columns that events do not record, as the deletion kept them. */
export function readColumns(resource: ResourceDefinition, kept: Draft): Draft {
  const columns = keptRows.safeParse(kept['columns']).data ?? {}
  return Object.fromEntries(
    listUnrecorded(resource).flatMap(([key, column]) => {
      const value = columns[sqlName(key)]
      return value === undefined ? [] : [[key, column.mapFromDriverValue(value)]]
    }),
  )
}

/** Finds the objects that named the object, and the values that put it back. A change of an owner since it was read undoes the transaction. */
async function planPlaces({ resource }: Store, { database }: Caller, values: Values, kept: Draft, id: string) {
  const places = placeList.parse(kept['places'])
  const owners = Map.groupBy(places, ([path]) => path)
  const placings = getRestoreStatements(resource)
    .placings()
    .filter(({ owner }) => owners.has(owner.path))
  if (placings.length === 0) return []
  const found = await database.run<Row[]>(
    ...placings.map(({ find, owner }) => {
      const ids = JSON.stringify(owners.get(owner.path)?.map(([, id]) => id) ?? [])
      return [find, { ...values, owners: ids }] as const
    }),
  )
  return placings.map(({ owner, field, statements }, index) => {
    const path = owner.references.find((reference) => reference.field === field)?.path.slice(1) ?? []
    const rows = [found[index] ?? []].flat()
    const changed = rows.flatMap((row) => {
      const [before, was] = [row['value'], row['was']].map((text) =>
        typeof text === 'string' ? parseJson(text) : null,
      )
      const value = insertAt(before, was, path, id)
      return differs(value, before) ? [{ id: String(row['id']), version: row['version'], value, previous: before }] : []
    })
    return { owner, statements, changed }
  })
}

/** Brings back a deleted object with what the deletion removed. Of an object that exists, returns it unchanged. */
export async function restoreObject<Item extends object>(
  store: Store<Item>,
  requester: Caller,
  id: string,
  respond: (restored: Restored<Item>) => Response | Promise<Response>,
): Promise<Restored<Item>> {
  const { resource, mapping, statements } = store
  const changeSet: ChangeSet = { id: createId(changeSetPrefix), kind: 'restore' }
  const caller: Caller = { ...requester, changeSet: changeSet.id, cause: { ...requester.cause, restored: true } }
  const { database, scope } = caller
  const bothModes = spansBothModes(resource, scope)
  database.usePrimary()
  for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
    const current = await findRow(store, caller, { id })
    if (current) return { ...mapping.read(current), omitted: [], placed: [] }
    const [[deletion]] = await database.run([getDeletedStatements(resource, bothModes).find(), { ...scope, id }])
    if (!deletion || deletion.kept === null) return throwGone(store, caller, id, deletion?.erasedAt != null)
    const nowMs = Date.now()
    const kept = keptRows.parse(parseJson(deletion.kept))
    const before = mapping.read({ ...readEventRow({ ...deletion }), merchant_id: scope.merchantId })
    const mode = Reflect.get(before.item, 'testMode') === true
    const own: Caller = { ...caller, scope: { ...scope, testMode: mode } }
    const restoring = getRestoreStatements(resource)
    const { left, omitted } = await withoutDangling(store, own, mapping.toRow(before.item))
    const values = {
      ...createChangeValues(caller, before, nowMs),
      mode: mode ? 1 : 0,
      deletion: deletion.seq,
      transaction: deletion.id.slice(0, idPrefixLength),
    }
    const { externalId } = before
    const [taken] =
      externalId === undefined ? [[]] : await database.run([restoring.takenExternalId(), { ...values, externalId }])
    const isTaken = taken.length > 0
    const placings = await planPlaces(store, own, values, kept, id)
    const returned = await createReturnedDetails(scope.merchantId, [{ resource, id, kept }])
    const related = await returned.findRelated(own)
    const updatedAt = Math.max(toSeconds(nowMs), Number(Reflect.get(before.item, 'updatedAt')) + 1)
    const item = resource.item.parse({ ...(typeof left === 'object' ? left : {}), updatedAt })
    const row = { ...mapping.toRow(item), ...readColumns(resource, kept) }
    const restored: Restored<Item> = {
      id,
      item,
      version: deletion.version + 1,
      externalId: isTaken ? undefined : externalId,
      omitted: [...omitted, ...(isTaken && externalId !== undefined ? [{ field: 'externalId', id: externalId }] : [])],
      placed: placings.flatMap(({ owner, changed }) => changed.map((each) => ({ resource: owner.path, id: each.id }))),
    }
    const shared = { ...values, externalId: restored.externalId }
    const objects = [{ id, after: row, externalId: restored.externalId }]
    const insertedRows = restoring.kept().flatMap(({ name, insert }): Write => {
      const rows = listReturnedRows(kept, name, id)
      return rows.length === 0 ? [] : toJsonLists(rows).map((list) => [insert, { ...shared, rows: list }])
    })
    const writes: Write = [
      ...statements.writes.limit(shared),
      ...restoring.takeOver().map((statement) => [statement, shared] as const),
      ...insertedRows,
      ...statements.writes.dependents(shared, objects),
      [statements.insertEvent.created(bothModes), shared],
      ...returned
        .plan(related, [{ path: resource.path, id, item }])
        .map(
          (details) => [restoring.insertDetailsEvents(), { ...shared, rows: JSON.stringify([details.event]) }] as const,
        ),
      ...resource.hooks.restoreStatements().map((statement) => [statement, shared] as const),
      ...placings.flatMap(
        ({ statements: placing, changed }): Write =>
          changed.length === 0
            ? []
            : toJsonLists(changed).flatMap((places) =>
                placing.map((statement) => [statement, { ...shared, places }] as const),
              ),
      ),
      ...recordChanges(own, changeSet, { created: 1 }, values.now),
    ]
    try {
      await write(
        resource,
        caller,
        await createOperation(caller, resource, 'restore', restored, () => respond(restored)),
        shared,
        [[statements.insert(), { ...row, merchantId: scope.merchantId, version: deletion.version + 1 }]],
        writes,
      )
      return restored
    } catch (error) {
      if (resource.maxPerMode !== undefined && isUndoneIf(error)) throw tooMany(resource, resource.maxPerMode)
      const isLost = placings.some(({ owner }) => violatesVersion(owner, error))
      // Another request may have restored it in between. It then has its own code, too.
      const isDuplicate = error instanceof ConstraintError && error.kind === 'unique'
      const isBack = isDuplicate && (await findRow(store, caller, { id })) !== undefined
      if (!isLost && !isBack) await throwClientError(store, caller, error, row)
      await pauseAfter(attempt)
    }
  }
  throw busy()
}
