import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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
