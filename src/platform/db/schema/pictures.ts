import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { maxSeconds } from '../../lib/day.ts'
import { isJsonList } from './resource-columns.ts'

/** `cleanAt` of a picture whose files need no more cleaning. */
export const cleanForever = maxSeconds

/**
 * Uploaded pictures. The row comes before the files in R2 and goes after them, so that no file is without a row. A picture is used while
 * a product or menu of the merchant or its logo has its address.
 */
export const pictureTable = sqliteTable(
  'pictures',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    /** Digest of the merchant, the mode and all files. Part of the address. */
    digest: text().notNull(),
    /** Widths of the files in pixels, the picture's own first. They are part of the names in R2. */
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
