import { type SQL, sql } from 'drizzle-orm'
import { index, integer, type SQLiteColumn, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { baseColumns, isJsonList, isZeroOrOne, resourceConstraints } from '../resource-columns.ts'

/** SQL for "a secret was replaced". The index requires exactly this text. */
export const hasRetiredSecret = ({ secrets }: Readonly<Record<'secrets', SQLiteColumn>>): SQL =>
  sql`instr(${secrets}, '"retiredAt"') > 0`

export const webhookTable = sqliteTable(
  'webhooks',
  {
    ...baseColumns,
    // Never reused: a new webhook must not get the deliveries of a deleted one.
    seq: integer().primaryKey({ autoIncrement: true }),
    title: text().notNull(),
    url: text().notNull(),
    events: text({ mode: 'json' }).notNull(),
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
    /** Increases by one with every change of the filter. Absent: 0. */
    filterVersion: integer(),
    /** Number of the shape of new deliveries. Absent: whole bodies. */
    shape: integer(),
    /** Shapes of stored deliveries, as a JSON list; see `webhooks/filters/shapes.ts`. */
    shapes: text(),
  },
  (table) => [
    ...resourceConstraints('webhooks', table, {
      lookups: { active: table.active },
      checks: {
        events: isJsonList(table.events),
        flags: isZeroOrOne(table.active),
        secrets: isJsonList(table.secrets),
      },
    }),
    index('webhooks_retired').on(table.id).where(hasRetiredSecret(table)),
  ],
)
