import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { baseColumns, isJsonList, isZeroOrOne, resourceConstraints } from '../resource-columns.ts'

export const webhookTable = sqliteTable(
  'webhooks',
  {
    ...baseColumns,
    // Never given again: what was delivered to a webhook that is deleted must not become another's.
    seq: integer().primaryKey({ autoIncrement: true }),
    title: text().notNull(),
    url: text().notNull(),
    events: text({ mode: 'json' }).notNull(),
    active: integer({ mode: 'boolean' }).notNull(),
    disabledReason: text(),
    bearerToken: text().notNull(),
    secrets: text({ mode: 'json' }).notNull(),
    /** Failed attempts since the last success, and when the first of them was. */
    failures: integer().notNull(),
    failingSince: integer(),
    /** While it is failing for good: when the next attempt may be made. */
    probeAt: integer(),
  },
  (table) =>
    resourceConstraints('webhooks', table, {
      lookups: { active: table.active },
      checks: {
        events: isJsonList(table.events),
        flags: isZeroOrOne(table.active),
        secrets: isJsonList(table.secrets),
      },
    }),
)
