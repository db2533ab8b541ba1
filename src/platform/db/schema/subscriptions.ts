import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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
