import type { ImportMapping } from 'merchant-ordering-client'
import { type Context, listOf, textOf } from '../../command.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { soldByUnits } from './import-questions.ts'

const numberFormats = ['point', 'comma'] as const
const titleRowReadings = ['sections', 'products'] as const
const dateFormats = ['day_first', 'month_first'] as const
const discountTypes = ['percent', 'amount'] as const
const taxRateReadings = ['percent', 'fraction'] as const
const amountReadings = ['units', 'cents'] as const
export const codePages = [
  ...(['windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254', 'windows-1255'] as const),
  ...(['windows-1256', 'windows-874', 'iso-8859-15', 'macintosh'] as const),
  ...(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'] as const),
]
/** The value of an option that has a closed list of values. */
export function choiceOf<Choice extends string>(context: Context, name: string, choices: readonly Choice[]) {
  const text = textOf(context, name)
  const choice = choices.find((each) => each === text)
  if (text !== undefined && choice === undefined) throw new UsageError(`--${name} must be ${choices.join(', ')}.`)
  return choice
}

/** A column and its field, as `--map` has them. The last `=` separates them; no field leaves the column out. */
function readColumn(text: string): [string, string | null] {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new UsageError(`--map must be COLUMN=FIELD, or COLUMN= to leave the column out: ${text}`)
  return [text.slice(0, at).trim(), text.slice(at + 1).trim() || null]
}

/** The choices of the options about a file. Undefined if no option chooses something. */
export function readMapping(context: Context): ImportMapping | undefined {
  const columns = Object.fromEntries(listOf(context, 'map').map(readColumn))
  const numberFormat = choiceOf(context, 'number-format', numberFormats)
  const titleRows = choiceOf(context, 'title-rows', titleRowReadings)
  const dateFormat = choiceOf(context, 'date-format', dateFormats)
  const discountType = choiceOf(context, 'discount-type', discountTypes)
  const taxRates = choiceOf(context, 'tax-rates', taxRateReadings)
  const soldBy = choiceOf(context, 'sold-by', soldByUnits)
  const amounts = choiceOf(context, 'amounts', amountReadings)
  const encoding = choiceOf(context, 'encoding', codePages)
  const location = textOf(context, 'location')
  const mapping = {
    ...(Object.keys(columns).length > 0 && { columns }),
    ...(numberFormat && { numberFormat }),
    ...(titleRows && { titleRows }),
    ...(dateFormat && { dateFormat }),
    ...(discountType && { discountType }),
    ...(taxRates && { taxRates }),
    ...(soldBy && { soldBy }),
    ...(amounts && { amounts }),
    ...(encoding && { encoding }),
    ...(location !== undefined && { location }),
  }
  return Object.keys(mapping).length > 0 ? mapping : undefined
}
