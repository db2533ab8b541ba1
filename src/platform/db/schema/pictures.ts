import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { maxSeconds } from '../../lib/day.ts'
import { isJsonList } from './resource-columns.ts'

/** `cleanAt` of a picture whose files need no more cleaning. */
export const cleanForever = maxSeconds

/**
 * Uploaded pictures. The row is inserted before the files in R2 and deleted after them, so that every file has a row. A picture is in use while a
 * product, a menu or the logo of the merchant has its address.
 */
export const pictureTable = sqliteTable(
  'pictures',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    /** Digest of the merchant, the mode and all files. Part of the address. */
    digest: text().notNull(),
    /** Widths of the files in pixels, first that of the picture itself. They are part of the names in R2. */
    widths: text({ mode: 'json' }).notNull(),
    /** Size of all files. */
    bytes: integer().notNull(),
    /** Unused, always 0: the merchant's `logo` names its picture. */
    isLogo: integer({ mode: 'boolean' }).notNull(),
    /** In seconds. Null while the picture was used at the last check. */
    unusedSince: integer(),
    /** Time of the next check, in seconds. */
    checkAt: integer().notNull(),
    /** The files are being deleted. This state is final. */
    deleting: integer({ mode: 'boolean' }).notNull(),
    /** Time from which the files are cleaned again, in seconds: earlier releases kept more metadata than this one. */
    cleanAt: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.digest] }),
    index('pictures_check').on(table.checkAt),
    index('pictures_clean').on(table.cleanAt),
    index('pictures_bytes').on(table.merchantId, table.bytes),
    check('pictures_widths', isJsonList(table.widths)),
    check('pictures_flags', sql`${table.isLogo} in (0, 1) and ${table.deleting} in (0, 1)`),
  ],
)
