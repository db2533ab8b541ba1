import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { maxSeconds } from '../../lib/day.ts'

/** `soldOutUntil` of a product that is sold out until further notice. */
export const furtherNotice = maxSeconds

/**
 * Products that were marked as sold out. A product is sold out before `soldOutUntil`. From that second on, the row has no effect, and the cron
 * deletes it. A trigger deletes the row with its product.
 */
export const availabilityTable = sqliteTable(
  'availability',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    product: text().notNull(),
    /** In seconds. */
    soldOutUntil: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.product] }),
    index('availability_until').on(table.soldOutUntil),
  ],
)

/** Options of modifiers that were marked as sold out, like products. Triggers delete the rows with their option or modifier. */
export const optionAvailabilityTable = sqliteTable(
  'option_availability',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    modifier: text().notNull(),
    option: text().notNull(),
    /** In seconds. */
    soldOutUntil: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.modifier, table.option] }),
    index('option_availability_until').on(table.soldOutUntil),
  ],
)
