import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Keys of the operator's programs. Stores the SHA-256 of a key and its last four characters, never the key. */
export const platformKeyTable = sqliteTable(
  'platform_keys',
  {
    id: text().primaryKey(),
    hash: text().notNull(),
    title: text().notNull(),
    scopes: text({ mode: 'json' }).notNull(),
    /** Ranges of addresses in CIDR notation. Absent: all addresses. */
    allowedIps: text({ mode: 'json' }),
    last4: text().notNull(),
    /** Id of an operator, or `operator`. */
    createdBy: text().notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer(),
    /** Accurate to a few minutes. */
    lastUsedAt: integer(),
  },
  (table) => [
    uniqueIndex('platform_keys_hash').on(table.hash),
    check('platform_keys_allowed_ips', sql`json_type(${table.allowedIps}) = 'array'`),
    check('platform_keys_scopes', sql`json_type(${table.scopes}) = 'array'`),
  ],
)
