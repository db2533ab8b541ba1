import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { merchantTable } from '../merchants.ts'

/** States of a move, in their order. The last two are final. */
export const moveStates = ['copying', 'fenced', 'verifying', 'done', 'failed'] as const

/** Moves of merchants from one home to another. */
export const moveTable = sqliteTable(
  'moves',
  {
    number: integer().primaryKey({ autoIncrement: true }),
    merchantId: text().notNull(),
    state: text({ enum: moveStates }).notNull(),
    /** Homes as JSON: `"d1"`, or the number, location and jurisdiction of an object. */
    source: text({ mode: 'json' }).notNull(),
    target: text({ mode: 'json' }).notNull(),
    /** Position where copying continues, as JSON. Absent before the source and the target are prepared. */
    position: text({ mode: 'json' }),
    /** Number of copied rows. */
    rows: integer().notNull().default(0),
    /** Increases each time that an invocation takes over the move. Writes of earlier invocations are rejected. */
    lease: integer().notNull().default(0),
    /** Times in seconds. */
    leasedUntil: integer().notNull().default(0),
    startedAt: integer().notNull(),
    endedAt: integer(),
    /** How long writes waited, in milliseconds. */
    fencedMs: integer(),
    /** Why the move failed. */
    reason: text(),
    /** Time in seconds from which unused rows are removed. Absent after their removal. */
    cleansAt: integer(),
  },
  (table) => [
    index('moves_merchant').on(table.merchantId, table.number),
    uniqueIndex('moves_active').on(table.merchantId).where(sql`${table.state} in ('copying', 'fenced', 'verifying')`),
    index('moves_cleaning').on(table.cleansAt).where(sql`${table.cleansAt} is not null`),
    check('moves_state', sql`${table.state} in ('copying', 'fenced', 'verifying', 'done', 'failed')`),
  ],
)

/**
 * Rows that have changed at the source since the start of a move, in the order of the changes. Written by triggers; see `tenancy/move/capture.ts`.
 */
export const moveChangeTable = sqliteTable(
  'move_changes',
  {
    number: integer().primaryKey({ autoIncrement: true }),
    merchantId: text().notNull(),
    /** Name of the table, and the values that identify the row, as a JSON list. */
    entry: text().notNull(),
    key: text({ mode: 'json' }).notNull(),
  },
  (table) => [index('move_changes_merchant').on(table.merchantId, table.number)],
)

export const homeKinds = ['d1', 'object'] as const

/** Where the data of merchants is. A merchant without a row has its data in the shared D1 database. */
export const homeTable = sqliteTable(
  'homes',
  {
    merchantId: text()
      .primaryKey()
      .references(() => merchantTable.id),
    kind: text({ enum: homeKinds }).notNull(),
    /** Number of the Durable Object, for an object home. */
    object: integer(),
    /** Location hint and jurisdiction of the object. */
    location: text(),
    jurisdiction: text(),
    /** The merchant is being moved. Changes are captured, and no isolate caches the home. */
    moving: integer({ mode: 'boolean' }).notNull().default(false),
    /** Writes wait until then, in seconds, or until the fence is removed. */
    fencedUntil: integer().notNull().default(0),
  },
  (table) => [
    index('homes_moving').on(table.merchantId).where(sql`${table.moving}`),
    check('homes_kind', sql`${table.kind} in ('d1', 'object')`),
    check('homes_object', sql`${table.kind} = 'd1' or ${table.object} is not null`),
  ],
)

/**
 * Objects that were made for merchants. Numbers are never reused, so a merchant that moves away and back gets an empty object. Numbers of webhooks
 * from `numberWebhooks` differ between objects.
 */
export const homeObjectTable = sqliteTable('home_objects', {
  object: integer().primaryKey({ autoIncrement: true }),
  merchantId: text().notNull(),
  /** In seconds. */
  createdAt: integer().notNull(),
})
