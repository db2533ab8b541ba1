import type { ImportFormat } from '../../db/schema/imports/imports.ts'
import type { ResourcePath } from '../../names.ts'
import { type CsvColumn, readCsvHeader } from './csv-header.ts'
import type { FileRow, RowIssue } from './file-row.ts'
import { getResource } from './imported-resource.ts'
import { readCells } from './read-cells.ts'
import { type FileLine, readLine } from './read-line.ts'

/** What reading the rows of a file depends on. */
export interface FileShape {
  format: ImportFormat
  /** The resource that the request names. */
  resource: ResourcePath | undefined
  /** Cells of the header row of a CSV file. */
  header: readonly string[]
  delimiter: string
}

/** Returns a function that reads a row of a file, and the issues of its header. */
export function createFileRowReader({ format, resource, header, delimiter }: FileShape): {
  read: (raw: FileRow['raw']) => FileLine
  issues: readonly RowIssue[]
} {
  if (format === 'jsonl' || resource === undefined) {
    return { read: (raw) => readLine(String(raw), resource), issues: [] }
  }
  const { columns, issues } = readCsvHeader(getResource(resource), header)
  return { read: (raw) => ({ kind: 'object', object: readRecord(resource, columns, delimiter, raw) }), issues }
}

const readRecord = (path: ResourcePath, columns: readonly CsvColumn[], delimiter: string, raw: FileRow['raw']) =>
  readCells(path, columns, delimiter, [raw].flat())
