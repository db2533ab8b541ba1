import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Whether a venue takes orders, by mode. A venue is paused before `pausedUntil`. From that second on the pause has no effect, and the cron raises its
 * event and clears it.
 */
export const serviceStateTable = sqliteTable(
  'service_states',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    /** In seconds; `furtherNotice` for a pause without an end. Absent: no pause whose end is not announced yet. */
    pausedUntil: integer(),
    /** Message to guests during the pause. */
    message: text(),
    /** Minutes that the kitchen needs for an order at present. */
    prepMinutes: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode] }),
    index('service_states_until').on(table.pausedUntil),
  ],
)
