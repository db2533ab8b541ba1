import { splitCurrency } from '../../values/currencies.ts'
import { type DateFormat, dateFormats, readDate } from '../../values/dates.ts'
import type { TableRow } from '../group-rows.ts'
import type { Choices, Question, TablePlan } from '../plan.ts'
import { type DiscountType, discountTypes } from '../targets.ts'

/** Formats of the ambiguous values of a table of coupons. */
export interface CouponFormats {
  /** Order of day and month in ambiguous dates. */
  dateFormat?: DateFormat | undefined
  /** Meaning of discounts without a sign or a type. */
  discountType?: DiscountType | undefined
}

const dateTargets: ReadonlySet<string> = new Set(['limits.startsAt', 'limits.endsAt'])
const maxSamples = 3

const cellOf = ({ cells }: TableRow, index: number) => (cells[index] ?? '').trim()

/** The order of day and month: that of the dates that can be read in one way, if they agree. Otherwise it is asked. */
function decideDates({ columns }: TablePlan, rows: readonly TableRow[], chosen: DateFormat | undefined) {
  const seen = new Set<DateFormat>()
  const samples = new Set<string>()
  let column: string | undefined
  for (const [index, { to, name }] of columns.entries()) {
    if (to === null || !dateTargets.has(to)) continue
    for (const row of rows) {
      const cell = cellOf(row, index)
      const reading = readDate(cell)
      if (reading?.kind === 'one' && reading.format) seen.add(reading.format)
      if (reading?.kind !== 'either') continue
      column ??= name
      if (samples.size < maxSamples) samples.add(cell)
    }
  }
  const [only, another] = seen
  if (only && !another) return { format: only }
  // A choice may be that about an earlier file: the dates of this one win.
  if (column === undefined || chosen) return { format: chosen }
  const question: Question = { code: 'date_format', column, samples: [...samples], choices: dateFormats }
  return { question }
}

/** Whether a discount says itself what it is: by its sign. */
const hasSign = (cell: string) => /[%％٪]/.test(cell) || splitCurrency(cell).currencies !== undefined

/** The meaning of discounts without a sign in rows without a type. It is asked if there are any. */
function decideDiscounts({ columns }: TablePlan, rows: readonly TableRow[], chosen: DiscountType | undefined) {
  if (chosen) return { type: chosen }
  const [value, type] = ['value', 'type'].map((target) => columns.findIndex(({ to }) => to === target))
  if (value === undefined || value === -1) return {}
  const open = rows
    .filter((row) => type === undefined || type === -1 || cellOf(row, type) === '')
    .map((row) => cellOf(row, value))
    .filter((cell) => cell !== '' && !hasSign(cell))
  if (open.length === 0) return {}
  const question: Question = {
    code: 'discount_type',
    column: columns[value]?.name,
    samples: [...new Set(open)].slice(0, maxSamples),
    choices: discountTypes,
  }
  return { question }
}

/** Decides what ambiguous dates and discounts mean, or asks. */
export function decideCoupons(
  plan: TablePlan,
  rows: readonly TableRow[],
  choices: Choices,
): CouponFormats & { questions: readonly Question[] } {
  if (plan.resource !== 'coupons') return { questions: [] }
  const dates = decideDates(plan, rows, choices.dateFormat)
  const discounts = decideDiscounts(plan, rows, choices.discountType)
  return {
    dateFormat: dates.format,
    discountType: discounts.type,
    questions: [dates.question, discounts.question].flatMap((question) => question ?? []),
  }
}
