import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tagTable } from './tags.ts'

/**
 * Everything a tag is reached by: its code, its id, and what was printed for it elsewhere. A name is used once, and never
 * again: it outlives its tag, so that what hangs on a wall says that the tag is gone.
 */
export const tagNameTable = sqliteTable(
  'tag_names',
  {
    name: text().primaryKey(),
    tag: integer().references(() => tagTable.seq, { onDelete: 'set null' }),
  },
  (table) => [index('tag_names_tag').on(table.tag)],
)
