import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { baseColumns, isJsonList, isZeroOrOne, resourceConstraints } from '../resource-columns.ts'

/**
 * All names that resolve to a tag: its code, its id and its legacy aliases. A name is never reused. It stays after its tag is deleted, so that a scan
 * of a printed code can report the deletion. The directory has the names of all tags. An object also has those of its merchant.
 */
export const tagNameTable = sqliteTable(
  'tag_names',
  {
    name: text().primaryKey(),
    /** Absent if the tag was deleted. Also absent in the directory if an object has the tag. */
    tag: integer().references(() => tagTable.seq, { onDelete: 'set null' }),
    /** Absent for names of earlier releases. */
    merchantId: text(),
    /** Time in seconds at which the name was reserved for a tag in an object. Absent after the tag was found there. */
    reservedAt: integer(),
  },
  (table) => [
    index('tag_names_tag').on(table.tag),
    index('tag_names_elsewhere').on(table.merchantId, table.name).where(sql`${table.tag} is null`),
    index('tag_names_reserved').on(table.reservedAt).where(sql`${table.reservedAt} is not null`),
  ],
)

export const tagTable = sqliteTable(
  'tags',
  {
    ...baseColumns,
    nfc: integer({ mode: 'boolean' }).notNull(),
    metadata: text({ mode: 'json' }).notNull(),
    code: text().notNull(),
    legacy: text({ mode: 'json' }),
  },
  (table) => [
    ...resourceConstraints('tags', table, {
      lookups: { nfc: table.nfc },
      checks: {
        flags: isZeroOrOne(table.nfc, table.testMode),
        metadata: isJsonList(table.metadata),
      },
    }),
    // A live key lists the tags of both modes as one.
    uniqueIndex('tags_both').on(table.merchantId, table.id),
    index('tags_both_updated').on(table.merchantId, table.updatedAt, table.id),
    index('tags_both_nfc').on(table.merchantId, table.nfc, table.id),
  ],
)
