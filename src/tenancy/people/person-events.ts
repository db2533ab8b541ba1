import { and, getTableColumns, gt, lte, or, type SQL, sql } from 'drizzle-orm'
import {
  erasedEventName,
  eventNames,
  getEvent,
  getEventResource,
  orderEventNames,
} from '../../catalogue/events/event-types.ts'
import { customers } from '../../catalogue/resources/customers.ts'
import { allOf, param } from '../../platform/db/database.ts'
import { eventTable as events } from '../../platform/db/schema/events.ts'
import { baseColumns } from '../../platform/db/schema/resource-columns.ts'
import { customerTable } from '../../platform/db/schema/resources/customers.ts'
import { sqlName } from '../../platform/db/sql-name.ts'
import { verbs } from '../../platform/names.ts'
import { isEventInScope } from '../../webhooks/rows/stored-event.ts'
import { mayContain } from './person-search.ts'

/** The fields of a person, by their keys: all columns of customers, except those of every resource. */
const personalFields = Object.entries(getTableColumns(customerTable)).filter(([key]) => !(key in baseColumns))

/** Events about one customer: all events of its resource, except the erasure. */
export const customerEvents = eventNames.filter(
  (name) => getEventResource(name) === customers.name && name !== erasedEventName,
)
/** Events whose row is the customer. Rows of other events about a customer contain only its id. */
const objectEvents = verbs.map((verb) => `${customers.name}.${verb}`)
/** Other events with the id of a customer in their row, by the path to it. */
const namingEvents = Map.groupBy(
  eventNames.filter((name) => getEvent(name).customer !== undefined),
  (name) => `$.${getEvent(name).customer}`,
)
/** The types are literals, which do not count as parameters. */
const isOneOf = (types: readonly string[]) =>
  sql`${events.type} in (${sql.raw(types.map((type) => `'${type}'`).join())})`
const mentionsId = sql`instr(${events.row}, ${param('id')}) > 0`
const memberOf = (path: string) =>
  sql`case when json_valid(${events.row}) then ${events.row} ->> ${sql.raw(`'${path}'`)} end`

/** An event of a change of the customer `:id`. A damaged one counts if it contains the id. */
const isOfCustomer = and(
  isOneOf(customerEvents),
  mentionsId,
  sql`coalesce(${memberOf('$.id')}, ${param('id')}) = ${param('id')}`,
)
const naming = Array.from(namingEvents, ([path, types]) => ({ path, isOfType: isOneOf(types) }))
/** SQL for "an event of the customer `:id`, or one that names it". */
export const isOfPerson = allOf(
  isEventInScope,
  or(
    isOfCustomer,
    ...naming.map(({ path, isOfType }) => and(isOfType, mentionsId, sql`${memberOf(path)} = ${param('id')}`)),
  ),
)
export const isOrder = isOneOf(orderEventNames)
/** SQL for "an order that may contain one of `:needles`". */
export const isCandidate = allOf(isEventInScope, isOrder, mayContain(sql`${events.row}`))
/** SQL for "the erasure of the customer `:id`". */
export const isErasure = allOf(isEventInScope, sql`${events.type} = ${sql.raw(`'${erasedEventName}'`)}`, mentionsId)

/** SQL for "one of the next events after `:after`, up to `:until`". Each number between them is one event. */
export const isInWindow = allOf(gt(events.seq, param('after')), lte(events.seq, param('until')))
/** Maximum number of events that one statement reads. */
export const maxEventsRead = 20_000

const pathOf = (key: string) => sql.raw(`'$.${sqlName(key)}'`)
const required = personalFields.filter(([, { notNull }]) => notNull).map(([key]) => sql`${pathOf(key)}, ''`)
const optional = personalFields.filter(([, { notNull }]) => !notNull).map(([key]) => pathOf(key))

/** SQL for the row of an event of `isOfPerson` without the person. */
export const redactedRow = sql`case
  when not json_valid(${events.row}) then '{}'
  ${sql.join(
    naming.map(({ path, isOfType }) => sql`when ${isOfType} then json_remove(${events.row}, ${sql.raw(`'${path}'`)})`),
    sql` `,
  )}
  when ${isOneOf(objectEvents)} then json_remove(json_set(${events.row}, ${sql.join(required, sql`, `)}), ${sql.join(optional, sql`, `)})
  else json_object('id', ${param('id')}) end`

/** SQL for a value of the event that is removed only from events of customers. */
export const unlessOfCustomer = (value: SQL, replacement: SQL) =>
  sql`iif(${isOneOf(customerEvents)} and ${value} is not null, ${replacement}, ${value})`
