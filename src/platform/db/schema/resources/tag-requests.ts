import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Kinds of calls: somebody is to come, or the guest wants to pay. */
export const callKinds = ['call', 'bill'] as const
export type CallKind = (typeof callKinds)[number]

/** Requests of guests at tables. They have nothing personal, and are deleted after 30 minutes. */
export const tagRequestTable = sqliteTable(
  'tag_requests',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    id: text().notNull(),
    /** Id of the tag of the table. */
    tag: text().notNull(),
    kind: text({ enum: callKinds }).notNull(),
    /** In seconds. */
    at: integer().notNull(),
    /** When the venue's staff has done it, in seconds. Absent: it is open. */
    doneAt: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.id] }),
    index('tag_requests_at').on(table.at),
    check('tag_requests_kind', sql`${table.kind} in ('call', 'bill')`),
  ],
)
