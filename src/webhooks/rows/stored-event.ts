import { DamagedError } from '../../platform/db/damaged-rows.ts'
import { createReader, type RowOf } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { sqlName } from '../../platform/db/sql-name.ts'
import { maxSeconds } from '../../platform/lib/day.ts'

/** Columns of an event whose size is limited. */
export const smallEventFields = {
  id: eventTable.id,
  merchantId: eventTable.merchantId,
  testMode: eventTable.testMode,
  type: eventTable.type,
  version: eventTable.version,
  seq: eventTable.seq,
  at: eventTable.at,
  baseUrl: eventTable.baseUrl,
  externalId: eventTable.externalId,
  context: eventTable.context,
}
/** Columns of an event that may be as large as an object. */
export const largeEventFields = { row: eventTable.row, previous: eventTable.previous, payload: eventTable.payload }
/** Columns that rendering an event requires. */
export const eventFields = { ...smallEventFields, ...largeEventFields }
export type StoredEvent = RowOf<typeof eventFields>

/** Events of the request's merchant and mode. */
export const isEventInScope = isInScope(eventTable)

/** Latest time of an event, in milliseconds. */
const maxTime = maxSeconds * 1000 + 999

/** The error of a damaged event. */
export const createEventDamage = ({ id, merchantId }: Row | StoredEvent, fields: readonly string[]) =>
  new DamagedError({
    table: 'events',
    id: String(id),
    merchantId: String(merchantId),
    fields: fields.map(sqlName),
  })

/** Throws `DamagedError` if a payload cannot contain the time `at`. */
export function requireTime<Event extends StoredEvent>(event: Event): Event {
  if (event.at >= 0 && event.at <= maxTime) return event
  throw createEventDamage(event, ['at'])
}

const decode = createReader(eventFields)

/** Reads a row that has `eventFields`. Throws `DamagedError` if it does not fit. */
export function readEvent(row: Row): StoredEvent {
  try {
    return requireTime(decode(row))
  } catch (error) {
    throw error instanceof DamagedError ? createEventDamage(row, error.damage.fields) : error
  }
}
