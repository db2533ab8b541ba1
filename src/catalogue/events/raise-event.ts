import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { param } from '../../platform/db/database.ts'
import { insertSelect } from '../../platform/db/query.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import type { HistoryEventName, ResourceName } from '../../platform/names.ts'
import { createRandomId, selectLastSeq } from '../../platform/outbox/insert-event.ts'
import type { EventName } from './event-types.ts'

/** Where an event belongs. */
type EventScope = Readonly<Record<'merchantId' | 'testMode', SQLWrapper>>
const requestScope: EventScope = { merchantId: param('merchantId'), testMode: param('testMode') }

interface RaisedEvent {
  type: EventName | `${ResourceName}.details_updated` | HistoryEventName
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
  /** The id of the object whose history the event belongs to. */
  object?: SQLWrapper
  /** Old values as JSON. */
  previous?: SQLWrapper
}

/** SQL for the version of the next change in the history of an object: they are counted from 1 as far as the log of events goes back. */
export const nextHistoryVersion = (type: HistoryEventName, object: SQLWrapper) =>
  sql`1 + coalesce((select ${eventTable.version} from ${eventTable}
    where ${eventTable.merchantId} = ${param('merchantId')} and ${eventTable.testMode} = ${param('testMode')}
      and ${eventTable.object} = ${object} and ${eventTable.type} = ${sql.raw(`'${type}'`)}
    order by ${eventTable.seq} desc limit 1), 0)`

/**
 * SQL that inserts an event whose row is not an object of a resource. Takes `:event`, `:atMs`, `:baseUrl`, `:changeSet` and `:context`.
 */
export const raiseEvent = ({
  type,
  row,
  from,
  position,
  version,
  scope = requestScope,
  id,
  externalId,
  object,
  previous,
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
      ...(object && { object }),
      ...(previous && { previous }),
      changeSet: param('changeSet'),
      context: param('context'),
    },
    from,
  )
