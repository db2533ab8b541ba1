import { getOwn } from '../../../platform/lib/schema-guard.ts'
import { taxRateReadings } from '../items/file-item.ts'
import { getDecimals } from '../values/amounts.ts'
import { splitCurrency } from '../values/currencies.ts'
import {
  type DecimalSeparator,
  type NumberReading,
  numberFormats,
  readNumber,
  withoutPercent,
} from '../values/numbers.ts'
import { isPictureAddress } from '../values/pictures.ts'
import type { Choices, Question, TablePlan } from './plan.ts'
import { readWeightUnit } from './price-kind.ts'
import { isMoney, isNumeric, isSizePrice } from './targets.ts'

const read = (cell: string): NumberReading | undefined => readNumber(withoutPercent(splitCurrency(cell).number))

/** Targets of which a product needs no value. */
const optionalTargets: ReadonlySet<string> = new Set(['taxRate', 'stockQuantity', 'calories'])

/** No tax on food is higher, in percent: the column has amounts, as those of reports about sales. */
const maxRate = 40
const isNoRate = (cell: string) => {
  const reading = read(cell)
  return (
    reading !== undefined && (reading.kind === 'one' ? reading.value : Math.min(reading.point, reading.comma)) > maxRate
  )
}

const isFraction = (cell: string) => {
  const reading = read(cell)
  return reading?.kind === 'one' && !Number.isInteger(reading.value)
}

/**
 * A plan without columns that have the heading of an optional number, and no number, such as `Quantity` with `200 ml`, or the heading of a unit, and no
 * unit of weight.
 */
export function leaveOutTexts(plan: TablePlan, rows: readonly { cells: readonly string[] }[]): TablePlan {
  const columns = plan.columns.map((column, index) => {
    if (column.how !== 'synonym' || column.to === null) return column
    const isUnit = column.to === 'priceUnit'
    if (!isUnit && !optionalTargets.has(column.to) && !isSizePrice(column.to)) return column
    const cells = rows.flatMap(({ cells: { [index]: cell = '' } }) => (cell.trim() === '' ? [] : [cell]))
    const isRate = column.to !== 'taxRate' || !cells.some(isNoRate)
    // Contents such as 0.33 and 0.5 are no stock.
    const isStock = column.to !== 'stockQuantity' || cells.filter(isFraction).length * 2 <= cells.length
    const isMeant = isUnit ? cells.some(readWeightUnit) : cells.length === 0 || (isRate && isStock && cells.some(read))
    return isMeant ? column : { ...column, to: null, how: 'left_out' as const }
  })
  return { ...plan, columns }
}

/** Whether most cells of a column are texts, and no addresses. */
function hasTitles(rows: readonly { cells: readonly string[] }[], index: number): boolean {
  const cells = rows.flatMap(({ cells: { [index]: cell = '' } }) => (cell.trim() === '' ? [] : [cell]))
  const texts = cells.filter((cell) => /\p{L}{2}/u.test(cell.slice(0, 250)) && !isPictureAddress(cell))
  return texts.length * 2 > cells.length && texts.length > 0
}

/** A plan whose title is the only column with texts. If several have texts, it asks about these. */
export function takeTexts(plan: TablePlan, rows: readonly { cells: readonly string[] }[]): TablePlan {
  const { resource, preset, columns, questions } = plan
  const has = (...targets: string[]) => columns.some(({ to }) => to !== null && targets.includes(to))
  const asked = questions.find(({ column }) => column === 'title')
  if (resource !== 'products' || preset || !asked || has('title')) return plan
  const texts = columns.flatMap(({ name }, index) =>
    asked.choices.includes(name) && hasTitles(rows, index) ? [name] : [],
  )
  const [only, another] = texts
  if (only === undefined) return plan
  const others = questions.filter((question) => question !== asked)
  const isPriced = has('price') || columns.some(({ to }) => isSizePrice(to))
  if (another !== undefined || !isPriced || has('id', 'externalId', 'sku', 'upc'))
    return { ...plan, questions: [{ ...asked, choices: texts }, ...others] }
  const taken = columns.map((column) =>
    column.name === only ? { ...column, to: 'title', how: 'synonym' as const } : column,
  )
  return { ...plan, columns: taken, questions: others }
}

