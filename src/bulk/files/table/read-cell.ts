import type { RowIssue } from '../../import/rows/file-row.ts'
import { htmlToText } from '../text/html.ts'
import { splitCurrency } from '../values/currencies.ts'
import { damageAdvice, isDate, isShortened } from '../values/damage.ts'
import { readNumber, withoutPercent } from '../values/numbers.ts'
import type { FileNumbers } from './number-format.ts'
import { isMoney, mayHaveCurrency, mayHavePercent } from './targets.ts'

/** Currency of a venue, or the one that the first symbol of a file may mean. */
export interface FileCurrency {
  currency: string | undefined
  /** Symbol of the file, if the venue has no currency. */
  symbol?: string | undefined
}

/** A value, or the issue that the cell has. */
type CellValue = { value: unknown; issue?: undefined } | { value?: undefined; issue: RowIssue }

/** Whether an amount is in the currency of the venue. A venue without currency takes the first symbol of the file. */
function isOwnCurrency(own: FileCurrency, currencies: readonly string[], symbol: string): boolean {
  if (own.currency !== undefined) return currencies.includes(own.currency)
  own.symbol ??= symbol
  return own.symbol === symbol
}

const otherCurrency = (column: string, value: string, currency: string | undefined): RowIssue => ({
  column,
  code: 'other_currency',
  message:
    currency === undefined
      ? 'is not in the currency of the rows before'
      : `is not in ${currency}, the currency of the venue`,
  value,
})

/** The issue of a row whose currency, in a cell of its own, is not that of the venue. Undefined: it is, or the cell names none. */
export function readOtherCurrency(column: string, cell: string, own: FileCurrency): CellValue | undefined {
  const { currencies, symbol = '' } = splitCurrency(`1 ${cell}`)
  const isOther = currencies !== undefined && !isOwnCurrency(own, currencies, symbol)
  return isOther ? { issue: otherCurrency(column, cell, own.currency) } : undefined
}

/** Message of a cell such as `7,50 / 9,50`. */
const severalNumbers = 'must be one number: give each size a row of its own, with its name in a column "size"'

/** Reads a number, with a currency if the target may have one. */
export function readAmount(
  column: string,
  to: string,
  cell: string,
  numbers: FileNumbers,
  own: FileCurrency,
): CellValue {
  if (isDate(cell)) return { issue: { column, code: 'damaged_by_spreadsheet', message: damageAdvice, value: cell } }
  const { number, currencies, symbol = '' } = splitCurrency(cell)
  if (mayHaveCurrency(to) && currencies && !isOwnCurrency(own, currencies, symbol)) {
    return { issue: otherCurrency(column, cell, own.currency) }
  }
  const reading = readNumber(mayHavePercent(to) ? withoutPercent(number) : number)
  if (!reading) {
    const message = /\d\D*[/|]\D*\d/.test(cell.slice(0, 60)) ? severalNumbers : 'must be a number'
    return { issue: { column, code: 'invalid_type', message, value: cell } }
  }
  if (reading.kind === 'one') return { value: reading.value }
  if (isMoney(to) && numbers.isWhole) return { value: Math.max(Math.abs(reading.point), Math.abs(reading.comma)) }
  return { value: reading[numbers.format ?? 'point'] }
}

/** A code that a spreadsheet has not damaged. */
export function readCode(column: string, cell: string): CellValue {
  const text = cell.trim()
  if (isShortened(text))
    return { issue: { column, code: 'damaged_by_spreadsheet', message: damageAdvice, value: text } }
  return { value: text }
}

/** Telephone number as people write it: a slash becomes a space, an extension ` x`. */
export const normalizePhone = (text: string): string =>
  text
    .replaceAll('/', ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ ?(?:ext|extension|durchwahl|dw)\.? ?(?=\d+$)/i, ' x')
    .trim()

/** A text without HTML, and whether it had some. */
export function readPlainText(cell: string): { text: string; wasHtml: boolean } {
  const text = htmlToText(cell)
  return text === undefined ? { text: cell, wasHtml: false } : { text, wasHtml: true }
}
