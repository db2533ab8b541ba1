import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { keyTable } from '../keys.ts'
import { merchantTable } from '../merchants.ts'
import { operatorTable } from './operators.ts'
import { userTable } from './users.ts'

/** Sessions of operators in the console. The hash of a session that the operator's token started contains that token, so that both end together. */
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
    /** Time of the sign-in with the token or a passkey, by the clock of the database. Absent if Cloudflare Access signed the operator in. */
    assertedAt: integer(),
    /** The person who signed in. Absent for the token, and for Cloudflare Access until the first admin exists. */
    operatorId: text().references(() => operatorTable.id),
  },
  (table) => [uniqueIndex('operator_sessions_hash').on(table.hash)],
)

/**
 * Sessions of the console. Stores the SHA-256 of a token, never the token. A session belongs to a key or a member, and ends with it, or to an operator
 * who supports the merchant for an hour.
 */
export const sessionTable = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    merchantId: text()
      .notNull()
      .references(() => merchantTable.id),
    keyId: text().references(() => keyTable.id, { onDelete: 'cascade' }),
    userId: text().references(() => userTable.id, { onDelete: 'cascade' }),
    operatorId: text().references(() => operatorTable.id),
    hash: text().notNull(),
    createdAt: integer().notNull(),
    /** Accurate to a few minutes. */
    lastUsedAt: integer().notNull(),
    /** `User-Agent` of the sign-in, so that a person recognizes the session. */
    userAgent: text(),
    /** Id of the passkey that started the session. Absent for the session of a key. */
    passkey: text(),
    /** Time of the last assertion of a passkey of the person, by the clock of the database. Absent for the session of a key. */
    assertedAt: integer(),
    /** Why the operator opened the venue. Absent for sessions of keys and members. */
    reason: text(),
  },
  (table) => [
    uniqueIndex('sessions_hash').on(table.hash),
    index('sessions_list').on(table.merchantId, table.id),
    index('sessions_key').on(table.keyId, table.id),
    index('sessions_user').on(table.userId, table.id),
    index('sessions_operator').on(table.operatorId, table.id),
    check(
      'sessions_subject',
      sql`(${table.keyId} is not null) + (${table.userId} is not null) + (${table.operatorId} is not null) = 1`,
    ),
    check('sessions_reason', sql`(${table.operatorId} is null) = (${table.reason} is null)`),
  ],
)
