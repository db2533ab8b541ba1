import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Rows of an imported file, in chunks of one resource each. */
export const importChunkTable = sqliteTable(
  'import_chunks',
  {
    importId: text().notNull(),
    /** Chunks are processed in this order: objects before the objects that name them. */
    position: integer().notNull(),
    merchantId: text().notNull(),
    /** Path of the resource. */
    resource: text().notNull(),
    /** JSON list of `{row, raw, issue?}`. */
    rows: text({ mode: 'json' }).notNull(),
    /** JSON objects: row by the file's own id, and row by external id. */
    fileIds: text({ mode: 'json' }).notNull(),
    externalIds: text({ mode: 'json' }).notNull(),
    /** JSON object: id of the object by the file's own id. Filled when rows are applied. */
    objectIds: text({ mode: 'json' }).notNull(),
    /** Some row has an issue. */
    faulty: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.position] })],
)
