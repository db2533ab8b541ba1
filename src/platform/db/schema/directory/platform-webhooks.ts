import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { merchantTable } from '../merchants.ts'

/**
 * Webhooks of the operator, which get the events of many merchants. Triggers write the list of active ones into the row `platform_webhooks` of
 * `settings`, from where isolates cache it: see `platform/db/home/d1-connection.ts`.
 */
export const platformWebhookTable = sqliteTable(
  'platform_webhooks',
  {
    /** Deliveries have the negative number as `webhook`. Never reused: a new webhook must not get the deliveries of a deleted one. */
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    version: integer().notNull(),
    title: text().notNull(),
    url: text().notNull(),
    events: text({ mode: 'json' }).notNull(),
    /** Ids of merchants, as a JSON list. Absent: all merchants. */
    merchants: text({ mode: 'json' }),
    active: integer({ mode: 'boolean' }).notNull(),
    disabledReason: text(),
    bearerToken: text().notNull(),
    secrets: text({ mode: 'json' }).notNull(),
    /** Number of failed attempts since the last success. `failingSince` is the time of the first. */
    failures: integer().notNull(),
    failingSince: integer(),
    /** Earliest time of the next attempt while the endpoint counts as broken, in seconds. */
    probeAt: integer(),
    /** Which events are sent and with which fields, as JSON; see `webhooks/filters/filter-fields.ts`. Absent: all, whole. */
    filter: text(),
    /** Increases by one with every change of the filter. */
    filterVersion: integer().notNull(),
    /** Number of the shape of new deliveries. Absent: whole bodies. */
    shape: integer(),
    /** Shapes of stored deliveries, as a JSON list; see `webhooks/filters/shapes.ts`. */
    shapes: text(),
    /** Id of an operator or a platform key, or `operator`. */
    createdBy: text().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (table) => [
    uniqueIndex('platform_webhooks_id').on(table.id),
    check('platform_webhooks_events', sql`json_type(${table.events}) = 'array'`),
    check('platform_webhooks_merchants', sql`json_type(${table.merchants}) = 'array'`),
    check('platform_webhooks_secrets', sql`json_type(${table.secrets}) = 'array'`),
  ],
)

/**
 * Merchants in objects with deliveries to a platform webhook that were parked, cancelled, or failed. The directory has a row for each, which a
 * recovery walks. In an object, a row says that the directory knows.
 */
export const platformBacklogTable = sqliteTable(
  'platform_backlogs',
  {
    /** `seq` of the platform webhook. */
    webhook: integer().notNull(),
    merchantId: text()
      .notNull()
      .references(() => merchantTable.id, { onDelete: 'cascade' }),
    /** Some are parked: the recovery of the endpoint releases them. Otherwise, only a request sends them again. */
    parked: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.webhook, table.merchantId] }),
    index('platform_backlogs_parked').on(table.webhook, table.merchantId).where(sql`${table.parked}`),
    index('platform_backlogs_merchant').on(table.merchantId),
  ],
)
