import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { baseColumns, resourceConstraints } from '../resource-columns.ts'

export const customerTable = sqliteTable(
  'customers',
  { ...baseColumns, firstName: text().notNull(), lastName: text().notNull(), email: text(), phone: text() },
  (table) =>
    resourceConstraints('customers', table, {
      lookups: { email: table.email, phone: table.phone },
    }),
)
