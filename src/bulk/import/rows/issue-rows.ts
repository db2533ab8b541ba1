import { issueLimits } from '../import-limits.ts'
import type { RowIssue } from './file-row.ts'

/** An issue with its row. */
export interface StoredIssue extends RowIssue {
  /** Sorts by row. */
  id: string
  row: number
}

const { perRow, valueUnits, nameUnits } = issueLimits
const shorten = (text: string | undefined, maxUnits: number) => text?.slice(0, maxUnits).toWellFormed()

const toIssueId = (row: number, place: number) => `${String(row).padStart(8, '0')}-${String(place).padStart(2, '0')}`

/** Id of the issue of an import as a whole. It sorts after those of row 1. */
export const importIssueId = toIssueId(1, perRow)

/** The issues of one row as they are stored, within `issueLimits`, after the `first` issues that it already has. */
export const toStoredIssues = (row: number, issues: readonly RowIssue[], first = 0): StoredIssue[] =>
  issues.slice(0, perRow).map(({ column, pointer, value, message, ...issue }, index) => ({
    ...issue,
    column: shorten(column, nameUnits),
    pointer: shorten(pointer, nameUnits),
    message: message.toWellFormed(),
    value: shorten(value, valueUnits),
    id: toIssueId(row, first + index),
    row,
  }))

/** An issue of an import as a whole. It is listed with row 1, behind the issues of that row. */
export const toImportIssues = (issue: RowIssue): StoredIssue[] => toStoredIssues(1, [issue], perRow)
