import { toLetters } from '../../csv/column-letters.ts'
import { createNotices, type FileNotice } from '../../files/items/file-item.ts'
import { countKnownHeadings } from '../../files/table/headings.ts'
import { splitCurrency } from '../../files/values/currencies.ts'
import { readNumber } from '../../files/values/numbers.ts'
import type { FileRow } from '../rows/file-row.ts'

/** Number of rows in which the headings are searched. Above them, price lists have a title, an address or a date. */
const maxRowsAbove = 20
/** Number of rows by which columns without headings are told apart. */
const maxSampleRows = 200

const cellsOf = ({ raw }: FileRow): readonly string[] => [raw].flat()
const listNamed = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '')
const isNumber = (cell: string) => readNumber(splitCurrency(cell).number) !== undefined

/** Index of the row with the headings: the first one, unless only a later one has known headings. */
function findIndex(rows: readonly FileRow[]): number {
  const [first = []] = rows.map(cellsOf)
  const known = countKnownHeadings(first)
  if (known >= 2 || (known === 1 && listNamed(first).length >= 2)) return 0
  const index = rows.slice(0, maxRowsAbove).findIndex((row) => countKnownHeadings(cellsOf(row)) >= 2)
  return Math.max(0, index)
}

/** Headings for columns that have none: a text and a number are title and price. More columns have the letters of a spreadsheet. */
function nameColumns(rows: readonly FileRow[]): string[] {
  const sample = rows.slice(0, maxSampleRows).map(cellsOf)
  const width = Math.max(...sample.map(({ length }) => length))
  const kinds = Array.from({ length: width }, (_, index) => {
    const cells = listNamed(sample.map((cells) => cells[index] ?? ''))
    if (cells.length === 0) return 'empty'
    return cells.every(isNumber) ? 'price' : cells.some(isNumber) ? 'mixed' : 'title'
  })
  const filled = kinds.filter((kind) => kind !== 'empty')
  const isClear = filled.length === 2 && filled.includes('price') && filled.includes('title')
  return kinds.map((kind, index) => (isClear ? (kind === 'empty' ? '' : kind) : toLetters(index)))
}

/** The headings of a table, wherever they are, and the rows below them. A table that begins with values gets headings. */
export function findHeader(all: readonly FileRow[]): {
  header: readonly string[]
  rows: readonly FileRow[]
  notices: readonly FileNotice[]
} {
  const notices = createNotices()
  const index = findIndex(all)
  const header = all[index] ? cellsOf(all[index]) : []
  if (index === 0 && countKnownHeadings(header) === 0 && header.some(isNumber)) {
    notices.add('no_headings', 'the file has no headings: look at what its columns become')
    return { header: nameColumns(all), rows: all, notices: notices.list() }
  }
  for (const row of all.slice(0, index)) {
    notices.add('rows_above', `rows above the headings: ${listNamed(cellsOf(row)).join(' ').slice(0, 100)}`)
  }
  return { header, rows: all.slice(index + 1), notices: notices.list() }
}
