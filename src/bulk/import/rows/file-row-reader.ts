import type { ImportFormat } from '../../../platform/db/schema/imports/imports.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { limitsPrefix, listColumns } from '../../csv/columns.ts'
import { type CsvColumn, readCsvHeader } from './csv-header.ts'
import type { FileRow, RowIssue } from './file-row.ts'
import { getResource } from './imported-resource.ts'
import { type NumberFormat, readCells } from './read-cells.ts'
import { type FileLine, readLine } from './read-line.ts'

/** Parameters for reading the rows of a file. */
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
  const hasDecimalCommas = delimiter !== ','
  const numbers = { hasDecimalCommas, isExport: isOwnHeader(resource, header) }
  return { read: (raw) => ({ kind: 'object', object: readRecord(resource, columns, numbers, raw) }), issues }
}

/** Whether a file has all columns of an export. Earlier releases exported no limits. */
export function isOwnHeader(path: ResourcePath, header: readonly string[]): boolean {
  const names = new Set(header.map((cell) => cell.trim().toLowerCase()))
  return listColumns(getResource(path), []).every(
    (column) => column.startsWith(limitsPrefix) || names.has(column.toLowerCase()),
  )
}

const readRecord = (path: ResourcePath, columns: readonly CsvColumn[], numbers: NumberFormat, raw: FileRow['raw']) =>
  readCells(path, columns, numbers, [raw].flat())
