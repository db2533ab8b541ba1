import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Sessions of the operator in the console. Stores a hash of a token and `ADMIN_TOKEN`, so that another `ADMIN_TOKEN` ends them all. */
export const operatorSessionTable = sqliteTable(
  'operator_sessions',
  {
    id: text().primaryKey(),
    hash: text().notNull(),
    createdAt: integer().notNull(),
    /** Accurate to a few minutes. */
    lastUsedAt: integer().notNull(),
    /** `User-Agent` of the sign-in, so that a person recognizes the session. */
    userAgent: text(),
    /** Time of the sign-in with the token, by the clock of the database. Absent if Cloudflare Access signed the operator in. */
    assertedAt: integer(),
  },
  (table) => [uniqueIndex('operator_sessions_hash').on(table.hash)],
)
