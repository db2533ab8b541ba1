import { sql } from 'drizzle-orm'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { baseColumns, createHiddenIndex, isJsonList, isJsonObject, resourceConstraints } from '../resource-columns.ts'

export const modifierTable = sqliteTable(
  'modifiers',
  {
    ...baseColumns,
    title: text().notNull(),
    instructions: text().notNull(),
    description: text(),
    type: text({ enum: ['CHECKBOX', 'RADIO'] }).notNull(),
    rules: text({ mode: 'json' }).notNull(),
    options: text({ mode: 'json' }).notNull(),
  },
  (table) => [
    ...resourceConstraints('modifiers', table, {
      checks: {
        type: sql`${table.type} in ('CHECKBOX', 'RADIO')`,
        rules: isJsonObject(table.rules),
        options: isJsonList(table.options),
      },
    }),
    createHiddenIndex('modifiers', table),
  ],
)
