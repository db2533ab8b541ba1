import { type SQL, sql } from 'drizzle-orm'
import { index, integer, primaryKey, type SQLiteColumn, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** SQL for an event of an earlier release, which recorded replaced secrets of webhooks. The index requires exactly this text. */
export const hasSecrets = ({ type, previous }: Readonly<Record<'type' | 'previous', SQLiteColumn>>): SQL =>
  sql`${type} = 'webhook.updated' and instr(${previous}, '"secrets"') > 0`

/**
 * Events, written in the transaction of the change. `seq` increases within a merchant and mode in the order of the commits, so that a
 * reader who continues after an event misses none. Ids are created earlier and may be committed in another order.
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
    /** The request body, stored at the first failed attempt, so that every attempt sends the same bytes. Null if the row has no room. */
    payload: text(),
    /** External id of the object at the time of the event. */
    externalId: text(),
    /** Time when the customer was erased that the event is about, in seconds. No payload is stored from then on. */
    erasedAt: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.id] }),
    index('events_seq').on(table.merchantId, table.testMode, table.seq),
    // Empty, unless a database or a backup of an earlier release has them.
    index('events_secrets').on(table.merchantId, table.testMode, table.id).where(hasSecrets(table)),
    index('events_erased').on(table.merchantId, table.testMode, table.id).where(sql`${table.erasedAt} is not null`),
  ],
)
