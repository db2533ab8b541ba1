import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What the service made up for itself, once: `signing` is the secret that only it knows. */
export const settingTable = sqliteTable('settings', { name: text().primaryKey(), value: text().notNull() })
