import { invalid } from '../../../platform/errors.ts'
import { importLimits } from '../import-limits.ts'

/** An issue of a row: in a column of a CSV file, or at a JSON pointer of a line. */
export interface RowIssue {
  column?: string | undefined
  pointer?: string | undefined
  code: string
  message: string
  value?: string | undefined
  /** A notice does not leave the row out. Absent: an issue, which does. An issue that earlier rows have too is repeated: no list has it. */
  severity?: 'notice' | 'repeated' | undefined
}

/** Whether an issue leaves its row in. */
export const isNotice = ({ severity }: Pick<RowIssue, 'severity'>): boolean => severity === 'notice'

/** A row as sent: the cells of a CSV record, or a line of JSON. */
export interface FileRow {
  /** Row of the spreadsheet, whose header is row 1, or number of the line. */
  row: number
  raw: string | string[]
  issue?: RowIssue | undefined
  /** Number of the row among those with the same title, if it is not the first of them. */
  copy?: number | undefined
}

const tooLong = (message: string) => invalid([{ pointer: '', code: 'too_long', message }])

/** Throws if the text of a CSV record exceeds its limit. */
export function requireRecordSize(row: number, text: string): void {
  const max = importLimits.recordUnits
  if (text.length > max)
    throw tooLong(`has more than ${max.toLocaleString('en')} characters in row ${row}; a quote may be missing`)
}

/** Throws if a line of JSON exceeds its limit. */
export function requireLineSize(row: number, text: string): void {
  const max = importLimits.lineUnits
  if (text.length > max) throw tooLong(`has more than ${max.toLocaleString('en')} characters in line ${row}`)
}

/** The row as JSON. Throws if it is too large to be stored. */
export function serializeRow(row: FileRow): string {
  const json = JSON.stringify(row)
  // A UTF-16 unit has at most three bytes.
  const max = importLimits.storedRowBytes
  if (json.length * 3 > max && new TextEncoder().encode(json).length > max)
    throw tooLong(`has more than ${max.toLocaleString('en')} bytes in row ${row.row} as a JSON string`)
  return json
}
