import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Numbers that operators observe: counts since the first deployment, and times of the last runs in seconds. */
export const counterTable = sqliteTable('counters', { name: text().primaryKey(), value: integer().notNull() })
