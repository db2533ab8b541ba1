import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const deliveryStates = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** One event on its way to one webhook. This, not the queue, says what is still to be done. */
export const deliveryTable = sqliteTable(
  'deliveries',
  {
    /** `seq` of the webhook. */
    webhook: integer().notNull(),
    event: text().notNull(),
    state: text({ enum: deliveryStates }).notNull(),
    createdAt: integer().notNull(),
    /** When the next attempt may begin, in seconds. */
    dueAt: integer().notNull(),
    /** Attempts begun so far. */
    attempt: integer().notNull(),
    /** Attempts begun before the schedule last started over. */
    base: integer().notNull(),
    /** Attempts that the schedule allows. */
    most: integer().notNull(),
    /** The webhook was failing when the event was raised: ring in the slow lane. */
    slow: integer({ mode: 'boolean' }).notNull(),
    /** Until then somebody is making the attempt, in seconds. */
    leasedUntil: integer().notNull(),
    /** What came of the attempts, as JSON. */
    attempts: text({ mode: 'json' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.webhook, table.event] }),
    index('deliveries_due').on(table.webhook, table.dueAt).where(sql`${table.state} = 'pending'`),
    // What can be sent again, found without reading what was delivered.
    index('deliveries_lost').on(table.webhook, table.event).where(sql`${table.state} in ('failed', 'cancelled')`),
    check('deliveries_state', sql`${table.state} in ('pending', 'delivered', 'failed', 'cancelled')`),
    check('deliveries_attempts', sql`json_type(${table.attempts}) = 'array'`),
  ],
)
