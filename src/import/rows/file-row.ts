import { invalid } from '../../errors.ts'
import { importLimits } from '../import-limits.ts'

/** An issue of a row: in a column of a CSV file, or at a JSON pointer of a line. */
export interface RowIssue {
  column?: string | undefined
  pointer?: string | undefined
  code: string
  message: string
  value?: string | undefined
}

/** A row as it came: the cells of a CSV record, or a line of JSON. */
export interface FileRow {
  /** Row of the spreadsheet, whose header is row 1, or number of the line. */
  row: number
  raw: string | string[]
  issue?: RowIssue | undefined
}

/** Throws if the text of one row exceeds its limit. */
export function requireRowSize(row: number, text: string): void {
  if (text.length <= importLimits.rowBytes) return
  const message = `has more than ${importLimits.rowBytes.toLocaleString('en')} characters in row ${row}; a quote may be missing`
  throw invalid([{ pointer: '', code: 'too_long', message }])
}
