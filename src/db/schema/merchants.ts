import { sql } from 'drizzle-orm'
import { check, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The directory of all merchants. */
export const merchantTable = sqliteTable(
  'merchants',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** IANA time zone. */
    timezone: text().notNull(),
    /** ISO 4217. */
    currency: text(),
    orderingUrl: text(),
    sandboxUrl: text(),
    pricesIncludeTax: integer({ mode: 'boolean' }).notNull().default(true),
    /** In percent. */
    taxRate: real().notNull().default(0),
    taxRounding: text({ enum: ['rate', 'line'] })
      .notNull()
      .default('rate'),
    /** Local time, as `HHMM`. */
    dayStartsAt: text().notNull().default('0400'),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (table) => [
    check('merchants_prices_include_tax', sql`${table.pricesIncludeTax} in (0, 1)`),
    check('merchants_tax_rate', sql`typeof(${table.taxRate}) in ('integer', 'real')`),
    check('merchants_tax_rounding', sql`${table.taxRounding} in ('rate', 'line')`),
    check(
      'merchants_day_starts_at',
      sql`${table.dayStartsAt} glob '[0-2][0-9][0-5][0-9]' and ${table.dayStartsAt} < '2400'`,
    ),
  ],
)
