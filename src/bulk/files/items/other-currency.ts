import type { RowIssue } from '../../import/rows/file-row.ts'
import type { Notices } from './file-item.ts'

/**
 * Rows of which only the first one lists its issue of another currency, for each column. All of them are left out: the others are counted, because a
 * file in another currency would list one issue for each row.
 */
export function listCurrencyOnce<Row extends { issues: readonly RowIssue[] }>(
  rows: readonly Row[],
  notices: Notices,
): readonly Row[] {
  const listed = new Set<string>()
  return rows.map((row) => {
    if (!row.issues.some(({ code }) => code === 'other_currency')) return row
    const counted = new Set<string>()
    const issues = row.issues.map((issue): RowIssue => {
      const { code, column, pointer, message } = issue
      if (code !== 'other_currency') return issue
      const place = column ?? pointer ?? ''
      if (!counted.has(place)) notices.add('other_currency', message, column)
      counted.add(place)
      if (!listed.has(place)) {
        listed.add(place)
        return issue
      }
      return { ...issue, severity: 'repeated' }
    })
    return { ...row, issues }
  })
}
