import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { lazy, param, platformWebhooks } from '../db/database.ts'
import { insertSelect, selectList, typed } from '../db/query.ts'
import type { Row } from '../db/row.ts'
import { deliveryTable, eventTable, waitingUntil } from '../db/schema/events.ts'
import type { SubscribedEvent } from '../db/schema/subscribed-events.ts'
import { plainName } from '../db/sql-name.ts'
import type { PendingDelivery } from './enqueue-deliveries.ts'
import { noun, passesFilter } from './event-filters.ts'
import { isPublic } from './history-events.ts'
import { idPrefixLength } from './insert-event.ts'
import { maxAttempts } from './retry-delays.ts'

/** The events of a transaction: their ids share the first digits of `:event`. Lists both modes, so that the primary key serves the range. */
export function isOfTransaction(
  merchantId: SQL,
  event: Readonly<Record<'merchantId' | 'testMode' | 'id', SQLWrapper>> = eventTable,
) {
  const first = sql`substr(${param('event')}, 1, ${sql.raw(String(idPrefixLength))})`
  return sql`${event.merchantId} = ${merchantId} and ${event.testMode} in (0, 1)
    and ${event.id} >= ${first} and ${event.id} < ${first} || char(126)`
}

/** SQL for the filter of a platform webhook, as JSON text. */
const ofPlatform = sql`(platform.value ->> '$.filter')`

/**
 * SQL that selects the deliveries of this transaction's events to platform webhooks, in the order of the columns of the table. The list is that
 * of the triggers on `platform_webhooks`; without such webhooks it reads no event. `*` excludes events of customers. `dueAt` parks a
 * delivery to a broken endpoint.
 */
const selectPlatform = (from: SQL, merchantId: SQL) => sql`
  select -(platform.value ->> '$.number'), ${eventTable.id}, 'pending', ${param('now')},
    max(platform.value ->> '$.dueAt', ${param('now')}), 0, 0, ${sql.raw(String(maxAttempts))},
    platform.value ->> '$.slow', 0, '[]', platform.value ->> '$.shape', null, null, ${eventTable.merchantId}
  from json_each(${platformWebhooks}) as platform cross join ${from}
  where ${isOfTransaction(merchantId)} and ${isPublic(eventTable.type)} and exists (
      select 1 from json_each(platform.value, '$.types') as named
      where named.value in (${eventTable.type}, iif(${noun} = 'customer', '', '*')))
    and coalesce(iif(json_valid(${ofPlatform}), ${ofPlatform} ->> '$.mode', null), 'live') in ('all', iif(${eventTable.testMode}, 'test', 'live'))
    and (platform.value ->> '$.merchants' is null or ${merchantId} in (select value from json_each(platform.value, '$.merchants')))
    and ${passesFilter(ofPlatform)}`

const returned = {
  webhook: deliveryTable.webhook,
  event: deliveryTable.event,
  slow: deliveryTable.slow,
  subject: deliveryTable.subject,
  sequence: deliveryTable.sequence,
  parked: sql<number>`${deliveryTable.dueAt} > ${deliveryTable.createdAt}`,
}

/** A column of the view of `platform/db/schema/subscribed-events.ts`, which the Worker does not load. */
const column = (name: keyof SubscribedEvent) => sql`s.${plainName(name)}`
const ofView = { merchantId: column('merchantId'), testMode: column('testMode'), id: column('id') }
const earlier = alias(deliveryTable, 'earlier')

/**
 * A statement that writes a delivery of each event of this transaction to each active webhook that subscribes to it, platform webhooks included, and
 * returns it. A delivery to a
 * broken endpoint is parked until the endpoint's next call. If the webhook gets the events of an object in order, a delivery waits for earlier ones
 * of the object; a trigger makes those of the same statement wait. Takes `:merchantId`, `:event` (an id with the prefix of the events' ids) and
 * `:now` in seconds. `list` is SQL for the tables that precede the events. `subject` is SQL for what an event is about.
 */
const createFanOut = (list: SQL, merchantId: SQL, subject = column('subject')) => {
  const mustWait = sql`exists (select 1 from ${deliveryTable} as ${earlier}
    where ${earlier.webhook} = ${column('webhook')} and ${earlier.subject} = ${subject} and ${earlier.state} = 'pending')`
  const insert = insertSelect(
    deliveryTable,
    {
      webhook: column('webhook'),
      event: column('id'),
      state: sql`'pending'`,
      createdAt: param('now'),
      // `iif` does not evaluate what it does not choose.
      dueAt: sql`iif(${subject} is not null and ${mustWait}, ${sql.raw(String(waitingUntil))}, max(${param('now')}, coalesce(${column('probeAt')}, 0)))`,
      attempt: sql`0`,
      base: sql`0`,
      most: sql.raw(String(maxAttempts)),
      slow: column('slow'),
      leasedUntil: sql`0`,
      attempts: sql`'[]'`,
      shape: column('shape'),
      subject,
      sequence: column('sequence'),
      merchantId: sql`null`,
    },
    sql`from ${list}subscribed_events as s where ${isOfTransaction(merchantId, ofView)}`,
  )
  const createStatement = (rows: SQL) =>
    typed(returned, () => sql`${rows} on conflict do nothing returning ${selectList(returned)}`)
  return {
    ...createStatement(insert),
    withList: lazy(() =>
      createStatement(sql`${insert} union all ${selectPlatform(sql`${list}${eventTable}`, merchantId)}`),
    ),
  }
}

const ofMerchant = sql`${param('merchantId')}`

/** Fans out the events of the merchant `:merchantId`. */
export const fanOut = lazy(() => createFanOut(sql``, ofMerchant))

/** Fans out the events of an order. `:order` is its reference. */
export const fanOutOrder = lazy(() => {
  const isOrder = sql`${column('sequence')} is not null and ${column('type')} glob 'order.*'`
  return createFanOut(sql``, ofMerchant, sql`iif(${isOrder}, 'order.' || ${param('order')}, ${column('subject')})`)
})

/** Fans out the events of several merchants. `:merchants` is a JSON list of their ids. */
export const fanOutAll = lazy(() =>
  createFanOut(sql`json_each(${param('merchants')}) as merchant cross join `, sql`merchant.value`),
)

/** The deliveries that need a message, of the rows that `fanOut` returned in a transaction. */
export const toPendingDeliveries = (rows: readonly Row[]): PendingDelivery[] =>
  withoutWaiting(
    rows
      // The rows of a transaction have no type. A second read checks their types and changes nothing.
      .map((row) => fanOut().read(row))
      .filter(({ parked }) => parked !== 1),
  ).map(({ webhook, event, slow }) => ({ webhook, event, slow }))

/** A delivery that may belong to an order of deliveries. */
interface Ordered {
  webhook: number
  subject: string | null
  sequence: number | null
}

/** The first of those deliveries that become pending at once, by webhook and subject: the others wait for it. Those without a subject stay. */
export function withoutWaiting<Row extends Ordered>(rows: readonly Row[]): Row[] {
  if (rows.every(({ subject }) => subject === null)) return [...rows]
  const groups = Map.groupBy(rows, ({ webhook, subject }) => JSON.stringify([webhook, subject]))
  const isFirst = (row: Row, group: readonly Row[]) =>
    group.every(({ sequence }) => (sequence ?? 0) >= (row.sequence ?? 0))
  return [...groups.values()].flatMap((group) => group.filter((row) => row.subject === null || isFirst(row, group)))
}
