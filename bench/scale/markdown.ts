export const rounded = (value: number, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** A table in Markdown. `isNumeric` says which columns are right-aligned. */
export function markdownTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  isNumeric: (column: number) => boolean,
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')
  const rule = headings.map((_, column) => (isNumeric(column) ? '---:' : '---'))
  return [headings, rule, ...rows].map(line).join('\n')
}
