import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Who has an account: the directory of all merchants. */
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

/** API keys. The key itself is not stored: only its SHA-256, and what helps its owner to recognise it. */
export const keyTable = sqliteTable(
  'keys',
  {
    id: text().primaryKey(),
    merchantId: text()
      .notNull()
      .references(() => merchantTable.id),
    hash: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    title: text(),
    /** Absent: all scopes. */
    scopes: text({ mode: 'json' }),
    last4: text().notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer(),
    /** To within a few minutes. */
    lastUsedAt: integer(),
  },
  (table) => [
    uniqueIndex('keys_hash').on(table.hash),
    index('keys_list').on(table.merchantId, table.id),
    check('keys_scopes', sql`json_type(${table.scopes}) = 'array'`),
  ],
)

/** What the service made up for itself, once: `signing` is the secret that only it knows. */
export const settingTable = sqliteTable('settings', { name: text().primaryKey(), value: text().notNull() })
