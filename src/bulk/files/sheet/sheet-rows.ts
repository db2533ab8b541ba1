import type { RowIssue } from '../../import/rows/file-row.ts'
import { headingRows } from '../table/headings.ts'
import { removeNoise } from '../values/numbers.ts'
import type { Workbook } from './workbook.ts'
import { createXmlReader } from './xml-reader.ts'

export interface CellRow {
  row: number
  /** The spreadsheet does not show the row. */
  isHidden?: boolean
  raw: string[]
  issue?: RowIssue | undefined
}

/** Number of columns of a spreadsheet. */
const maxColumns = 16_384

/** Index of the column of a reference such as `AB12`. Undefined if it has none. */
function toColumn(reference: string): number | undefined {
  let index = 0
  for (const [letter] of reference.slice(0, 3).matchAll(/[A-Z]/g)) index = index * 26 + letter.charCodeAt(0) - 64
  return index > 0 && index <= maxColumns ? index - 1 : undefined
}

const dayMs = 86_400_000

/** A day number as a date, so that it is recognized as one in a column of numbers. */
function toDate(value: number, is1904: boolean): string {
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const time = new Date(start + value * dayMs)
  return Number.isNaN(time.getTime()) ? String(value) : time.toISOString().slice(0, 10)
}

/** A text without the notation of spreadsheets for characters that XML cannot have, such as `_x000D_` for a carriage return. */
const decodeCharacters = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

/** A number as text that can be read in one way: with four decimals instead of three. */
const toNumberText = (value: number) => {
  const text = String(removeNoise(value))
  return /^-?\d{1,3}\.\d{3}$/.test(text) ? `${text}0` : text
}

/** Number of cells of a row that may be one of a table: its cells are side by side. 0 for a row with a cell far away from the others. */
function widthOf(raw: readonly string[]): number {
  const first = raw.findIndex((text) => text !== '')
  const filled = raw.filter((text) => text !== '').length
  return filled >= 2 && filled * 2 >= raw.length - first ? raw.length : 0
}

/** Cells right of a table are one, so that a wide row stays short. */
function shorten({ raw }: CellRow, width: number): void {
  const last = raw.at(-1)
  if (raw.length > width + 1 && last !== undefined) raw.splice(width, raw.length, last)
}

/** Reads the rows of a sheet. A formula counts as its last value; of merged cells, the first one counts. */
export function createSheetReader(
  { styles, is1904 }: Workbook,
  texts: readonly string[],
  countUnits: (units: number) => void,
  onRow: (row: CellRow) => void,
) {
  let row: CellRow = { row: 0, raw: [] }
  // Of the first rows, one has the headings. Those above it can be shorter.
  const first: CellRow[] = []
  let width = 1
  let column = 0
  let cell = { type: 'n', style: 0, value: '', hasFormula: false, hasValue: false }
  let isValue = false
  let isReading = false
  const toText = (): string => {
    const { type, value, style } = cell
    if (type === 's') return decodeCharacters(texts[Number(value)] ?? '')
    if (type === 'inlineStr' || type === 'str') return decodeCharacters(value)
    if (type === 'b') return value === '1' ? 'true' : 'false'
    if (type !== 'n' || value === '' || !Number.isFinite(Number(value))) return value
    const { [style]: shown = 'plain' } = styles
    if (shown === 'date') return toDate(Number(value), is1904)
    return toNumberText(shown === 'percent' ? Number(value) * 100 : Number(value))
  }
  const endCell = () => {
    const text = cell.hasValue ? toText() : ''
    countUnits(text.length)
    if (cell.hasFormula && !cell.hasValue) {
      row.issue = { code: 'required', message: 'has a formula without a value; open the file and save it again' }
    }
    const index = first.length < headingRows ? column : Math.min(column, width)
    if (text !== '') {
      while (row.raw.length < index) row.raw.push('')
      row.raw[index] = text
    }
    column++
  }
  const { push } = createXmlReader({
    open(name, attribute) {
      if (name === 'row') {
        row = { row: Number(attribute('r') ?? row.row + 1), raw: [] }
        if (/^(?:1|true)$/.test(attribute('hidden') ?? '')) row.isHidden = true
        column = 0
      } else if (name === 'c') {
        column = toColumn(attribute('r') ?? '') ?? column
        cell = {
          type: attribute('t') ?? 'n',
          style: Number(attribute('s') ?? 0),
          value: '',
          hasFormula: false,
          hasValue: false,
        }
      } else if (name === 'f') cell.hasFormula = true
      else if (name === 'rPh') isReading = true
      else if (name === 'v' || (name === 't' && !isReading)) {
        isValue = true
        cell.hasValue = true
      }
    },
    text(text) {
      if (isValue) cell.value += text
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'rPh') isReading = false
      else if (name === 'c') endCell()
      else if (name === 'row' && (row.raw.length > 0 || row.issue)) {
        if (first.length < headingRows) {
          first.push(row)
          width = Math.max(width, widthOf(row.raw))
        }
        onRow(row)
      }
    },
  })
  return {
    push,
    /** Shortens the first rows, which are complete when all of them are known. */
    finish() {
      for (const each of first) shorten(each, width)
    },
  }
}
