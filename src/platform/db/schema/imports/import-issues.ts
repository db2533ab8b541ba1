import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Issues of imported files. */
export const importIssueTable = sqliteTable(
  'import_issues',
  {
    importId: text().notNull(),
    /** Sorts by row, then by the order of the issues of a row. */
    id: text().notNull(),
    merchantId: text().notNull(),
    /** Row of the spreadsheet, whose header is row 1, or line of the JSON Lines file. */
    row: integer().notNull(),
    /** Name of the column in a CSV file, or JSON pointer into the body. */
    column: text(),
    pointer: text(),
    code: text().notNull(),
    message: text().notNull(),
    /** The value, shortened. */
    value: text(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.id] }),
    index('import_issues_row').on(table.importId, table.row),
  ],
)
