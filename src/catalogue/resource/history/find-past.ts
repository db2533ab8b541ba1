import type { Values } from '../../../platform/db/database.ts'
import type { Row } from '../../../platform/db/row.ts'
import { notFound } from '../../../platform/errors.ts'
import { invalidParameter } from '../../../platform/http/pagination.ts'
import { createIdAt } from '../../../platform/lib/ids.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { Caller } from '../caller.ts'
import type { Draft } from '../definition.ts'
import { readKeptDetails, toMembers } from '../deleted/kept-rows.ts'
import { readEventRow } from '../deleted/list-deleted.ts'
import { normalizeDetails } from '../details/details-definition.ts'
import { spansBothModes } from '../plan.ts'
import type { StoredObject } from '../row-mapping.ts'
import { findRow, type ObjectKey, type Store } from '../store/store.ts'
import { getHistoryStatements } from './history-statements.ts'
import { historyExpired, tooManyEvents } from './past.ts'

/** Values after an event with the old ones in place of those that it changed. */
export function setBack(after: Draft, previous: Draft): Draft {
  const before: Record<string, unknown> = { ...after }
  for (const [field, value] of Object.entries(previous)) {
    if (value === null) delete before[field]
    else before[field] = value
  }
  return before
}

const isVerb = ({ type }: { type: string }, verb: string) => type.endsWith(`.${verb}`)

/** Parameters of the statements about the end of a second. */
const toValues = ({ scope }: Caller, id: string, at: number) => {
  const endMs = (at + 1) * 1000
  return { ...scope, id, endMs, from: createIdAt('evt', endMs) }
}

/** Reads the last event of the object until a time and the first one after it, and with `details` those of its details. One round trip. */
async function readEvents({ resource }: Store, { database, scope }: Caller, values: Values, includesDetails: boolean) {
  const statements = getHistoryStatements(resource, spansBothModes(resource, scope))
  const { object, details } = statements
  const [[last], [next], unnamed, older, [lastDetails] = [], [nextDetails] = []] = await database.run(
    [object.until(), values],
    [object.after(), values],
    [statements.begins(), values],
    [statements.end(), values],
    ...(includesDetails ? [[details.until(), values] as const, [details.after(), values] as const] : []),
  )
  if (!last && older.length > 0) throw tooManyEvents('the object')
  return { last, next, isBefore: unnamed.length > 0, details: { last: lastDetails, next: nextDetails } }
}
type Events = Awaited<ReturnType<typeof readEvents>>

/** The id of an object that a request names. An external id names the object that has it, else the last deleted one that had it. */
async function findId(store: Store, caller: Caller, key: ObjectKey): Promise<string> {
  if (key.id !== undefined) return key.id
  const row = await findRow(store, caller, key)
  if (row) return String(row['id'])
  const { deletedWith } = getHistoryStatements(store.resource, spansBothModes(store.resource, caller.scope))
  const [[deleted]] = await caller.database.run([deletedWith(), { ...caller.scope, ...key }])
  if (!deleted) throw notFound()
  return deleted.id
}

/** The object as its events tell. Throws `not_found` if it did not exist then, and `events_expired` before the history begins. */
async function toObject<Item extends object>(
  store: Store<Item>,
  caller: Caller,
  { id, at }: { id: string; at: number },
  { last, next, isBefore }: Events,
): Promise<StoredObject<Item>> {
  const { resource, mapping } = store
  const read = (event: Row & { erasedAt: number | null }) => {
    if (event.erasedAt !== null && resource.path === 'customers') throw notFound()
    return mapping.read({ ...readEventRow(event), merchant_id: caller.scope.merchantId })
  }
  if (last) {
    if (isVerb(last, 'deleted')) throw notFound()
    return read(last)
  }
  if (next && isVerb(next, 'created')) throw notFound()
  const isPast = ({ item }: StoredObject<Item>) => Number(Reflect.get(item, 'createdAt')) <= at
  if (!next) {
    const row = await findRow(store, caller, { id })
    const current = row && mapping.read(row)
    if (!current || !isPast(current)) throw notFound()
    if (isBefore) throw historyExpired()
    return current
  }
  const later = read(next)
  if (!isPast(later)) throw notFound()
  if (isBefore) throw historyExpired()
  const { id: _, ...before } = later
  if (isVerb(next, 'deleted')) return { ...before, id, version: next.version - 1 }
  const fields = setBack(mapping.toRow(later.item), toMembers(next.previous))
  // The time of the change before it is not known.
  const updatedAt = Math.min(at, Number(fields['updatedAt']))
  return { ...before, id, version: next.version - 1, item: resource.item.parse({ ...fields, updatedAt }) }
}

/** The object at the end of a second, in up to three round trips. */
export async function findObjectAt<Item extends object>(
  store: Store<Item>,
  caller: Caller,
  key: ObjectKey,
  at: number,
): Promise<StoredObject<Item>> {
  const { hidden, path } = store.resource
  if (hidden.length > 0) {
    const message = `must not be given for ${path}: events do not have their secrets`
    throw invalidParameter('at', 'invalid_value', message)
  }
  // A replica may lack the last changes.
  caller.database.usePrimary()
  const id = await findId(store, caller, key)
  const events = await readEvents(store, caller, toValues(caller, id, at), false)
  return toObject(store, caller, { id, at }, events)
}

/** Details that a deletion removed. */
function showKeptDetails({ resource }: Store, id: string, kept: Draft) {
  const { data = {}, translations = {}, version = 0 } = readKeptDetails(kept, id) ?? {}
  const stored = normalizeDetails({ ...data, translations })
  const { data: details = {} } = resource.details?.get().view.safeParse(stored) ?? {}
  return { details: { ...details }, version }
}

/** The details of an object at the end of a second; undefined: those of the present. In up to two round trips. Throws like `findObjectAt`. */
export async function findDetailsAt(
  store: Store,
  caller: Caller,
  id: string,
  at: number,
): Promise<{ details: Draft; version: number } | undefined> {
  caller.database.usePrimary()
  const events = await readEvents(store, caller, toValues(caller, id, at), true)
  await toObject(store, caller, { id, at }, events)
  const { last, next } = events.details
  const event = last ?? next
  if (!event) return undefined
  if (isVerb(event, 'deleted')) return showKeptDetails(store, id, toMembers(event.kept))
  const after = toMembers(event.row)['details']
  const shown = isObject(after) ? after : {}
  return last
    ? { details: shown, version: event.version }
    : { details: setBack(shown, toMembers(event.previous)), version: event.version - 1 }
}
