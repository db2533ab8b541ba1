import { sql } from 'drizzle-orm'
import { integer, sqliteView, text } from 'drizzle-orm/sqlite-core'
import { failuresUntilSlow } from '../../outbox/circuit-breaker.ts'
import { noun, objectId, passesFilter } from '../../outbox/event-filters.ts'
import { isPublic } from '../../outbox/history-events.ts'
import { eventTable, subscriptionTable } from './events.ts'
import { webhookTable } from './resources/webhooks.ts'

const isOrdered = sql`json_valid(${webhookTable.filter}) and ${webhookTable.filter} ->> '$.order' = 'object'`

/**
 * Each public event with each active webhook that subscribes to its type or to all types, and whose filter it passes. A view, because each change
 * would otherwise send the text of all rules for filters to the database. The Worker does not load this file: `npm run migration` writes the view
 * into the database, and `fan-out.ts` reads it by its name. `sequence` is present if the webhook gets the events of an object in order; `subject` is
 * what the event is about then, null for several objects and for orders, whose reference is not in the event.
 */
export const subscribedEventView = sqliteView('subscribed_events', {
  merchantId: text().notNull(),
  testMode: integer({ mode: 'boolean' }).notNull(),
  id: text().notNull(),
  type: text().notNull(),
  webhook: integer().notNull(),
  slow: integer({ mode: 'boolean' }).notNull(),
  probeAt: integer(),
  shape: integer(),
  subject: text(),
  sequence: integer(),
}).as(
  // `cross join` keeps this order of reading. `iif` does not evaluate what it does not choose.
  sql`select ${eventTable.merchantId} as merchant_id, ${eventTable.testMode} as test_mode, ${eventTable.id} as id, ${eventTable.type} as type,
  ${webhookTable.seq} as webhook, ${webhookTable.failures} >= ${sql.raw(String(failuresUntilSlow))} as slow,
  ${webhookTable.probeAt} as probe_at, ${webhookTable.shape} as shape,
  iif(${isOrdered}, case ${noun} when 'order' then null when 'service' then 'service'
    else ${noun} || '.' || coalesce(${eventTable.object}, ${objectId}) end, null) as subject,
  iif(${isOrdered}, ${eventTable.seq}, null) as sequence
from ${eventTable} cross join ${subscriptionTable} cross join ${webhookTable}
where ${webhookTable.seq} = ${subscriptionTable.webhook} and ${subscriptionTable.merchantId} = ${eventTable.merchantId}
  and ${subscriptionTable.testMode} = ${eventTable.testMode} and ${subscriptionTable.type} in (${eventTable.type}, '*')
  and ${isPublic(eventTable.type)} and ${passesFilter(webhookTable.filter)}`,
)

/** A row of the view. */
export type SubscribedEvent = typeof subscribedEventView.$inferSelect
