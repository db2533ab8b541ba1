import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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
