import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { merchantTable } from './merchants.ts'

/** API keys. Stores the SHA-256 of a key and its last four characters, never the key. */
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
    /** Absent: the default scopes. */
    scopes: text({ mode: 'json' }),
    /** Ranges of addresses in CIDR notation. Absent: all addresses. */
    allowedIps: text({ mode: 'json' }),
    last4: text().notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer(),
    /** Accurate to a few minutes. */
    lastUsedAt: integer(),
  },
  (table) => [
    uniqueIndex('keys_hash').on(table.hash),
    index('keys_list').on(table.merchantId, table.id),
    check('keys_allowed_ips', sql`json_type(${table.allowedIps}) = 'array'`),
    check('keys_scopes', sql`json_type(${table.scopes}) = 'array'`),
  ],
)
