import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Roles of operators. `platform/auth/operator/operator-rights.ts` says what each may do. */
export const operatorRoles = ['admin', 'support'] as const

/** People who operate the service. A removed operator keeps the row, because audit logs name it. */
export const operatorTable = sqliteTable(
  'operators',
  {
    id: text().primaryKey(),
    role: text({ enum: operatorRoles }).notNull(),
    name: text().notNull(),
    /** In lower case: the address with which Cloudflare Access signs the operator in. */
    email: text(),
    /** User handle of the operator's passkeys. Absent until the invitation is accepted. */
    person: text(),
    /** SHA-256 of the token of an open invitation, and its expiry in seconds. */
    invitationHash: text(),
    invitedUntil: integer(),
    /** Id of an operator, or `operator`. */
    createdBy: text().notNull(),
    createdAt: integer().notNull(),
    /** Time of the last sign-in. */
    lastUsedAt: integer(),
    removedAt: integer(),
  },
  (table) => [
    uniqueIndex('operators_email').on(table.email),
    uniqueIndex('operators_person').on(table.person),
    uniqueIndex('operators_invitation').on(table.invitationHash),
    check('operators_role', sql`${table.role} in ('admin', 'support')`),
  ],
)
