import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { merchantTable } from '../merchants.ts'

/** Roles of members. `platform/auth/roles.ts` says what each may do. */
export const roles = ['owner', 'manager', 'staff', 'developer'] as const

/** Members of merchants. A member belongs to one merchant. A person with several memberships uses the same passkeys for all of them. */
export const userTable = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    merchantId: text()
      .notNull()
      .references(() => merchantTable.id),
    /** User handle of the person's passkeys. */
    person: text().notNull(),
    role: text({ enum: roles }).notNull(),
    name: text().notNull(),
    createdAt: integer().notNull(),
    /** Time of the last sign-in. */
    lastUsedAt: integer(),
  },
  (table) => [
    index('users_list').on(table.merchantId, table.id),
    uniqueIndex('users_person').on(table.person, table.merchantId),
    check('users_role', sql`${table.role} in ('owner', 'manager', 'staff', 'developer')`),
  ],
)

/** Passkeys of persons: the data that WebAuthn needs to verify a sign-in. Contains no secret. */
export const passkeyTable = sqliteTable(
  'passkeys',
  {
    /** Id of the credential, in base64url. */
    id: text().primaryKey(),
    person: text().notNull(),
    /** SPKI in base64url, and its COSE algorithm. */
    publicKey: text().notNull(),
    algorithm: integer().notNull(),
    /** Signature counter; 0 for authenticators that do not count. */
    counter: integer().notNull(),
    transports: text({ mode: 'json' }).notNull(),
    createdAt: integer().notNull(),
    lastUsedAt: integer(),
    /** Name that the person gave it. */
    title: text(),
  },
  (table) => [
    index('passkeys_person').on(table.person),
    check('passkeys_transports', sql`json_type(${table.transports}) = 'array'`),
  ],
)

/** Challenges of passkeys that were used: each is accepted once. */
export const usedChallengeTable = sqliteTable('used_challenges', { id: text().primaryKey() })

/** Invitations that are not used. Stores the SHA-256 of a token, never the token. */
export const invitationTable = sqliteTable(
  'invitations',
  {
    id: text().primaryKey(),
    merchantId: text()
      .notNull()
      .references(() => merchantTable.id),
    hash: text().notNull(),
    role: text({ enum: roles }).notNull(),
    /** Id of an API key or a member, or `operator`. */
    createdBy: text().notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
    /** Name of the invited person. Absent: they type it. */
    name: text(),
  },
  (table) => [
    uniqueIndex('invitations_hash').on(table.hash),
    index('invitations_list').on(table.merchantId, table.id),
    check('invitations_role', sql`${table.role} in ('owner', 'manager', 'staff', 'developer')`),
  ],
)
