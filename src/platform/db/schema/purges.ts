import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * When the rows of a merchant are purged next, so that a run of the cron reads nothing of the others. Triggers on the merchants insert and
 * delete these rows. Tables that are not purged by merchant have a row of their own.
 */
export const purgeTable = sqliteTable(
  'purges',
  {
    /** Id of a merchant, or name of a table. */
    name: text().primaryKey(),
    /** Nothing expires before, in seconds. */
    dueAt: integer().notNull(),
  },
  (table) => [index('purges_due').on(table.dueAt)],
)

/** Numbers of deleted webhooks that may have deliveries, which the next run of the cron deletes. A trigger on the webhooks inserts them. */
export const goneWebhookTable = sqliteTable('gone_webhooks', {
  /** `seq` of the webhook. */
  webhook: integer().primaryKey(),
})
