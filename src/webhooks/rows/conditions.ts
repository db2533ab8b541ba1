import { eq, type SQL, sql } from 'drizzle-orm'
import { allOf, param } from '../../platform/db/database.ts'
import { type DeliveryState, deliveryTable } from '../../platform/db/schema/events.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import { isInScope } from '../../platform/db/scope.ts'

/** A constant as a literal in the statement. A partial index serves a condition only if its constants are literals. */
export const literal = (value: number | string): SQL =>
  sql.raw(typeof value === 'number' ? String(value) : `'${value}'`)

/** Deliveries in one of the states. */
export const hasState = (...states: readonly DeliveryState[]): SQL =>
  states.length === 1
    ? sql`${deliveryTable.state} = ${sql.join(states.map(literal))}`
    : sql`${deliveryTable.state} in (${sql.join(states.map(literal), sql`, `)})`

/** Deliveries that no attempt is using at `:now`. */
export const isUnleased = sql`${deliveryTable.leasedUntil} <= ${param('now')}`

/** The delivery of `:event` to `:webhook`. */
export const isDelivery = allOf(eq(deliveryTable.webhook, param('webhook')), eq(deliveryTable.event, param('event')))

/** The webhook with the `seq` in `:webhook`. */
export const isSubscriber = eq(webhookTable.seq, param('webhook'))

/** The webhook `:id` of the request's merchant and mode. */
export const isWebhook = allOf(isInScope(webhookTable), eq(webhookTable.id, param('id')))
