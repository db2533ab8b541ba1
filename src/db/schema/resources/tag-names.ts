import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tagTable } from './tags.ts'

/**
 * All names that resolve to a tag: its code, its id and its legacy aliases. A name is never reused: it outlives its tag, so that a scan of
 * a printed code reports that the tag was deleted.
 */
export const tagNameTable = sqliteTable(
  'tag_names',
  {
    name: text().primaryKey(),
    tag: integer().references(() => tagTable.seq, { onDelete: 'set null' }),
  },
  (table) => [index('tag_names_tag').on(table.tag)],
)
