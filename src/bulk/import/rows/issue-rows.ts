import { issueLimits } from '../import-limits.ts'
import type { RowIssue } from './file-row.ts'

/** An issue or a notice with its row. */
export interface StoredIssue extends Omit<RowIssue, 'severity'> {
  /** Sorts issues before notices, and each by row. */
  id: string
  row: number
}

/** Whether an import leaves the row out. */
export const issueSeverities = ['issue', 'notice'] as const
type IssueSeverity = (typeof issueSeverities)[number]

const { perRow, valueUnits, nameUnits } = issueLimits
const shorten = (text: string | undefined, maxUnits: number) => text?.slice(0, maxUnits).toWellFormed()

/** Prefixes of the ids of issues that no list has, and of notices. Those of other issues begin with a digit, so each kind is a range of ids. */
export const issuePrefixes = { repeated: 'm', notice: 'n' } as const

const toIssueId = (row: number, place: number) => `${String(row).padStart(8, '0')}-${String(place).padStart(2, '0')}`

/** Id of the issue of an import as a whole. It sorts after those of row 1. */
export const importIssueId = toIssueId(1, perRow)

/** Whether an id is that of an issue or of a notice. */
export const getSeverity = (id: string): IssueSeverity => (id.startsWith(issuePrefixes.notice) ? 'notice' : 'issue')

const toStored = (row: number, issues: readonly RowIssue[], toId: (index: number) => string): StoredIssue[] =>
  issues.slice(0, perRow).map(({ column, pointer, value, message, severity: _, ...issue }, index) => ({
    ...issue,
    column: shorten(column, nameUnits),
    pointer: shorten(pointer, nameUnits),
    message: message.toWellFormed(),
    value: shorten(value, valueUnits),
    id: toId(index),
    row,
  }))

/** The issues and the notices of one row as they are stored, within `issueLimits`, after the `first` issues that it already has. */
export function toStoredIssues(row: number, issues: readonly RowIssue[], first = 0): StoredIssue[] {
  const { issue = [], notice = [], repeated = [] } = Object.groupBy(issues, ({ severity = 'issue' }) => severity)
  return [
    ...toStored(row, issue, (index) => toIssueId(row, first + index)),
    ...toStored(row, notice, (index) => issuePrefixes.notice + toIssueId(row, index)),
    ...toStored(row, repeated, (index) => issuePrefixes.repeated + toIssueId(row, index)),
  ]
}

/** An issue of an import as a whole. It is listed with row 1, behind the issues of that row. */
export const toImportIssues = (issue: RowIssue): StoredIssue[] => toStoredIssues(1, [issue], perRow)
