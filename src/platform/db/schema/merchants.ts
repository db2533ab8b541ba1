import { and, isNull, sql } from 'drizzle-orm'
import { check, index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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
    /** Further hosts to which tags may lead. */
    destinationHosts: text({ mode: 'json' }),
    pricesIncludeTax: integer({ mode: 'boolean' }).notNull().default(true),
    /** In percent. */
    taxRate: real().notNull().default(0),
    taxRounding: text({ enum: ['rate', 'line'] })
      .notNull()
      .default('rate'),
    /** Tax rates by order type, in percent. */
    taxRates: text({ mode: 'json' }),
    /** Amount of which cash totals are multiples. */
    cashRounding: real(),
    /** Local time, as `HHMM`. */
    dayStartsAt: text().notNull().default('0400'),
    /** BCP 47 tag of the venue's texts. */
    language: text(),
    /** Address of a picture. While its address is here, the stored picture is not deleted. */
    logo: text(),
    /** `#rrggbb`. */
    color: text(),
    /** Name of a design. */
    theme: text(),
    /** The bar at the end of the hosted menu, as a JSON object. */
    menuBar: text({ mode: 'json' }),
    address: text({ mode: 'json' }),
    phone: text(),
    website: text(),
    /** Who publishes a release: anyone, or another person than its author. Null: anyone. */
    publishBy: text({ enum: ['anyone', 'other'] }),
    /** Rights of an operator of the service who opens the venue for an hour. Null: read. */
    supportAccess: text({ enum: ['off', 'read', 'write'] }),
    openingHours: text({ mode: 'json' }),
    notes: text({ mode: 'json' }),
    closures: text({ mode: 'json' }),
    specialHours: text({ mode: 'json' }),
    /** Whether nothing is served outside the opening hours. False for venues from before the column. */
    hoursClose: integer({ mode: 'boolean' }).notNull().default(false),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    /** Set while the merchant is suspended, in seconds. */
    suspendedAt: integer(),
    /** Set while the merchant is closed, in seconds. A closed merchant counts as suspended. */
    closedAt: integer(),
    /** End of the grace period of a closed merchant, in seconds: its data is deleted from then on. */
    deletesAt: integer(),
  },
  (table) => [
    index('merchants_deletes').on(table.deletesAt).where(sql`${table.deletesAt} is not null`),
    check('merchants_menu_bar', sql`json_type(${table.menuBar}) = 'object'`),
    check('merchants_address', sql`json_type(${table.address}) = 'object'`),
    check('merchants_opening_hours', sql`json_type(${table.openingHours}) = 'array'`),
    check('merchants_notes', sql`json_type(${table.notes}) = 'array'`),
    check('merchants_closures', sql`json_type(${table.closures}) = 'array'`),
    check('merchants_special_hours', sql`json_type(${table.specialHours}) = 'array'`),
    check('merchants_destination_hosts', sql`json_type(${table.destinationHosts}) = 'array'`),
    check('merchants_hours_close', sql`${table.hoursClose} in (0, 1)`),
    check('merchants_prices_include_tax', sql`${table.pricesIncludeTax} in (0, 1)`),
    check('merchants_tax_rate', sql`typeof(${table.taxRate}) in ('integer', 'real')`),
    check('merchants_tax_rates', sql`json_type(${table.taxRates}) = 'object'`),
    check('merchants_cash_rounding', sql`typeof(${table.cashRounding}) in ('null', 'integer', 'real')`),
    check('merchants_tax_rounding', sql`${table.taxRounding} in ('rate', 'line')`),
    check(
      'merchants_day_starts_at',
      sql`${table.dayStartsAt} glob '[0-2][0-9][0-5][0-9]' and ${table.dayStartsAt} < '2400'`,
    ),
  ],
)

/** SQL for "neither suspended nor closed": keys are accepted, guests are served, deliveries are made. */
export const isServed = and(isNull(merchantTable.suspendedAt), isNull(merchantTable.closedAt))
/** The state as a value of a row: 1 for a suspended or closed merchant, else 0. */
export const suspendedField = sql<number>`not (${isServed})`
