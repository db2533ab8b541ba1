import { toLetters } from '../../csv/column-letters.ts'
import { createNotices, type FileNotice } from '../../files/items/file-item.ts'
import { countKnownHeadings, headingRows } from '../../files/table/headings.ts'
import { splitPrices } from '../../files/table/split-prices.ts'
import { splitCurrency } from '../../files/values/currencies.ts'
import { readNumber } from '../../files/values/numbers.ts'
import type { FileRow } from '../rows/file-row.ts'

/** Number of rows by which columns without headings are told apart. */
const maxSampleRows = 200

const cellsOf = ({ raw }: FileRow): readonly string[] => [raw].flat()
const listNamed = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '')
const isNumber = (cell: string) => readNumber(splitCurrency(cell).number) !== undefined

/** A telephone number, a date or a code: nothing but digits and what separates them. */
const isDigits = (cell: string) => /^[-+\d\s()/.–]+$/.test(cell.trim()) && cell.replace(/\D/g, '').length >= 6
/** Whether a cell is a value, such as those of the address above a list, and no heading. */
const isValue = (cell: string) => isNumber(cell) || isDigits(cell) || /@|^\s*(?:https?:|www\.)/i.test(cell)

/** How much a row looks like headings: the number of known ones, less the number of values. */
const scoreHeadings = (cells: readonly string[]) =>
  listNamed(cells).length < 2 ? 0 : countKnownHeadings(cells) - cells.filter(isValue).length

/**
 * Index of the row that looks most like headings. Undefined if no row has known ones. If the first row may have headings of its own, one known word in
 * a later row is too little.
 */
function findKnown(rows: readonly FileRow[]): number | undefined {
  const scores = rows.map((row) => scoreHeadings(cellsOf(row)))
  const best = Math.max(...scores)
  const index = scores.indexOf(best)
  const [first = []] = rows.map(cellsOf)
  const isTable = listNamed(first).length >= 2 && !first.some(isValue)
  return best >= 2 || (best === 1 && (index === 0 || !isTable)) ? index : undefined
}

/** Where the first rows with several cells begin, below a title or an address. Their first one has headings if it has no value and the next one has. */
function findStart(rows: readonly FileRow[]): { index: number; isHeading: boolean } {
  const index = Math.max(
    0,
    rows.findIndex((row) => listNamed(cellsOf(row)).length >= 2),
  )
  const [first = [], next = []] = rows.slice(index, index + 2).map(cellsOf)
  if (!first.some(isValue)) return { index, isHeading: index === 0 || next.some(isNumber) }
  // A text directly above the first product is the title of its section.
  const above = rows[index - 1]
  const isSection = above !== undefined && above.row + 1 === rows[index]?.row && !cellsOf(above).some(isValue)
  return { index: isSection ? index - 1 : index, isHeading: false }
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

/** Number of cells up to the last one that is not empty. */
const widthOf = (cells: readonly string[]) => cells.findLastIndex((cell) => cell.trim() !== '') + 1

/**
 * Headings with the letters of a spreadsheet for columns that have none, but values. Cells beyond the headings are columns in a spreadsheet, and in a text if most rows
 * have the same number of them.
 */
function nameUnnamed(header: readonly string[], rows: readonly FileRow[], isSheet: boolean): string[] {
  const widths = rows.map((row) => widthOf(cellsOf(row)))
  const filled = new Set<number>()
  for (const row of rows) {
    for (const [index, cell] of cellsOf(row).entries()) if (cell.trim() !== '') filled.add(index)
  }
  const wider = widths.filter((width) => width > header.length)
  const [common = 0, same = []] =
    [...Map.groupBy(wider, (width) => width)].sort(([, a], [, b]) => b.length - a.length)[0] ?? []
  const width = isSheet
    ? wider.reduce((most, each) => Math.max(most, each), header.length)
    : same.length * 2 > rows.length
      ? common
      : header.length
  return Array.from({ length: width }, (_, index) => {
    const heading = header[index] ?? ''
    if (heading.trim() !== '') return heading
    return filled.has(index) ? toLetters(index) : heading
  })
}

/** Whether a row below the headings may have their second half: almost none of its cells are values. */
const mayBeHeadings = (cells: readonly string[]) => cells.filter(isValue).length * 4 <= listNamed(cells).length

/**
 * Headings in two rows: those of the second one stand where the first one has none, or end its words, as "Waren" above "gruppe". Undefined if the second row has values, or
 * no known heading.
 */
function joinHeadings(header: readonly string[], next: readonly string[]): string[] | undefined {
  const added = next.filter((_, index) => (header[index] ?? '').trim() === '')
  if (countKnownHeadings(added) === 0 || !mayBeHeadings(next)) return undefined
  return Array.from({ length: Math.max(header.length, next.length) }, (_, index) => {
    const [heading, below] = [(header[index] ?? '').trim(), (next[index] ?? '').trim()]
    if (heading === '') return below
    const whole = `${heading.replace(/-$/, '')}${below}`
    return below !== '' && countKnownHeadings([whole]) > 0 ? whole : heading
  })
}

/** Headings of which each one names one column: a second "Price" is "Price (2)". */
function distinguish(header: readonly string[]): string[] {
  const counts = new Map<string, number>()
  const taken = new Set(header.map((heading) => heading.trim()))
  return header.map((heading) => {
    const name = heading.trim()
    let count = (counts.get(name) ?? 0) + 1
    while (name !== '' && count > 1 && taken.has(`${name} (${count})`)) count++
    counts.set(name, count)
    return name === '' || count === 1 ? heading : `${name} (${count})`
  })
}

/**
 * The headings and rows of a table as they came, whose headings are known in another encoding. Its texts are decoded again later, so that another encoding
 * can still be chosen.
 */
export function findDecodedHeader(rows: readonly FileRow[], decode: (cell: string) => string) {
  const found = findHeader(rows.map((row) => ({ ...row, raw: cellsOf(row).map(decode) })))
  const start = rows.length - found.rows.length
  const heading = rows[start - 1]
  const below = rows.slice(start)
  const header = nameUnnamed(heading ? cellsOf(heading) : [], below, false)
  return { header: distinguish(header), rows: below, notices: found.notices }
}

/** The headings of a table, wherever they are, and the rows below them. A table that begins with values gets headings. */
export function findHeader(
  given: readonly FileRow[],
  { isSheet = false }: { isSheet?: boolean } = {},
): {
  header: readonly string[]
  rows: readonly FileRow[]
  notices: readonly FileNotice[]
} {
  const notices = createNotices()
  const split = splitPrices(given.map(cellsOf))
  const all = split ? given.map((row, index) => ({ ...row, raw: [...(split[index] ?? [])] })) : given
  const first = all.slice(0, headingRows)
  const known = findKnown(first)
  const { index, isHeading } = known === undefined ? findStart(first) : { index: known, isHeading: true }
  for (const row of all.slice(0, index)) {
    notices.add('rows_above', `rows above the headings: ${listNamed(cellsOf(row)).join(' ').slice(0, 100)}`)
  }
  if (isHeading) {
    const [first = [], second = []] = all.slice(index, index + 2).map(cellsOf)
    const joined = joinHeadings(first, second)
    const rows = all.slice(joined ? index + 2 : index + 1)
    return { header: distinguish(nameUnnamed(joined ?? first, rows, isSheet)), rows, notices: notices.list() }
  }
  notices.add('no_headings', 'the file has no headings: look at what its columns become')
  const rows = all.slice(index)
  return { header: split ? ['title', 'price'] : nameColumns(rows), rows, notices: notices.list() }
}
