import { issueLimits } from '../import-limits.ts'
import type { RowIssue } from './file-row.ts'

/** An issue with its row. */
export interface StoredIssue extends RowIssue {
  /** Sorts by row. */
  id: string
  row: number
}

const shorten = (text: string | undefined) => text?.slice(0, issueLimits.valueUnits).toWellFormed()

/** The issues of one row as they are stored: at most `issueLimits.perRow`, with values of at most `issueLimits.valueUnits`. */
export const toStoredIssues = (row: number, issues: readonly RowIssue[]): StoredIssue[] =>
  issues.slice(0, issueLimits.perRow).map(({ value, message, ...issue }, index) => ({
    ...issue,
    message: message.toWellFormed(),
    value: shorten(value),
    id: `${String(row).padStart(8, '0')}-${String(index).padStart(2, '0')}`,
    row,
  }))
