import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { userTable } from './users.ts'

/** Changes of a person's passkeys. Each device of the person shows them at each of the person's venues. Rows outlive passkeys and merchants. */
export const noticeTable = sqliteTable(
  'notices',
  {
    id: text().primaryKey(),
    /** User handle of the person's passkeys. */
    person: text().notNull(),
    /** In seconds, by the clock of the database. */
    at: integer().notNull(),
    operation: text({ enum: ['passkeys.create', 'passkeys.delete'] }).notNull(),
    /** Id and name of the passkey. */
    passkey: text().notNull(),
    title: text(),
    /** Session that made the change, and the name of its venue. */
    sessionId: text().notNull(),
    venue: text().notNull(),
  },
  (table) => [index('notices_person').on(table.person, table.id)],
)

/** The last notice that a person has confirmed with a passkey at a venue. Other passkeys still show the notice. */
export const noticeMarkTable = sqliteTable(
  'notice_marks',
  {
    passkey: text().notNull(),
    userId: text()
      .notNull()
      .references(() => userTable.id, { onDelete: 'cascade' }),
    notice: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.passkey, table.userId] }), index('notice_marks_user').on(table.userId)],
)
