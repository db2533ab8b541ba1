import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const deliveryStates = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Delivery of one event to one webhook. This table, not the queue, defines which attempts are due. */
export const deliveryTable = sqliteTable(
  'deliveries',
  {
    /** `seq` of the webhook. */
    webhook: integer().notNull(),
    event: text().notNull(),
    state: text({ enum: deliveryStates }).notNull(),
    createdAt: integer().notNull(),
    /** Earliest start of the next attempt, in seconds. */
    dueAt: integer().notNull(),
    /** Number of attempts started. */
    attempt: integer().notNull(),
    /** Number of attempts started before the schedule was last restarted. */
    base: integer().notNull(),
    /** Maximum number of attempts of the schedule. */
    most: integer().notNull(),
    /** The webhook was failing when the event was raised: use the slow queue. */
    slow: integer({ mode: 'boolean' }).notNull(),
    /** End of the lease of the current attempt, in seconds. */
    leasedUntil: integer().notNull(),
    /** Results of the attempts, as JSON. */
    attempts: text({ mode: 'json' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.webhook, table.event] }),
    index('deliveries_due').on(table.webhook, table.dueAt).where(sql`${table.state} = 'pending'`),
    // Finds deliveries that can be sent again without reading delivered ones.
    index('deliveries_lost').on(table.webhook, table.event).where(sql`${table.state} in ('failed', 'cancelled')`),
    check('deliveries_state', sql`${table.state} in ('pending', 'delivered', 'failed', 'cancelled')`),
    check('deliveries_attempts', sql`json_type(${table.attempts}) = 'array'`),
  ],
)
