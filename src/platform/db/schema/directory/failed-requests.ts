import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { isZeroOrOne } from '../resource-columns.ts'

/** Failed requests of API keys by day. Contains no ids of paths, no query values and no bodies. */
export const failedRequestTable = sqliteTable(
  'failed_requests',
  {
    merchantId: text().notNull(),
    keyId: text().notNull(),
    /** Start of the day in UTC, in seconds. */
    day: integer().notNull(),
    /** JSON list of method, route pattern, status, code and pointers. */
    request: text().notNull(),
    /** Mode of the key. */
    testMode: integer({ mode: 'boolean' }).notNull(),
    count: integer().notNull(),
    /** In seconds, by the clock of the database. */
    lastAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.keyId, table.day, table.request] }),
    // Another failure changes none of its columns, so that it writes one row.
    index('failed_requests_day').on(table.day),
    check('failed_requests_mode', isZeroOrOne(table.testMode)),
  ],
)
