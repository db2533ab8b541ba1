import * as z from 'zod/mini'
import type { StoredImport } from '../import-view.ts'
import { createFileRowReader } from './file-row-reader.ts'
import { isResourcePath } from './imported-resource.ts'
import { readPreparedLine } from './prepared-line.ts'

const issue = z.object({
  column: z.optional(z.string()),
  pointer: z.optional(z.string()),
  code: z.string(),
  message: z.string(),
  value: z.optional(z.string()),
  severity: z.optional(z.literal('notice')),
})

/** The rows of a chunk. */
export const chunkRows = z.array(
  z.object({
    row: z.int(),
    raw: z.union([z.string(), z.array(z.string())]),
    issue: z.optional(issue),
    copy: z.optional(z.int()),
  }),
)
export type ChunkRow = z.output<typeof chunkRows>[number]

const cells = z.nullable(z.array(z.string()))

/** Cells of the header row of a CSV file. */
export const readHeaderCells = ({ header }: Pick<StoredImport, 'header'>): readonly string[] =>
  cells.parse(header) ?? []

/** Returns a function that reads the rows of an import. */
export const createStoredRowReader = (stored: StoredImport) =>
  stored.mapping === 'auto'
    ? readPreparedLine
    : createFileRowReader({
        format: stored.format,
        resource: isResourcePath(stored.resource) ? stored.resource : undefined,
        header: readHeaderCells(stored),
        delimiter: stored.delimiter ?? ',',
      }).read
