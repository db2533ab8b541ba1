import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Charges of a merchant in a mode, as one list. A merchant that never set them has no row. */
export const chargeTable = sqliteTable(
  'charges',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    charges: text({ mode: 'json' }).notNull(),
    /** Increases by one with every change. */
    version: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode] }),
    check('charges_charges', sql`json_type(${table.charges}) = 'array'`),
    check('charges_version', sql`${table.version} >= 1`),
  ],
)
