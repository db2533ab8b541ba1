import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * What happened, written in the transaction of the change itself. `seq` counts up within a merchant's mode in the order of the
 * commits, so that who reads on behind an event misses none; ids are made before, and may be committed in another order.
 */
export const eventTable = sqliteTable(
  'events',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    id: text().notNull(),
    seq: integer().notNull(),
    type: text().notNull(),
    version: integer().notNull(),
    /** Milliseconds since 1970-01-01 UTC. */
    at: integer().notNull(),
    /** The object's row, as JSON keyed by SQL names; for what others publish, the data itself. */
    row: text().notNull(),
    /** The old values of what an update changed. */
    previous: text(),
    /** Origin of the addresses guests use, as it was then. */
    baseUrl: text(),
    /** The body as it was sent, from the first failed attempt on: every attempt sends the same bytes. */
    payload: text(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.id] }),
    index('events_seq').on(table.merchantId, table.testMode, table.seq),
  ],
)
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

/**
 * Who is to be told of what: a row for each event name of each active webhook. Triggers keep it in step with the webhooks, so that an
 * event finds its own without reading the others.
 */
export const subscriptionTable = sqliteTable(
  'subscriptions',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    /** The name of an event, or `*`. */
    type: text().notNull(),
    /** `seq` of the webhook. */
    webhook: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.testMode, table.type, table.webhook] })],
)
