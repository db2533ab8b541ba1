import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { param } from '../../platform/db/database.ts'
import { insertSelect } from '../../platform/db/query.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import type { ResourceName } from '../../platform/names.ts'
import { createRandomId, selectLastSeq } from '../../platform/outbox/insert-event.ts'
import type { EventName } from './event-types.ts'

/** Where an event belongs. */
type EventScope = Readonly<Record<'merchantId' | 'testMode', SQLWrapper>>
const requestScope: EventScope = { merchantId: param('merchantId'), testMode: param('testMode') }

interface RaisedEvent {
  type: EventName | `${ResourceName}.details_updated`
  /** SQL for the JSON of the stored row, whose form the table of events declares. */
  row: SQLWrapper
  /** `from` and `where`: an event is raised for each row. */
  from: SQL
  /** The position of each row, from 1, if several may be selected. */
  position?: SQL
  /** Default: 1. */
  version?: SQL
  /** Default: the request's. */
  scope?: EventScope
  /** Default: random digits behind the prefix of `:event`. */
  id?: SQLWrapper
  externalId?: SQL
}

/** SQL that inserts an event whose row is not an object of a resource. Takes `:event`, `:atMs` and `:baseUrl`. */
export const raiseEvent = ({
  type,
  row,
  from,
  position,
  version,
  scope = requestScope,
  id,
  externalId,
}: RaisedEvent): SQL =>
  insertSelect(
    eventTable,
    {
      merchantId: scope.merchantId,
      testMode: scope.testMode,
      id: id ?? createRandomId(),
      seq: sql`${selectLastSeq(scope)} + ${position ?? sql`1`}`,
      type: sql.raw(`'${type}'`),
      version: version ?? sql`1`,
      at: param('atMs'),
      row,
      baseUrl: param('baseUrl'),
      ...(externalId && { externalId }),
    },
    from,
  )
