import { parseJson } from '../../../platform/db/query.ts'
import type { Row } from '../../../platform/db/row.ts'
import { notFound } from '../../../platform/errors.ts'
import { invalidParameter } from '../../../platform/http/pagination.ts'
import { createIdAt } from '../../../platform/lib/ids.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { Caller } from '../caller.ts'
import type { Draft } from '../definition.ts'
import { readEventRow } from '../deleted/list-deleted.ts'
import { spansBothModes } from '../plan.ts'
import type { StoredObject } from '../row-mapping.ts'
import { findRow, type Store } from '../store/store.ts'
import { getHistoryStatements } from './history-statements.ts'
import { historyExpired } from './past.ts'

/** A JSON object of an event. Empty if it has none. */
export function toMembers(text: unknown): Draft {
  const value = typeof text === 'string' ? parseJson(text) : undefined
  return isObject(value) ? value : {}
}

/** Values after an event with the old ones in place of those that it changed. */
function setBack(after: Draft, previous: Draft): Draft {
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

/** The object at the end of a second. Throws `not_found` if it did not exist then, and `events_expired` before the history begins. */
export async function findObjectAt<Item extends object>(
  store: Store<Item>,
  caller: Caller,
  id: string,
  at: number,
): Promise<StoredObject<Item>> {
  const { resource, mapping } = store
  const { database, scope } = caller
  if (resource.hidden.length > 0) {
    throw invalidParameter(
      'at',
      'invalid_value',
      `must not be given for ${resource.path}: events do not have their secrets`,
    )
  }
  // A replica may lack the last changes.
  database.usePrimary()
  const statements = getHistoryStatements(resource, spansBothModes(resource, scope))
  const values = toValues(caller, id, at)
  const read = (event: Row & { erasedAt: number | null }) => {
    if (event.erasedAt !== null && resource.path === 'customers') throw notFound()
    return mapping.read({ ...readEventRow(event), merchant_id: scope.merchantId })
  }
  const [[last], [next], unnamed] = await database.run(
    [statements.object.until(), values],
    [statements.object.after(), values],
    [statements.begins(), values],
  )
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
    if (unnamed.length > 0) throw historyExpired()
    return current
  }
  const later = read(next)
  if (!isPast(later)) throw notFound()
  if (unnamed.length > 0) throw historyExpired()
  const { id: _, ...before } = later
  if (isVerb(next, 'deleted')) return { ...before, id, version: next.version - 1 }
  const fields = setBack(mapping.toRow(later.item), toMembers(next.previous))
  // The time of the change before it is not known.
  const updatedAt = Math.min(at, Number(fields['updatedAt']))
  return { ...before, id, version: next.version - 1, item: resource.item.parse({ ...fields, updatedAt }) }
}

/** The details of an object at the end of a second; undefined: those of the present. Throws like `findObjectAt`. */
export async function findDetailsAt(
  store: Store,
  caller: Caller,
  id: string,
  at: number,
): Promise<{ details: Draft; version: number } | undefined> {
  const { resource } = store
  await findObjectAt(store, caller, id, at)
  const { details } = getHistoryStatements(resource, spansBothModes(resource, caller.scope))
  const values = toValues(caller, id, at)
  const [[last], [next]] = await caller.database.run([details.until(), values], [details.after(), values])
  const event = last ?? next
  if (!event) return undefined
  const after = toMembers(event.row)['details']
  const shown = isObject(after) ? after : {}
  return last
    ? { details: shown, version: event.version }
    : { details: setBack(shown, toMembers(event.previous)), version: event.version - 1 }
}