/** A plan that asks for the title if its column has only numbers, and others have texts: `Artikel` heads numbers of articles too. */
export function askTitle(plan: TablePlan, rows: readonly { cells: readonly string[] }[]): TablePlan {
  const { resource, preset, columns, questions } = plan
  const index = columns.findIndex(({ to, how }) => to === 'title' && how === 'synonym')
  const { name } = columns[index] ?? {}
  if (resource !== 'products' || preset || name === undefined) return plan
  if (questions.some(({ column }) => column === 'title')) return plan
  const cellsOf = (at: number) => rows.flatMap(({ cells: { [at]: cell = '' } }) => (cell.trim() === '' ? [] : [cell]))
  const hasTexts = (at: number) => hasTitles(rows, at)
  if (cellsOf(index).length === 0 || hasTexts(index)) return plan
  const others = columns.flatMap(({ to, how, name: other }, at) =>
    other !== '' && (to === null || (to === 'description' && how === 'synonym')) && hasTexts(at) ? [other] : [],
  )
  if (others.length === 0) return plan
  const samples = [...new Set(cellsOf(index).map((cell) => cell.trim()))].slice(0, 3)
  return {
    ...plan,
    questions: [...questions, { code: 'column', column: 'title', samples, choices: [...others, name] }],
  }
}

/** A plan that asks for the price if no heading is known for it and some columns have numbers, such as those of the sizes of drinks. */
export function askPrice(
  plan: TablePlan,
  rows: readonly { cells: readonly string[] }[],
  { columns: chosen }: Choices,
): TablePlan {
  const { resource, preset, columns, questions } = plan
  const asks = (field: string) => questions.some(({ column }) => column === field)
  const has = (...targets: string[]) => columns.some(({ to }) => to !== null && targets.includes(to))
  const hasSizes = columns.some(({ to }) => isSizePrice(to))
  if (resource !== 'products' || preset || has('price') || hasSizes || asks('price')) return plan
  // A table of keys changes what exists, and needs no price.
  if (has('id', 'externalId', 'sku', 'upc') && !asks('title')) return plan
  const choices = columns.flatMap(({ to, name }, index) => {
    if (to !== null || name === '' || getOwn(chosen, name) !== undefined) return []
    return rows.some(({ cells: { [index]: cell = '' } }) => cell !== '' && read(cell) !== undefined) ? [name] : []
  })
  if (choices.length === 0) return plan
  return { ...plan, questions: [...questions, { code: 'column', column: 'price', samples: [], choices }] }
}

/** Whether a tax rate may be a fraction: it is between 0 and 1, and has no percent sign. */
export const mayBeFraction = (cell: string): boolean => {
  const reading = readNumber(cell)
  return reading?.kind === 'one' && reading.value > 0 && reading.value < 1
}

/** Asks whether tax rates below 1 are fractions, unless it is chosen. */
export function decideTaxRates(
  { columns }: TablePlan,
  rows: readonly { cells: readonly string[] }[],
  chosen: Choices['taxRates'],
): { areFractions: boolean; questions: readonly Question[] } {
  const index = columns.findIndex(({ to }) => to === 'taxRate')
  const { name } = columns[index] ?? {}
  const cells =
    index < 0 ? [] : rows.flatMap(({ cells: { [index]: cell = '' } }) => (mayBeFraction(cell) ? [cell] : []))
  if (cells.length === 0) return { areFractions: false, questions: [] }
  if (chosen) return { areFractions: chosen === 'fraction', questions: [] }
  const samples = [...new Set(cells.map((cell) => cell.trim()))].slice(0, 3)
  return { areFractions: false, questions: [{ code: 'tax_rate', column: name, samples, choices: taxRateReadings }] }
}

export interface FileNumbers {
  /** The decimal separator of ambiguous values. */
  format?: DecimalSeparator | undefined
  /** Ambiguous prices are thousands: the currency has no decimals. */
  isWhole: boolean
  /** Tax rates below 1 are fractions, such as 0.19 for 19 %. */
  areFractions?: boolean
  /** Prices are in the minor unit of the currency, such as cents. */
  areCents?: boolean
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
