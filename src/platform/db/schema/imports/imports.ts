import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Issues and notices of imported files. */
export const importIssueTable = sqliteTable(
  'import_issues',
  {
    importId: text().notNull(),
    /** Sorts by row, then by the order of the issues of a row. Notices, whose ids begin with a letter, sort after all issues. */
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
    /** JSON object: by row, the key that selected an object, empty if none did, and what the row will do. */
    matches: text({ mode: 'json' }).notNull().default({}),
    /** Some row has an issue. */
    faulty: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.position] })],
)

export const importFormats = ['csv', 'jsonl'] as const
export type ImportFormat = (typeof importFormats)[number]

/** Fields that can select the object of a row. */
export const importMatches = ['externalId', 'id', 'sku', 'title'] as const
export type ImportMatch = (typeof importMatches)[number]

/** `strict`: columns have the names of fields. `auto`: the service finds out what a file contains. `live`: no file, but the catalogue of live mode. */
export const importMappings = ['strict', 'auto', 'live'] as const

/** `uploading` while the file is read. Responses never show it. `asking` while a question about the file is open. */
const importStates = ['uploading', 'asking', 'checking', 'ready', 'failed', 'applying', 'done', 'cancelled'] as const

/** Whether rows with details have been applied, and whether these details are being written. */
const importDetailsStates = ['none', 'pending', 'writing'] as const
/** Pass over the details of rows. `again`: the first one, which left out details that name those of other objects; `last` writes them. */
const importDetailsPasses = ['first', 'again', 'last'] as const

/** Imports of files. The queue message only names an import; this table holds its next step. */
export const importTable = sqliteTable(
  'imports',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    id: text().notNull(),
    /** The resource that the request names. Absent: each line names its own. */
    resource: text(),
    /** Paths of the resources in the file, as a JSON list. */
    resources: text({ mode: 'json' }).notNull(),
    format: text({ enum: importFormats }).notNull(),
    match: text({ enum: [...importMatches, 'auto'] }).notNull(),
    mapping: text({ enum: importMappings }).notNull().default('strict'),
    /** Findings about a file with `mapping=auto`, and choices of the client, as JSON. */
    reading: text({ mode: 'json' }),
    /** Increases with each mapping. The rows of each mapping have chunks of their own. */
    revision: integer().notNull().default(0),
    /** JSON object: numbers of checked rows by what they will do. */
    planned: text({ mode: 'json' }).notNull().default({}),
    /** Leave objects that exist as they are. */
    keepExisting: integer({ mode: 'boolean' }).notNull().default(false),
    /** Delete the objects that the file does not name. */
    deleteMissing: integer({ mode: 'boolean' }).notNull(),
    /** Maximum number of objects to delete. Absent: nobody has confirmed a number. */
    confirmDeletes: integer(),
    /** Set the counters of the service to the values in the file. */
    setCounters: integer({ mode: 'boolean' }).notNull().default(false),
    /** JSON object: number of checked rows whose counter differs from that of their object, by `<resource>.<field>`; without a field, of rows whose object is kept and differs. */
    differing: text({ mode: 'json' }).notNull().default({}),
    /** JSON object: numbers of applied rows by outcome, by resource. */
    outcomes: text({ mode: 'json' }).notNull().default({}),
    /** Apply the import if no row has an issue. */
    autoApply: integer({ mode: 'boolean' }).notNull(),
    state: text({ enum: importStates }).notNull(),
    /** The file as a whole has an issue. */
    broken: integer({ mode: 'boolean' }).notNull(),
    /** Some row cannot be read, so it is unknown which object it names. */
    hasUnreadableRow: integer({ mode: 'boolean' }).notNull(),
    /** Cells of the header row and the delimiter of a CSV file. */
    header: text({ mode: 'json' }),
    delimiter: text(),
    rows: integer().notNull(),
    checked: integer().notNull(),
    applied: integer().notNull(),
    created: integer().notNull(),
    updated: integer().notNull(),
    unchanged: integer().notNull(),
    deleted: integer().notNull(),
    failed: integer().notNull(),
    /** Increases with every step. An outdated step sets it to -1, which violates `imports_step` and undoes the step. */
    step: integer().notNull(),
    /** Start of the next step: position of a chunk, and index of a row in it. */
    nextChunk: integer().notNull(),
    nextRow: integer().notNull(),
    /** All rows are applied. Objects that the file does not name are deleted, one resource after the other. */
    deleting: integer({ mode: 'boolean' }).notNull(),
    /** Only earlier releases use it. */
    deletedThrough: integer().notNull(),
    /** Details are written in a second pass over the chunks, after all rows: they can name objects of every row. */
    detailsState: text({ enum: importDetailsStates }).notNull().default('none'),
    detailsPass: text({ enum: importDetailsPasses }).notNull().default('first'),
    /** Number of consecutive failures of the next step, and time of the last one. Outages do not count. */
    failures: integer().notNull().default(0),
    failedAt: integer().notNull().default(0),
    /** Id of the API key, and request, that uploaded the file or applied it. */
    actor: text().notNull(),
    requestId: text(),
    /** Public base URL, and hosts of this service as a JSON list, as in the request that uploaded the file. */
    baseUrl: text(),
    ownHosts: text({ mode: 'json' }).notNull(),
    /** Time when applying was requested, in milliseconds. */
    queuedAt: integer(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.id] }),
    index('imports_id').on(table.id),
    check('imports_step', sql`${table.step} >= 0`),
    index('imports_waiting')
      .on(table.updatedAt, table.state)
      .where(sql`${table.state} in ('uploading', 'checking', 'applying')`),
  ],
)
