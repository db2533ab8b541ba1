import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { lazy, param, platformWebhooks } from '../db/database.ts'
import { insertSelect, selectList, typed } from '../db/query.ts'
import type { Row } from '../db/row.ts'
import { deliveryTable, eventTable, subscriptionTable, waitingUntil } from '../db/schema/events.ts'
import { productLabelTable } from '../db/schema/objects/product-labels.ts'
import { menuTable } from '../db/schema/resources/menus.ts'
import { productTable } from '../db/schema/resources/products.ts'
import { webhookTable } from '../db/schema/resources/webhooks.ts'
import { failuresUntilSlow } from './circuit-breaker.ts'
import type { PendingDelivery } from './enqueue-deliveries.ts'
import { isPublic } from './history-events.ts'
import { idPrefixLength } from './insert-event.ts'
import { maxAttempts } from './retry-delays.ts'

/** The events of a transaction: their ids share the first digits of `:event`. Lists both modes, so that the primary key serves the range. */
export function isOfTransaction(merchantId: SQL) {
  const first = sql`substr(${param('event')}, 1, ${sql.raw(String(idPrefixLength))})`
  return and(
    eq(eventTable.merchantId, merchantId),
    sql`${eventTable.testMode} in (0, 1)`,
    sql`${eventTable.id} >= ${first} and ${eventTable.id} < ${first} || char(126)`,
  )
}

/** The subscription is to the event's type or to all types. */
const isSubscribed = and(
  eq(webhookTable.seq, subscriptionTable.webhook),
  eq(subscriptionTable.merchantId, eventTable.merchantId),
  eq(subscriptionTable.testMode, eventTable.testMode),
  sql`${subscriptionTable.type} in (${eventTable.type}, '*')`,
  isPublic(eventTable.type),
)

/** SQL for the part of a type of event before its point. */
const noun = sql`substr(${eventTable.type}, 1, instr(${eventTable.type}, '.') - 1)`
/** SQL for the id of the object of an event about one object. */
const objectId = sql`${eventTable.row} ->> '$.id'`
const ofEvent = (table: typeof productTable | typeof menuTable) => sql`${table.merchantId} = ${eventTable.merchantId}
  and ${table.testMode} = ${eventTable.testMode} and ${table.id} = ${objectId}`
/** SQL for whether the object of an event is visible. Events of details do not record it. */
const isVisible = sql`case
  when json_type(${eventTable.row}, '$.visible') is not null then ${eventTable.row} ->> '$.visible'
  when ${eventTable.type} glob 'product.*' then (select ${productTable.visible} from ${productTable} where ${ofEvent(productTable)})
  when ${eventTable.type} glob 'menu.*' then (select ${menuTable.visible} from ${menuTable} where ${ofEvent(menuTable)})
  end`

const rule = sql`rule.value ->> '$.labelKey'`
const isLabelled = sql`exists (select 1 from ${productLabelTable} cross join ${productTable} on ${productTable.seq} = ${productLabelTable.owner}
  where ${productLabelTable.merchantId} = ${eventTable.merchantId} and ${productLabelTable.testMode} = ${eventTable.testMode}
    and ${productLabelTable.label} = ${rule} and ${ofEvent(productTable)})`
/** Details that a deletion removed: they have the folded labels. */
const wasLabelled = sql`exists (select 1 from json_each(${eventTable.kept}, '$.details') as kept,
  json_each(iif(json_valid(kept.value ->> '$.data'), kept.value ->> '$.data', '{}'), '$.labelKeys') as named where named.value = ${rule})`
/** Labels before a change of details, as people wrote them. SQL folds only ASCII: a change from other letters passes. */
const hadLabel = sql`exists (select 1 from json_each(${eventTable.previous}, '$.labels') as named
  where lower(trim(named.value)) = ${rule} or named.value glob '*[^ -~]*')`
/** SQL for whether the product of an event has or had the label of the rule. A deletion that kept no details passes. */
const matchesLabel = sql`case
  when ${eventTable.type} = 'product.deleted' then ${eventTable.kept} is null or ${wasLabelled}
  else ${isLabelled} or (${eventTable.type} = 'product.details_updated' and ${hadLabel}) end`

/**
 * The filter lets the event pass; see `webhooks/filters/filter-fields.ts`. An event that does not say what changed, or whose object has no such
 * state, passes. Without a filter, or with a damaged one, nothing is left out.
 */
