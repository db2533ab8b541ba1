import { maxValueBytes } from '../../platform/lib/encoding/value-size.ts'

/**
 * Limits of imports. `columns` counts columns up to the last one with a name. `cells` counts all cells of a header; its limit is that of
 * spreadsheets. `recordUnits` and `lineUnits` count UTF-16 units of a CSV record and of a line of JSON, which may have 1 MiB of details;
 * `storedRowBytes` counts a row as JSON in its chunk, which must fit in 2 MB. `openImports` counts those of a merchant in one mode that are not done,
 * failed or cancelled. `rememberedMappings` counts shapes of files whose mapping a merchant chose, in one mode.
 */
export const importLimits = {
  fileBytes: 10 * 1024 * 1024,
  rows: 20_000,
  columns: 1_000,
  cells: 16_384,
  recordUnits: 262_144,
  lineUnits: 1_500_000,
  storedRowBytes: maxValueBytes,
  openImports: 20,
  rememberedMappings: 200,
} as const

/** Maximum number of columns of a file of faulty rows with messages in the last column. In wider files, the messages are in the first column. */
export const paddedColumns = 200

/**
 * Memory of an upload in bytes: `base` for a part of the file, the rows of chunks that are not full and their insertion; the rest is for
 * the keys of its rows, in steps of `growth`.
 */
export const uploadMemory = { base: 3 * 1024 * 1024, growth: 1024 * 1024 } as const

/** Retention of imports, and of the rows and issues of ended imports, in days. */
export const importRetentionDays = 30
export const importRowRetentionDays = 7

/** Days after which an import that waits for answers counts as cancelled. */
export const askingDays = 7

/**
 * Number of positions of the chunks of one reading of a file. Chunks with the rows as they came are below 0, those of the n-th mapping from n times
 * this number on.
 */
export const chunksPerReading = 1_000_000

/** Maximum number of rows in a chunk and in a step, and of UTF-16 units of the rows of a chunk as JSON. */
export const chunkLimits = { rows: 250, units: 400_000 } as const

/** Maximum number of rows of a step that writes details. Each row takes two round trips. The step is the last one of its message. */
export const detailsPerStep = 50

/** Maximum number of steps that one message makes, and the time after which it starts no further step, in milliseconds. */
export const messageLimits = { steps: 8, ms: 15_000 } as const

/**
 * Pause after a step, so that isolate and database are free for other requests most of the time: the larger of a multiple of its duration and of
 * `stepMsPerRow` for each of its rows, at most `maxMs`. While a file is read, `uploadMsPerRow` for each row of a slice. In milliseconds.
 */
export const importPace = { timeFactor: 1.5, stepMsPerRow: 0.3, uploadMsPerRow: 0.02, maxMs: 250 } as const

/**
 * While other requests change objects between two reads of a step, each further attempt has this fraction of its rows, down to one. Each step that
 * succeeds lets the next one of the message have this multiple.
 */
export const contention = { shrinking: 4, growth: 2 } as const

/**
 * Number of failures of a step, at least `intervalSeconds` apart, after which the import gives up a row. They take an hour in total. Failures in an
 * outage do not count.
 */
export const failureLimits = { count: 61, intervalSeconds: 60 } as const

/** Maximum number of issues that are stored for one row, and of UTF-16 units of a value, and of a column or pointer, in an issue. */
export const issueLimits = { perRow: 20, valueUnits: 200, nameUnits: 500 } as const
