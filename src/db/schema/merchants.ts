import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The directory of all merchants. */
export const merchantTable = sqliteTable('merchants', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** IANA time zone. */
  timezone: text().notNull(),
  /** ISO 4217. */
  currency: text(),
  orderingUrl: text(),
  sandboxUrl: text(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
})
