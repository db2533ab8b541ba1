import { unprotectFormula } from '../../csv/cells.ts'
import type { RowIssue } from '../../import/rows/file-row.ts'
import type { TablePlan } from './plan.ts'

/** A row of a table as it is stored. */
export interface TableRow {
  row: number
  cells: readonly string[]
  issue?: RowIssue | undefined
}

/** A cell that is not empty, with its column. */
export interface Cell {
  heading: string
  text: string
  /** Name of the place or the modifier in the heading. */
  named?: string | undefined
}

/** The cells of a row by what they become. */
export interface TableRecord {
  row: number
  issue?: RowIssue | undefined
  cells: ReadonlyMap<string, readonly Cell[]>
}

/** The first text of a target; empty without one. */
export const firstText = ({ cells }: TableRecord, to: string): string => cells.get(to)?.[0]?.text.trim() ?? ''

/** Groups the filled cells of a row by the targets of their columns. */
export function toRecord({ columns }: TablePlan, { row, cells, issue }: TableRow): TableRecord {
  const byTarget = new Map<string, Cell[]>()
  for (const [index, cell] of cells.entries()) {
    const column = columns[index]
    if (!column) break
    if (column.to === null || cell.trim() === '') continue
    const list = byTarget.get(column.to) ?? []
    list.push({ heading: column.name, text: unprotectFormula(cell), named: column.named })
    byTarget.set(column.to, list)
  }
  const hasExtra = cells.slice(columns.length).some((cell) => cell.trim() !== '')
  const extra = hasExtra ? { code: 'too_many', message: `has more than ${columns.length} cells` } : undefined
  return { row, issue: issue ?? extra, cells: byTarget }
}

/** The rows of one product: the row that describes it, and its variants. */
export interface RecordGroup {
  head: TableRecord
  rows: TableRecord[]
  issue?: RowIssue | undefined
}

const isVariation = (record: TableRecord) => /variation/i.test(firstText(record, 'kind'))

/** Key of the product that a row belongs to. Undefined: the row is a product of its own. */
function getKey(record: TableRecord, targets: ReadonlySet<string | null>): string | undefined {
  if (targets.has('group') || record.cells.has('group')) return firstText(record, 'group') || undefined
  if (targets.has('kind') || firstText(record, 'size') === '') return undefined
  const title = firstText(record, 'title')
  return title === '' ? undefined : JSON.stringify([title, firstText(record, 'category')])
}

/** The product above a row that has a size and no title, as merged cells and some exports have them. */
function findAbove(
  record: TableRecord,
  groups: readonly RecordGroup[],
  targets: ReadonlySet<string | null>,
): RecordGroup | undefined {
  const isSize = !targets.has('kind') && firstText(record, 'size') !== '' && firstText(record, 'title') === ''
  return isSize ? groups.at(-1) : undefined
}

/** Joins the rows of each product, wherever they are in the file. Products are in the order of their first rows. */
export function groupRows({ columns }: TablePlan, records: readonly TableRecord[]): RecordGroup[] {
  const targets = new Set(columns.map(({ to }) => to))
  const groups: RecordGroup[] = []
  const byKey = new Map<string, RecordGroup>()
  const parents = new Map<string, RecordGroup>()
  const variations: TableRecord[] = []
  for (const record of records) {
    if (isVariation(record)) {
      variations.push(record)
      continue
    }
    const key = getKey(record, targets)
    const known = key === undefined ? findAbove(record, groups, targets) : byKey.get(key)
    const group = known ?? { head: record, rows: [] }
    group.rows.push(record)
    if (firstText(group.head, 'title') === '' && firstText(record, 'title') !== '') group.head = record
    if (!known) groups.push(group)
    if (key !== undefined) byKey.set(key, group)
    if (!targets.has('parent')) continue
    for (const name of [firstText(record, 'sku'), `id:${firstText(record, 'key')}`]) {
      if (name !== '' && !parents.has(name)) parents.set(name, group)
    }
  }
  for (const record of variations) {
    const parent = parents.get(firstText(record, 'parent'))
    if (parent) parent.rows.push(record)
    else {
      const heading = columns.find(({ to }) => to === 'parent')?.name
      const issue = { column: heading, code: 'not_found', message: 'does not name a product of the file' }
      groups.push({ head: record, rows: [record], issue })
    }
  }
  return groups
}
