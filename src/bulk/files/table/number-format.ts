import { splitCurrency } from '../values/currencies.ts'
import {
  type DecimalSeparator,
  type NumberReading,
  numberFormats,
  readNumber,
  withoutPercent,
} from '../values/numbers.ts'
import type { Question, TablePlan } from './plan.ts'
import { isMoney, isNumeric } from './targets.ts'

const read = (cell: string): NumberReading | undefined => readNumber(withoutPercent(splitCurrency(cell).number))

/** Number of decimal places of a currency; undefined if it is unknown. */
function getDecimals(currency: string | undefined): number | undefined {
  if (currency === undefined) return undefined
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
  } catch {
    return undefined
  }
}

/** Targets of which a product needs no value. */
const optionalTargets: ReadonlySet<string> = new Set(['taxRate', 'stockQuantity', 'calories'])

/** A plan without columns that have the heading of an optional number, and no number: `Quantity` with `200 ml`. */
export function leaveOutTexts(plan: TablePlan, rows: readonly { cells: readonly string[] }[]): TablePlan {
  const columns = plan.columns.map((column, index) => {
    if (column.how !== 'synonym' || column.to === null || !optionalTargets.has(column.to)) return column
    const cells = rows.flatMap(({ cells: { [index]: cell = '' } }) => (cell.trim() === '' ? [] : [cell]))
    return cells.length === 0 || cells.some(read) ? column : { ...column, to: null, how: 'left_out' as const }
  })
  return { ...plan, columns }
}

export interface FileNumbers {
  /** The decimal separator of ambiguous values. */
  format?: DecimalSeparator | undefined
  /** Ambiguous prices are thousands: the currency has no decimals. */
  isWhole: boolean
  question?: Question | undefined
}

/**
 * Decides what ambiguous numbers of a file mean: as its other numbers, if they agree; prices in a currency without decimals are whole; otherwise
 * it is asked.
 */
export function decideNumbers(
  { columns, hasDecimalPoint }: TablePlan,
  rows: Iterable<readonly string[]>,
  chosen: DecimalSeparator | undefined,
  currency: string | undefined,
): FileNumbers {
  const isWhole = getDecimals(currency) === 0
  if (chosen) return { format: chosen, isWhole: false }
  if (hasDecimalPoint) return { format: 'point', isWhole }
  const wanted = columns.flatMap(({ to, name }, index) => (to !== null && isNumeric(to) ? [{ index, to, name }] : []))
  const seen = new Set<DecimalSeparator>()
  const samples = new Set<string>()
  let column: string | undefined
  for (const row of rows) {
    for (const { index, to, name } of wanted) {
      const cell = row[index] ?? ''
      const reading = cell === '' ? undefined : read(cell)
      if (reading?.kind === 'one' && reading.format) seen.add(reading.format)
      if (reading?.kind !== 'either' || (isMoney(to) && isWhole)) continue
      column ??= name
      if (samples.size < 3) samples.add(cell.trim())
    }
  }
  const [only, another] = seen
  if (only && !another) return { format: only, isWhole }
  if (column === undefined) return { isWhole }
  return { isWhole, question: { code: 'number_format', column, samples: [...samples], choices: numberFormats } }
}
