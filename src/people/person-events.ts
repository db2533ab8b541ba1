import { and, getTableColumns, or, type SQL, sql } from 'drizzle-orm'
import { param } from '../db/database.ts'
import { eventTable as events } from '../db/schema/events.ts'
import { baseColumns } from '../db/schema/resource-columns.ts'
import { customerTable } from '../db/schema/resources/customers.ts'
import { sqlName } from '../db/sql-name.ts'
import { erasedEventName } from '../names.ts'
import { isEventInScope } from '../webhooks/rows/stored-event.ts'

/** The fields of a person, by their keys: all columns of customers that are not those of every resource. */
export const personalFields = Object.entries(getTableColumns(customerTable)).filter(([key]) => !(key in baseColumns))

/** Events whose row is a customer. */
export const customerEvents = ['customer.created', 'customer.updated', 'customer.deleted']
const redemptionEvents = ['coupon.redeemed', 'coupon.released']
/** The types are literals: they do not count as parameters. */
const isOneOf = (types: readonly string[]) =>
  sql`${events.type} in (${sql.raw(types.map((type) => `'${type}'`).join())})`
const mentionsId = sql`instr(${events.row}, ${param('id')}) > 0`
const memberOf = (path: string) =>
  sql`case when json_valid(${events.row}) then ${events.row} ->> ${sql.raw(`'${path}'`)} end`

/** SQL for "an event of a change of the customer `:id`". A damaged one counts if it contains the id. */
export const isOfCustomer = and(
  isEventInScope,
  isOneOf(customerEvents),
  mentionsId,
  sql`coalesce(${memberOf('$.id')}, ${param('id')}) = ${param('id')}`,
)

const isRedemption = isOneOf(redemptionEvents)
/**
 * SQL for "an event about the person": of the customer `:id`, of its redemptions, its erasure, or a published order that contains one of
 * the JSON texts in the JSON list `:needles`.
 */
export const isAboutPerson = or(
  isOfCustomer,
  and(isEventInScope, isRedemption, mentionsId, sql`${memberOf('$.redemption.customer')} = ${param('id')}`),
  and(
    isEventInScope,
    sql`${events.type} = 'order.created'`,
    sql`exists (select 1 from json_each(${param('needles')}) as needle where instr(${events.row}, needle.value) > 0)`,
  ),
)
/** SQL for "the erasure of the customer `:id`". */
export const isErasure = and(isEventInScope, sql`${events.type} = ${sql.raw(`'${erasedEventName}'`)}`, mentionsId)

/** Most values of a person that are replaced in an order. */
export const maxReplaced = 40
const replacedNames = Array.from({ length: maxReplaced }, (_, index) => `replaced${index}`)
/** Parameters of `redactedRow`: JSON texts that are replaced by an empty text. */
export const createReplaced = (texts: readonly string[]) =>
  Object.fromEntries(replacedNames.map((name, index) => [name, texts[index] ?? '']))

const redactedOrder = replacedNames.reduce<SQL>(
  (text, name) => sql`replace(${text}, ${param(name)}, '""')`,
  sql`${events.row}`,
)
const pathOf = (key: string) => sql.raw(`'$.${sqlName(key)}'`)
const required = personalFields.filter(([, { notNull }]) => notNull).map(([key]) => sql`${pathOf(key)}, ''`)
const optional = personalFields.filter(([, { notNull }]) => !notNull).map(([key]) => pathOf(key))

/** SQL for the row of an event without the person. */
export const redactedRow = sql`case
  when ${events.type} = 'order.created' then ${redactedOrder}
  when not json_valid(${events.row}) then '{}'
  when ${isRedemption} then json_remove(${events.row}, '$.redemption.customer')
  else json_remove(json_set(${events.row}, ${sql.join(required, sql`, `)}), ${sql.join(optional, sql`, `)}) end`

/** SQL for a value of the event that only events of customers lose. */
export const unlessOfCustomer = (value: SQL, replacement: SQL) =>
  sql`iif(${events.type} like 'customer.%' and ${value} is not null, ${replacement}, ${value})`
