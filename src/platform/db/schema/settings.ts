import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Values that the service generates once. `signing` is its secret for signatures. */
export const settingTable = sqliteTable('settings', { name: text().primaryKey(), value: text().notNull() })
