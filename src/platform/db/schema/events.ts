import { type SQL, sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, type SQLiteColumn, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * `dueAt` of a delivery that waits for an earlier one about the same object, in seconds. Triggers on the table set it, and replace it by `createdAt`
 * when the earlier one is final or deleted.
 */
export const waitingUntil = 253_402_300_799

/** `dueAt` of a delivery to a platform webhook whose endpoint is broken, in seconds. It has no message until the endpoint recovers. */
export const parkedUntil = 253_402_300_798

export const deliveryStates = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Delivery of one event to one webhook. This table, not the queue, defines which attempts are due. */
export const deliveryTable = sqliteTable(
  'deliveries',
  {
    /** `seq` of the webhook; negative for a platform webhook. */
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
    /** Number of the shape of the body, among those of the webhook. Absent: the whole body. */
    shape: integer(),
    /** The object of the event, if the webhook gets the events of an object in order. */
    subject: text(),
    /** `seq` of the event. Present with `subject`. */
    sequence: integer(),
    /** The merchant of the event. Present in deliveries to platform webhooks. */
    merchantId: text(),
  },
  (table) => [
    primaryKey({ columns: [table.webhook, table.event] }),
    // Only pending deliveries of webhooks that keep the order of events have an entry.
    index('deliveries_subject')
      .on(table.webhook, table.subject, table.sequence)
      .where(sql`${table.subject} is not null and ${table.state} = 'pending'`),
    index('deliveries_due').on(table.webhook, table.dueAt).where(sql`${table.state} = 'pending'`),
    // Finds deliveries that can be sent again without reading delivered ones.
    index('deliveries_lost').on(table.webhook, table.event).where(sql`${table.state} in ('failed', 'cancelled')`),
    check('deliveries_state', sql`${table.state} in ('pending', 'delivered', 'failed', 'cancelled')`),
    check('deliveries_attempts', sql`json_type(${table.attempts}) = 'array'`),
  ],
)

/**
 * One row for each event name of each active webhook, maintained by triggers. A change finds the webhooks that subscribe to its event
 * without reading the others.
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

/** SQL for an event of an earlier release, which recorded replaced secrets of webhooks. The index requires exactly this text. */
export const hasSecrets = ({ type, previous }: Readonly<Record<'type' | 'previous', SQLiteColumn>>): SQL =>
  sql`${type} = 'webhook.updated' and instr(${previous}, '"secrets"') > 0`

/**
 * Events, written in the transaction of the change. `seq` increases within a merchant and mode in the order of the commits, so that a reader who
 * continues after an event misses none. Ids are created before the commit, so their order can differ.
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
    /** The object's row as JSON, keyed by SQL names. For a published event: its data. */
    row: text().notNull(),
    /** Old values of the fields that an update changed, as JSON. */
    previous: text(),
    /** Public base URL at the time of the event. */
    baseUrl: text(),
    /**
     * The request body, stored at the first failed attempt, so that every attempt sends the same bytes. Null if the body is too large for the row.
     */
    payload: text(),
    /** External id of the object at the time of the event. */
    externalId: text(),
    /** Time when the event's customer was erased, in seconds. If set, no payload is stored. */
    erasedAt: integer(),
    /**
     * Id of the object whose history the event belongs to. Absent for events of orders, of stock and of lists of objects, and for those of earlier
     * releases.
     */
    object: text(),
    /** The change set that the event belongs to. */
    changeSet: text(),
    /** Cause of the event, as JSON: see `EventContext`. */
    context: text(),
    /** Rows of other tables that a deletion removed with the object, and the objects that named it, as JSON. Required to restore the object. */
    kept: text(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.id] }),
    index('events_seq').on(table.merchantId, table.testMode, table.seq),
    // Only databases and backups of earlier releases have values here.
    index('events_secrets').on(table.merchantId, table.testMode, table.id).where(hasSecrets(table)),
    index('events_erased').on(table.merchantId, table.testMode, table.id).where(sql`${table.erasedAt} is not null`),
    index('events_object')
      .on(table.merchantId, table.testMode, table.object, table.seq)
      .where(sql`${table.object} is not null`),
    index('events_change_set')
      .on(table.merchantId, table.testMode, table.changeSet, table.seq)
      .where(sql`${table.changeSet} is not null`),
    // Lists deleted objects. Only deletions have an entry.
    index('events_kept')
      .on(table.merchantId, table.testMode, table.type, table.seq)
      .where(sql`${table.kept} is not null`),
  ],
)