const passesFilter = (filter: SQLWrapper) => sql`(${filter} is null or not json_valid(${filter}) or (
  (json_type(${filter}, '$.changed."' || ${eventTable.type} || '"') is null or ${eventTable.previous} is null or exists (
    select 1 from json_each(${filter}, '$.changed."' || ${eventTable.type} || '"') as named
    where json_type(${eventTable.previous}, '$."' || named.value || '"') is not null))
  and not exists (
    select 1 from json_each(${filter}, '$.where') as rule
    where rule.key in (${eventTable.type}, ${noun} || '.*') and (
      (rule.value ->> '$.visible' <> ${isVisible}
        and coalesce(rule.value ->> '$.visible' <> ${eventTable.previous} ->> '$.visible', true))
      or (${rule} is not null and not (${matchesLabel}))))))`

/** SQL for what an event is about: one object, the order `order`, or the service of the venue. Null if it is about several objects or none. */
const subjectOf = (order: SQL) => sql`case ${noun} when 'order' then 'order.' || ${order} when 'service' then 'service'
  else ${noun} || '.' || coalesce(${eventTable.object}, ${objectId}) end`
const isOrdered = sql`(json_valid(${webhookTable.filter}) and ${webhookTable.filter} ->> '$.order' = 'object')`
const earlier = alias(deliveryTable, 'earlier')

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

/**
 * A statement that writes a delivery of each event of this transaction to each active webhook that subscribes to it, platform webhooks included, and
 * returns it. A delivery to a
 * broken endpoint is parked until the endpoint's next call. If the webhook gets the events of an object in order, a delivery waits for earlier ones
 * of the object; a trigger makes those of the same statement wait. Takes `:merchantId`, `:event` (an id with the prefix of the events' ids) and
 * `:now` in seconds. `order` is SQL for the reference of an order.
 */
const createFanOut = (from: SQL, merchantId: SQL, order = sql`null`) => {
  const subject = subjectOf(order)
  const mustWait = sql`exists (select 1 from ${deliveryTable} as ${earlier}
    where ${earlier.webhook} = ${webhookTable.seq} and ${earlier.subject} = ${subject} and ${earlier.state} = 'pending')`
  const dueAt = sql`max(${param('now')}, coalesce(${webhookTable.probeAt}, 0))`
  const insert = insertSelect(
    deliveryTable,
    {
      webhook: webhookTable.seq,
      event: eventTable.id,
      state: sql`'pending'`,
      createdAt: param('now'),
      // `iif` does not evaluate what it does not choose.
      dueAt: sql`iif(${isOrdered}, iif(${mustWait}, ${sql.raw(String(waitingUntil))}, ${dueAt}), ${dueAt})`,
      attempt: sql`0`,
      base: sql`0`,
      most: sql.raw(String(maxAttempts)),
      slow: sql`${webhookTable.failures} >= ${sql.raw(String(failuresUntilSlow))}`,
      leasedUntil: sql`0`,
      attempts: sql`'[]'`,
      shape: webhookTable.shape,
      subject: sql`iif(${isOrdered}, ${subject}, null)`,
      sequence: sql`iif(${isOrdered}, ${eventTable.seq}, null)`,
      merchantId: sql`null`,
    },
    // `cross join` keeps this order of reading.
    sql`from ${from} cross join ${subscriptionTable} cross join ${webhookTable} where ${and(isOfTransaction(merchantId), isSubscribed, passesFilter(webhookTable.filter))}`,
  )
  const createStatement = (rows: SQL) =>
    typed(returned, () => sql`${rows} on conflict do nothing returning ${selectList(returned)}`)
  return {
    ...createStatement(insert),
    withList: lazy(() => createStatement(sql`${insert} union all ${selectPlatform(from, merchantId)}`)),
  }
}

/** Fans out the events of the merchant `:merchantId`. */
export const fanOut = lazy(() => createFanOut(sql`${eventTable}`, sql`${param('merchantId')}`))

/** Fans out the events of an order. `:order` is its reference. */
export const fanOutOrder = lazy(() =>
  createFanOut(sql`${eventTable}`, sql`${param('merchantId')}`, sql`${param('order')}`),
)

/** Fans out the events of several merchants. `:merchants` is a JSON list of their ids. */
export const fanOutAll = lazy(() =>
  createFanOut(sql`json_each(${param('merchants')}) as merchant cross join ${eventTable}`, sql`merchant.value`),
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
