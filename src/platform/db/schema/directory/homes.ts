import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { merchantTable } from '../merchants.ts'

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
 * Objects that were made for merchants. Numbers are never reused, so a merchant that moves away and back gets an empty object, and
 * webhooks that objects number by `numberWebhooks` never meet those of another one.
 */
export const homeObjectTable = sqliteTable('home_objects', {
  object: integer().primaryKey({ autoIncrement: true }),
  merchantId: text().notNull(),
  /** In seconds. */
  createdAt: integer().notNull(),
})
